import type { Generation, Operation } from "./generation.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/json.ts";
import { unspecifiedOf } from "../spec/openapi.ts";
import { keysTo, referencesIn, walk } from "../spec/walk.ts";
import { groupBy, reachable, recall } from "./text.ts";

export type GapPlace = Readonly<ReturnType<typeof listGaps>[number]>;

/** The description of a group of which nothing but its name is specified. */
export const unknownGroup = "The operations of this group are not specified.";

export function gapText(gap: string): string {
  return gap === "required" ? "whether required" : gap;
}

/** Tells whether a response may lack what its schema requires, because that only lists its fields. */
export function isPresenceUnspecified({ unspecified }: Pick<Generation, "unspecified">): boolean {
  return unspecified.some((gap) => gap.startsWith("presence"));
}

/** Every gap of a bundle, in the order of the bundle. */
export function listGaps(document: unknown) {
  const places = [...walk(document)].filter(({ value, isMap }) => !isMap && unspecifiedOf(value).length > 0);
  return places.map((at) => {
    const keys = keysTo(at);
    return {
      pointer: jsonPointer(keys),
      /** The place for people: `Team.name`, `response 201`, `parameter limit`; empty for an operation itself. */
      place: placeName(document, keys),
      gaps: unspecifiedOf(at.value),
    };
  });
}

/** The gaps of each operation, including those of all that it refers to; its own come first. */
export function gapsByOperation({ document, operations }: Generation): ReadonlyMap<Operation, readonly GapPlace[]> {
  // Operations share components: each is looked at once.
  const gaps = groupBy(listGaps(document), ({ pointer }) => definitionOf(pointerKeys(pointer)));
  const references = new Map<string, readonly string[]>();
  const definitionsIn = (definition: string) =>
    recall(references, definition, () =>
      Array.from(referencesIn(valueAt(document, pointerKeys(definition))), (one) => definitionOf(pointerKeys(one))),
    );
  return new Map(
    operations.map((operation) => {
      const { pathItemPointer, method } = operation;
      const definitions = reachable([`${pathItemPointer}/${method}`, `${pathItemPointer}/parameters`], definitionsIn);
      return [operation, [...definitions].flatMap((definition) => gaps.get(definition) ?? [])];
    }),
  );
}

/** The pointer to the operation, path item's parameters or component that some keys lead to or into. */
function definitionOf(keys: readonly string[]): string {
  return jsonPointer(keys.slice(0, keys[1] === "pathItems" ? 4 : 3));
}

/** A name for the place that some keys of a document lead to: `Team.name`, `response 201`; empty for an operation. */
export function placeName(document: unknown, keys: readonly string[]): string {
  const [root, , third = ""] = keys;
  if (root !== "paths" && root !== "components") return keys.join(".");
  const isPathItem = root === "paths" || keys[1] === "pathItems";
  let place = isPathItem ? "" : third;
  for (let index = root === "paths" ? 2 : 3; index < keys.length; index += 1) {
    const [key, next = ""] = keys.slice(index);
    if (key === "requestBody") place = "request body";
    else if (key === "items") place += "[]";
    else if (key === "responses") place = `response ${next}`;
    else if (key === "parameters")
      place = `parameter ${String(valueAt(document, [...keys.slice(0, index + 2), "name"]))}`;
    else if (key === "properties") place = place === "" ? next : `${place}.${next}`;
    // The next key is a name, which may be spelled like a field.
    if (key === "responses" || key === "parameters" || key === "properties") index += 1;
  }
  return place;
}
