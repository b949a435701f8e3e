import type { Generation, Operation } from "./generation.ts";
import { isObject, jsonPointer, pointerKeys, valueAt } from "../values/json.ts";
import { isReference, resolve, unspecifiedOf } from "../spec/openapi.ts";
import { keysTo, referencesIn, walk } from "../spec/walk.ts";
import { groupBy, reachable, getOrCreate } from "../values/collections.ts";

/** The gaps of a place in a bundle. */
export interface GapPlace {
  /** JSON Pointer in the bundle. */
  readonly pointer: string;
  /** The readable place: `Team.name`, `response 201`, `parameter limit`. Empty for an operation itself. */
  readonly place: string;
  readonly gaps: readonly string[];
}

/** The readable name of a place in a bundle. */
export interface PlaceName {
  /** The kind of the surrounding part of an operation, if its parts have names. */
  readonly part: "" | "parameter" | "response";
  /**
   * `Team.name` for a field of a schema, `limit` for a parameter, `201` for a response, `201, header Location` for a
   * header of it. Empty for an operation.
   */
  readonly name: string;
}

/** The description of a group with nothing specified but its name. */
export const unknownGroup = "The operations of this group are not specified.";

export function gapText(gap: string): string {
  return gap === "required" ? "whether required" : gap;
}

/** Returns whether a response may lack required properties, because its schema only lists its fields. */
export function isPresenceUnspecified({ unspecified }: Pick<Generation, "unspecified">): boolean {
  return unspecified.some((gap) => gap.startsWith("presence"));
}

/** Every gap of a bundle, in the order of the bundle. */
export function listGaps(document: unknown): readonly GapPlace[] {
  const places: GapPlace[] = [];
  for (const at of walk(document)) {
    const gaps = at.isMap ? [] : unspecifiedOf(at.value);
    if (gaps.length === 0) continue;
    const keys = keysTo(at);
    places.push({ pointer: jsonPointer(keys), place: describePlace(nameOfPlace(document, keys)), gaps });
  }
  return places;
}

/** The gaps of each operation, its own first, then those of everything it refers to. */
export function gapsByOperation({ document, operations }: Generation): ReadonlyMap<Operation, readonly GapPlace[]> {
  // Operations share components, so each component is visited once.
  const gaps = groupBy(listGaps(document), ({ pointer }) => definitionOf(pointerKeys(pointer)));
  const references = new Map<string, readonly string[]>();
  const definitionsIn = (definition: string) =>
    getOrCreate(references, definition, () =>
      Array.from(referencesIn(valueAt(document, pointerKeys(definition))), (one) => definitionOf(pointerKeys(one))),
    );
  return new Map(
    operations.map((operation) => {
      const { pathItemPointer, pointer } = operation;
      const definitions = reachable([pointer, `${pathItemPointer}/parameters`], definitionsIn);
      return [operation, [...definitions].flatMap((definition) => gaps.get(definition) ?? [])];
    }),
  );
}

/** The pointer to the operation, the path item's parameters or the component at or above some keys. */
function definitionOf(keys: readonly string[]): string {
  return jsonPointer(keys.slice(0, keys[1] === "pathItems" ? 4 : 3));
}

/** A name for a place in a document, given as keys. */
export function nameOfPlace(document: unknown, keys: readonly string[]): PlaceName {
  const [root, section, third = ""] = keys;
  const isItem = root === "paths" || root === "webhooks";
  if (!isItem && root !== "components") return { part: "", name: keys.join(".") };
  let place: PlaceName = { part: "", name: isItem || section === "pathItems" ? "" : third };
  for (let index = isItem ? 2 : 3; index < keys.length; index += 1) {
    const key = keys[index];
    const next = keys[index + 1] ?? "";
    if (key === "requestBody") place = { part: "", name: "request body" };
    else if (key === "responses") place = { part: "response", name: next };
    else if (key === "parameters")
      place = { part: "parameter", name: parameterName(document, keys.slice(0, index + 2)) };
    else if (key === "headers") place = { ...place, name: `${place.name}, header ${next}` };
    else if (key === "items") place = { ...place, name: `${place.name}[]` };
    else if (key === "properties") place = { ...place, name: place.name === "" ? next : `${place.name}.${next}` };
    // The next key is a name, which may be spelled like a keyword.
    if (key !== undefined && nameHolders.has(key)) index += 1;
  }
  return place;
}

/** Fields with names as keys. */
const nameHolders = new Set(["responses", "parameters", "headers", "properties"]);

/** The name of a place in words: `Team.name`, `response 201`, `parameter limit`. Empty for an operation. */
export function describePlace({ part, name }: PlaceName): string {
  return part === "" ? name : `${part} ${name}`;
}

function parameterName(document: unknown, keys: readonly string[]): string {
  const parameter = valueAt(document, keys);
  const resolved = isObject(document) && isReference(parameter) ? resolve<object>(document, parameter) : parameter;
  return String(valueAt(resolved, ["name"]));
}
