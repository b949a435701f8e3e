import type { Generation, Operation } from "./generation.ts";
import { jsonPointer, pointerKeys, valueAt } from "./jsonPointer.ts";
import { isObject, isReference, stringsOf } from "./openapi.ts";
import { groupBy } from "./text.ts";

/** A place of a bundle at which something is not specified. */
export interface Gap {
  /** JSON Pointer of the object that has `x-unspecified`. */
  readonly pointer: string;
  /** The place for people: `Team.name`, `response 201`, `parameter limit`; empty for an operation itself. */
  readonly place: string;
  readonly phrases: readonly string[];
}

/** A phrase of `x-unspecified` in words. */
export function phraseText(phrase: string): string {
  return phrase === "required" ? "whether required" : phrase;
}

/** Fields whose members have names for keys, not fields (OpenAPI 3.1.1, section 4.8; JSON Schema 2020-12). */
export const nameMaps = new Set([
  ...["paths", "webhooks", "content", "headers", "callbacks", "links", "variables", "encoding"],
  ...["schemas", "responses", "parameters", "requestBodies", "securitySchemes", "pathItems"],
  ...["properties", "patternProperties", "$defs", "dependentSchemas"],
]);

/** Fields that hold data, in which nothing is part of the description. */
export const dataFields = new Set("const default enum example examples mapping required security value".split(" "));

/**
 * A copy of a description, or of a part of one at some keys, in which each object has been changed: those inside it
 * first. Data, extensions and maps of names are not objects of a description.
 */
export function mapObjects(
  value: unknown,
  change: (object: Readonly<Record<string, unknown>>, keys: readonly string[]) => unknown,
  keys: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => mapObjects(item, change, [...keys, String(index)]));
  }
  if (!isObject(value)) return value;
  const copy = mapMembers(value, (member, key) => {
    if (dataFields.has(key) || key.startsWith("x-")) return member;
    const inner = [...keys, key];
    return nameMaps.has(key) && isObject(member)
      ? mapMembers(member, (named, name) => mapObjects(named, change, [...inner, name]))
      : mapObjects(member, change, inner);
  });
  return change(copy, keys);
}

/** Every gap of a bundle, in no particular order. */
export function listGaps(document: unknown): readonly Gap[] {
  const gaps: Gap[] = [];
  mapObjects(document, (object, keys) => {
    const phrases = stringsOf(object["x-unspecified"]);
    if (phrases.length > 0) gaps.push({ pointer: jsonPointer(keys), place: placeName(document, keys), phrases });
    return object;
  });
  return gaps;
}

/** What is not specified of each operation, including all that it refers to; its own gaps come first. */
export function gapsByOperation({ document, operations }: Generation): ReadonlyMap<Operation, readonly Gap[]> {
  // Operations share components: each is looked at once.
  const gaps = groupBy(listGaps(document), ({ pointer }) => definitionOf(pointerKeys(pointer)));
  const references = new Map<string, ReadonlySet<string>>();
  const referencesOf = (definition: string) => {
    const known = references.get(definition) ?? referencedDefinitions(valueAt(document, pointerKeys(definition)));
    references.set(definition, known);
    return known;
  };
  return new Map(
    operations.map((operation) => {
      const { pathItemPointer, method } = operation;
      const definitions = new Set([`${pathItemPointer}/${method}`, `${pathItemPointer}/parameters`]);
      for (const definition of definitions) {
        for (const target of referencesOf(definition)) definitions.add(target);
      }
      return [operation, [...definitions].flatMap((definition) => gaps.get(definition) ?? [])];
    }),
  );
}

/** The pointer to the operation, path item's parameters or component that some keys lead to or into. */
function definitionOf(keys: readonly string[]): string {
  return jsonPointer(keys.slice(0, keys[1] === "pathItems" ? 4 : 3));
}

function referencedDefinitions(definition: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  mapObjects(definition, (object) => {
    if (isReference(object)) found.add(definitionOf(pointerKeys(object.$ref)));
    return object;
  });
  return found;
}

/** A name for the place that some keys of a document lead to. */
function placeName(document: unknown, keys: readonly string[]): string {
  const [root, , third = ""] = keys;
  if (root !== "paths" && root !== "components") return keys.join(".");
  const isPathItem = root === "paths" || keys[1] === "pathItems";
  let place = isPathItem ? "" : third;
  for (let index = root === "paths" ? 2 : 3; index < keys.length; index += 1) {
    const [key, next = ""] = keys.slice(index);
    if (key === "requestBody") place = "request body";
    else if (key === "items") place += "[]";
    else if (key === "responses") place = `response ${next}`;
    else if (key === "parameters") place = `parameter ${parameterName(document, keys.slice(0, index + 2))}`;
    else if (key === "properties") place = place === "" ? next : `${place}.${next}`;
    // The next key is a name, which may be spelled like a field.
    if (key === "responses" || key === "parameters" || key === "properties") index += 1;
  }
  return place;
}

function parameterName(document: unknown, keys: readonly string[]): string {
  const parameter = valueAt(document, keys);
  return isObject(parameter) ? String(parameter["name"]) : "";
}

function mapMembers(
  object: Readonly<Record<string, unknown>>,
  change: (member: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, change(member, key)]));
}
