import { isDeepStrictEqual } from "node:util";
import { elementsOf, isObject, membersOf } from "../spec/json.ts";
import { jsonPointer, valueAt } from "../spec/jsonPointer.ts";
import { mapObjects } from "../spec/walk.ts";
import type { Change } from "./changes.ts";
import { originOf, type NormalizedDocument } from "./normalizedDocument.ts";

/** A change of a name, and what is known of its rating. */
export type Renaming = Pick<Change, "pointer" | "message"> & Partial<Pick<Change, "kind" | "operations">>;

/**
 * Gives what was renamed in a document its name in another one, so that the rest can be compared: security schemes, and
 * the status code that fills in for the only `2XX`. Tells what was renamed, by its place in the description.
 */
export function alignNames(base: NormalizedDocument, next: NormalizedDocument) {
  const origins = new Map(next.origins);
  const renamings: Renaming[] = [];
  const schemes = renamedSchemes(base.document, next.document);
  const move = (place: readonly string[], from: string, to: string, message: string, kind: Change["kind"]) => {
    const pointer = originOf(next, jsonPointer([...place, from]));
    origins.set(jsonPointer([...place, to]), pointer);
    renamings.push({ kind, pointer, message });
  };
  for (const [name = "", before] of schemes) {
    const message = `The security scheme \`${before}\` was renamed to \`${name}\`.`;
    move(["components", "securitySchemes"], name, before, message, "changed");
  }
  const document = mapObjects(next.document, (object, keys) => {
    const { security, securitySchemes, responses } = object;
    if (keys.join() === "components") return { ...object, securitySchemes: renameMembers(securitySchemes, schemes) };
    if (keys[0] !== "paths" || keys.length !== 3) return object;
    const status = filledStatus(valueAt(base.document, [...keys, "responses"]), responses);
    if (status !== undefined) {
      const message = `The success status code, so far 2XX, is ${status}.`;
      move([...keys, "responses"], status, "2XX", message, "clarified");
    }
    return {
      ...object,
      ...(security !== undefined && { security: elementsOf(security).map((one) => renameMembers(one, schemes)) }),
      responses: renameMembers(responses, new Map([[status, "2XX"]])),
    };
  });
  return { aligned: { document: isObject(document) ? document : {}, origins }, renamings };
}

/**
 * Writes a schema as the only alternative, where the other document has it as one of several: the others were added, and
 * nothing else changed.
 */
export function alignAlternatives(document: NormalizedDocument, other: NormalizedDocument): NormalizedDocument {
  const aligned = mapObjects(document.document, (object, keys) => {
    const there = valueAt(other.document, keys);
    const keyword = ["oneOf", "anyOf"].find((name) => {
      const alternatives = elementsOf(valueAt(there, [name]));
      return object[name] === undefined && alternatives.some((one) => isDeepStrictEqual(one, object));
    });
    return keyword === undefined ? object : { [keyword]: [object] };
  });
  return { ...document, document: isObject(aligned) ? aligned : {} };
}

/** The one status code that takes the place of a `2XX`. */
function filledStatus(before: unknown, after: unknown): string | undefined {
  const [old, current] = [new Map(membersOf(before)), new Map(membersOf(after))];
  const [status, ...others] = [...current.keys()].filter((name) => /^2\d\d$/.test(name) && !old.has(name));
  return old.has("2XX") && !current.has("2XX") && others.length === 0 ? status : undefined;
}

/** The names that security schemes had before, by their names now. */
function renamedSchemes(base: unknown, next: unknown): ReadonlyMap<string | undefined, string> {
  const schemesOf = (document: unknown) => membersOf(valueAt(document, ["components", "securitySchemes"]));
  const [before, after] = [new Map(schemesOf(base)), new Map(schemesOf(next))];
  const added = [...after].filter(([name]) => !before.has(name));
  return new Map(
    [...before].flatMap(([name, scheme]) => {
      const found = added.find(([, other]) => isDeepStrictEqual(scheme, other));
      return after.has(name) || found === undefined ? [] : [[found[0], name] as const];
    }),
  );
}

function renameMembers(members: unknown, names: ReadonlyMap<string | undefined, string>) {
  if (!isObject(members)) return members;
  return Object.fromEntries(membersOf(members).map(([name, member]) => [names.get(name) ?? name, member]));
}
