import { isDeepStrictEqual } from "node:util";
import { elementsOf, isObject, membersOf } from "../spec/json.ts";
import { jsonPointer, valueAt } from "../spec/jsonPointer.ts";
import { mapObjects } from "../spec/walk.ts";
import type { Change } from "./changes.ts";
import { originOf, type NormalizedDocument } from "./normalizedDocument.ts";

/** A change of a name, and what is known of its rating. */
export type Renaming = Pick<Change, "pointer" | "message"> & Partial<Pick<Change, "kind" | "operations">>;

/**
 * Gives the one status code that takes the place of a `2XX` that name, so that the rest can be compared. Tells of each by
 * its place in the description.
 */
export function alignStatuses(base: NormalizedDocument, next: NormalizedDocument) {
  const origins = new Map(next.origins);
  const renamings: Renaming[] = [];
  const document = mapObjects(next.document, (object, keys) => {
    const { responses } = object;
    const place = [...keys, "responses"];
    const status = keys[0] === "paths" ? filledStatus(valueAt(base.document, place), responses) : undefined;
    if (status === undefined) return object;
    const pointer = originOf(next, jsonPointer([...place, status]));
    origins.set(jsonPointer([...place, "2XX"]), pointer);
    renamings.push({ kind: "clarified", pointer, message: `The success status code, so far 2XX, is ${status}.` });
    const { [status]: response, ...others } = Object.fromEntries(membersOf(responses));
    return { ...object, responses: { ...others, "2XX": response } };
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
