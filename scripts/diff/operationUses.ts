import { isDeepStrictEqual } from "node:util";
import type { Generation } from "../contract/generation.ts";
import { reachable, recall } from "../contract/text.ts";
import { jsonPointer, mapMembers, membersOf, pointerKeys, valueAt } from "../spec/json.ts";
import type { Direction } from "../spec/schemas.ts";
import { referencesIn } from "../spec/walk.ts";

/**
 * Makes a function that finds the operations of a generation that a place of its bundle belongs to, by reference too: in
 * one direction, or in any.
 */
export function createOperationFinder({ document, operations, webhooks }: Generation) {
  const all = [...operations, ...webhooks].map(({ name, pathItemPointer: item, method, security }) => {
    const own = `${item}/${method}`;
    const sent = [`${item}/parameters`, `${own}/parameters`, `${own}/requestBody`];
    const received = [`${own}/responses`];
    // The service sends the requests of webhooks, and consumers respond.
    const [request, response] = item.startsWith("/webhooks/") ? [received, sent] : [sent, received];
    const schemes = security.flat().map((scheme) => jsonPointer(["components", "securitySchemes", scheme.name]));
    const reached = {
      request: reach(document, [...request, `${own}/callbacks`]),
      response: reach(document, [...response, `${own}/callbacks`]),
      any: reach(document, [own, ...sent, ...schemes, `${item}/servers`]),
    };
    return { name, item, reached };
  });
  return (pointer: string, direction: Direction | "any" = "any"): readonly string[] => {
    const around = pointer.split("/").map((_, index, keys) => keys.slice(0, index + 1).join("/"));
    const isUsed = ({ item, reached }: (typeof all)[number]) =>
      pointer === item || around.some((place) => reached[direction].has(place));
    return all.filter(isUsed).map(({ name }) => name);
  };
}

const references = new WeakMap<object, Map<string, readonly string[]>>();

/** Some places of a document, and those that they lead to by reference, directly or not. */
function reach(document: object, places: readonly string[]): ReadonlySet<string> {
  // Operations share components: each is read once.
  const known = recall(references, document, () => new Map<string, readonly string[]>());
  const targetsIn = (place: string) => referencesIn(valueAt(document, pointerKeys(place)));
  return reachable(places, (place) =>
    recall(known, place, () => Array.from(targetsIn(place), (one) => jsonPointer(pointerKeys(one)))),
  );
}

/**
 * Leaves out of two documents the paths that are the same in both with all that they refer to, and the components that no
 * other path needs: to read them would take most of the time.
 */
export function keepChangedParts(base: object, next: object) {
  const isChanged = (keys: readonly string[]) => !isDeepStrictEqual(valueAt(base, keys), valueAt(next, keys));
  const names = (keys: readonly string[]) =>
    [...new Set([base, next].flatMap((document) => membersOf(valueAt(document, keys)).map(([name]) => name)))].map(
      (name) => [...keys, name],
    );
  const components = names(["components"]).flatMap(names);
  const changed = new Set(components.filter(isChanged).map(jsonPointer));
  const kept = new Set(changed);
  for (const keys of [...names(["paths"]), ...names(["webhooks"])]) {
    const pointer = jsonPointer(keys);
    const reached = [base, next].flatMap((document) => [...reach(document, [pointer])]);
    if (isChanged(keys) || reached.some((place) => changed.has(place))) for (const place of reached) kept.add(place);
  }
  const keep = (members: unknown, ...around: readonly string[]) =>
    Object.fromEntries(membersOf(members).filter(([name]) => kept.has(jsonPointer([...around, name]))));
  const prune = (document: object) =>
    mapMembers(document, (members, field) => {
      if (field === "components") return mapMembers(members, (named, kind) => keep(named, field, kind));
      return field === "paths" || field === "webhooks" ? keep(members, field) : members;
    });
  return [prune(base), prune(next)] as const;
}
