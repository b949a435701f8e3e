import { isDeepStrictEqual } from "node:util";
import { allOperations, type Generation, type Operation } from "../contract/generation.ts";
import { groupBy, reachable, getOrCreate } from "../values/collections.ts";
import { jsonPointer, mapMembers, membersOf, pointerKeys, valueAt } from "../values/json.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { referencesIn } from "../spec/walk.ts";
import { templateOf } from "./pairOperations.ts";
import { pointerOfPlace, subtypesIn } from "./places.ts";

/** Creates a function that returns the names of the operations that contain or refer to a place of a bundle. */
export function createOperationFinder(generation: Generation): (pointer: string) => readonly string[] {
  const all = allOperations(generation).map((operation) => {
    const { name, pathItemPointer: item } = operation;
    return { name, item, reached: reachOf(generation.document, operation) };
  });
  return (pointer) => {
    const keys = pointer.split("/");
    const around = keys.map((_, index) => keys.slice(0, index + 1).join("/"));
    const using = all.filter(({ item, reached }) => pointer === item || around.some((place) => reached.has(place)));
    return using.map(({ name }) => name);
  };
}

/** JSON Pointers of the places that an operation reaches. */
function reachOf(
  document: OpenApiDocument,
  { pathItemPointer: item, pointer, security }: Operation,
): ReadonlySet<string> {
  const schemes = security.flat().map((scheme) => jsonPointer(["components", "securitySchemes", scheme.name]));
  return reach(document, [pointer, `${item}/parameters`, `${item}/servers`, ...schemes]);
}

const references = new WeakMap<object, Map<string, readonly string[]>>();

/** Some places of a document, and all places reachable from them by reference. */
function reach(document: OpenApiDocument, places: readonly string[]): ReadonlySet<string> {
  // Operations share components, so each is read once.
  const known = getOrCreate(references, document, () => new Map<string, readonly string[]>());
  return reachable(places, (place) => getOrCreate(known, place, () => targetsIn(document, pointerKeys(place))));
}

/** The targets of the references in a part of a document, and the subtypes of a schema with a discriminator. */
function targetsIn(document: OpenApiDocument, keys: readonly string[]): readonly string[] {
  const targets = Array.from(referencesIn(valueAt(document, keys)), (one) => jsonPointer(pointerKeys(one)));
  if (valueAt(document, [...keys, "discriminator"]) === undefined) return targets;
  return [...targets, ...subtypesIn(document, jsonPointer(keys)).map(pointerOfPlace)];
}

/** A document that lacks some of its members. */
type PartialDocument = Readonly<Record<string, unknown>>;

/**
 * Creates a function that returns whether two documents differ at some keys, or in anything referenced from
 * there.
 */
export function createChangeTest(base: OpenApiDocument, next: OpenApiDocument): (keys: readonly string[]) => boolean {
  // Paths share components, so each is compared once.
  const known = new Map<string, boolean>();
  const isOther = (place: string) =>
    getOrCreate(known, place, () => {
      const [before, after] = [base, next].map((document) => valueAt(document, pointerKeys(place)));
      return !isDeepStrictEqual(before, after);
    });
  return (keys) => [base, next].some((document) => [...reach(document, [jsonPointer(keys)])].some(isOther));
}

/**
 * Removes unchanged paths from two documents, and components that no other path needs. Reading them would
 * take most of the time.
 */
export function keepChangedParts(
  base: OpenApiDocument,
  next: OpenApiDocument,
): readonly [base: PartialDocument, next: PartialDocument] {
  const isChanged = createChangeTest(base, next);
  const kinds = childrenOf(["components"], base, next);
  const components = kinds.flatMap((kind) => childrenOf(kind, base, next));
  const kept = new Set(components.filter(isChanged).map(jsonPointer));
  const items = [...childrenOf(["paths"], base, next), ...childrenOf(["webhooks"], base, next)];
  // Paths that differ only in the names of their parameters are compared with each other.
  const alike = groupBy(items, ([root = "", path = ""]) => `${root} ${templateOf(path)}`);
  for (const keys of [...alike.values()].filter((group) => group.some(isChanged)).flat()) {
    const places = [jsonPointer(keys)];
    for (const place of [...reach(base, places), ...reach(next, places)]) kept.add(place);
  }
  return [prune(base, kept), prune(next, kept)];
}

/** The keys of all members that either document has at a place. */
function childrenOf(keys: readonly string[], ...documents: readonly object[]): readonly (readonly string[])[] {
  const names = documents.flatMap((document) => membersOf(valueAt(document, keys)).map(([name]) => name));
  return [...new Set(names)].map((name) => [...keys, name]);
}

/** A document with only the given paths, webhooks and components. */
function prune(document: OpenApiDocument, kept: ReadonlySet<string>): PartialDocument {
  const keep = (members: unknown, ...around: readonly string[]) =>
    Object.fromEntries(membersOf(members).filter(([name]) => kept.has(jsonPointer([...around, name]))));
  return mapMembers(document, (members, field) => {
    if (field === "components") return mapMembers(members, (named, kind) => keep(named, field, kind));
    return field === "paths" || field === "webhooks" ? keep(members, field) : members;
  });
}
