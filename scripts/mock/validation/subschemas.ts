import { pointerKeys, valueAt } from "../../spec/jsonPointer.ts";
import { isObject } from "../../spec/json.ts";
import { isReference, type OpenApiDocument } from "../../spec/openapi.ts";

type Schema = Readonly<Record<string, unknown>>;

/** What a reference within a bundle leads to; `undefined` if it leads out of it, or nowhere. */
export function followReference(reference: string, document: OpenApiDocument): unknown {
  return reference.startsWith("#") ? valueAt(document, pointerKeys(reference)) : undefined;
}

const combined = new WeakMap<object, readonly Schema[]>();

/** A schema and all that it combines or refers to: those that may apply to the same value. */
export function schemasIn(schema: unknown, document: OpenApiDocument): readonly Schema[] {
  const known = isObject(schema) ? combined.get(schema) : [];
  if (known !== undefined) return known;
  const found = new Set<Schema>();
  const add = (one: unknown) => {
    if (!isObject(one) || found.has(one)) return;
    found.add(one);
    if (isReference(one)) add(followReference(one.$ref, document));
    for (const keyword of ["allOf", "anyOf", "oneOf", "then", "else"]) [one[keyword] ?? []].flat().forEach(add);
  };
  add(schema);
  const all = [...found];
  if (isObject(schema)) combined.set(schema, all);
  return all;
}

/** All schemas that may apply to one of the values that some keys lead through, the whole value included. */
export function schemasAlong(schema: unknown, keys: readonly string[], document: OpenApiDocument): readonly Schema[] {
  let current = schemasIn(schema, document);
  const all = new Set(current);
  for (const key of keys) {
    const children = current.flatMap((one) => childrenOf(one, key));
    current = [...new Set(children.flatMap((child) => schemasIn(child, document)))];
    for (const one of current) all.add(one);
  }
  return [...all];
}

function childrenOf({ properties, prefixItems, items, additionalProperties, patternProperties }: Schema, key: string) {
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
  return [valueAt(properties, [key]), valueAt(prefixItems, [key]), items, additionalProperties, ...patterns];
}

/** The types that a schema allows, as far as it names any; a text that may be anything is a string. */
export function allowedTypes(schema: unknown, document: OpenApiDocument): ReadonlySet<string> {
  const types = schemasIn(schema, document).flatMap(({ type, const: only, enum: some }) => {
    if (type !== undefined) return [type].flat().map(String);
    const values: readonly unknown[] = only !== undefined ? [only] : Array.isArray(some) ? some : [];
    return values.map(typeOf);
  });
  return new Set(types.length === 0 ? ["string"] : types);
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** The schemas of properties by their names, also of those that alternatives have. */
export function propertySchemas(schema: unknown, document: OpenApiDocument): Readonly<Record<string, unknown>> {
  const lists = schemasIn(schema, document).map(({ properties }) => (isObject(properties) ? properties : {}));
  return Object.fromEntries(lists.flatMap((properties) => Object.entries(properties)));
}

/** The schema of the items of an array. */
export function itemsOf(schema: unknown, document: OpenApiDocument): unknown {
  return schemasIn(schema, document).find(({ items }) => items !== undefined)?.["items"];
}

/** The schema of properties that have none of their own. */
export function additionalSchema(schema: unknown, document: OpenApiDocument): unknown {
  return schemasIn(schema, document).find((one) => one["additionalProperties"] !== undefined)?.["additionalProperties"];
}
