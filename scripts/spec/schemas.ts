/** One reading of JSON Schema 2020-12 as OpenAPI 3.1 uses it, for everything that shows, checks or writes values. */
import { isObject, lastKey, stringsOf, valueAt } from "./json.ts";
import { isReference, isSchema, referencedValue, resolveSchema } from "./openapi.ts";
import type { OpenApiDocument, SchemaObject } from "./openapi.ts";

/** The direction in which a value travels: clients write requests and read responses. */
export type Direction = "request" | "response";

/** The types that the keyword `type` lists; none without it. */
export function typesOf({ type }: { readonly type?: unknown }): readonly string[] {
  return typeof type === "string" ? [type] : stringsOf(type);
}

/** Tells whether a value is of a type as JSON Schema names it (2020-12 Validation, section 6.1.1). */
export function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}

/** The types that a schema is about: those of `type`, or else the one that other keywords speak of. */
export function impliedTypes(schema: SchemaObject): readonly string[] {
  if (schema.type !== undefined) return typesOf(schema);
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ["object"];
  return schema.items === undefined ? [] : ["array"];
}

/** A member of `anyOf` or `oneOf`. */
export interface Alternative {
  /** Its title, the name of the component that it refers to, or its number: `Alternative 2`. */
  readonly name: string;
  readonly schema: SchemaObject;
}

/** The alternatives of a schema, of which `null` is none. */
export function alternativesOf(
  document: OpenApiDocument,
  { anyOf = [], oneOf = [] }: SchemaObject,
): readonly Alternative[] {
  const schemas = [...anyOf, ...oneOf].filter((schema) => schema.type !== "null");
  return schemas.map((schema, index) => ({
    name: resolveSchema(document, schema).title ?? componentName(schema) ?? `Alternative ${index + 1}`,
    schema,
  }));
}

export function componentName(schema: SchemaObject): string | undefined {
  return isReference(schema) ? lastKey(schema.$ref) : undefined;
}

/** Tells whether a property is part of a value that travels in a direction (OpenAPI 3.1.1, section 4.8.24). */
export function isVisible(document: OpenApiDocument, property: SchemaObject, direction: Direction): boolean {
  const { readOnly = false, writeOnly = false } = resolveSchema(document, property);
  return direction === "request" ? !readOnly : !writeOnly;
}

/** The schemas that describe a value as a whole: references and `allOf` are followed, and the one alternative to `null`. */
export function describingSchemas(
  document: OpenApiDocument,
  schema: SchemaObject,
  seen: ReadonlySet<SchemaObject> = new Set(),
): readonly SchemaObject[] {
  if (seen.has(schema)) return [];
  const [first, ...others] = alternativesOf(document, schema);
  const parts = [
    ...(isReference(schema) ? [referencedValue(document, schema.$ref)] : []),
    ...(schema.allOf ?? []),
    ...(others.length === 0 && first !== undefined ? [first.schema] : []),
  ];
  const around = new Set([...seen, schema]);
  return [schema, ...parts.filter(isSchema).flatMap((part) => describingSchemas(document, part, around))];
}

const applicable = new WeakMap<object, readonly SchemaObject[]>();

/** A schema and all that it combines or refers to: those that may apply to the same value, itself first. */
export function applicableSchemas(document: object, schema: unknown): readonly SchemaObject[] {
  const known = isObject(schema) ? applicable.get(schema) : [];
  if (known !== undefined) return known;
  const found = new Set<SchemaObject>();
  const add = (one: unknown) => {
    if (!isSchema(one) || found.has(one)) return;
    found.add(one);
    [one.allOf, one.anyOf, one.oneOf, one.then, one.else].flat().forEach(add);
    if (isReference(one)) add(referencedValue(document, one.$ref));
  };
  add(schema);
  const all = [...found];
  if (isObject(schema)) applicable.set(schema, all);
  return all;
}

/** The schemas of the properties that a value may have, by name; also of those that only an alternative has. */
export function propertySchemas(document: object, schema: unknown): ReadonlyMap<string, SchemaObject> {
  const all = new Map<string, SchemaObject>();
  for (const { properties } of applicableSchemas(document, schema)) {
    for (const [name, property] of Object.entries(properties ?? {})) {
      if (isSchema(property) && !all.has(name)) all.set(name, property);
    }
  }
  return all;
}

/** The schemas that may apply to one of the values that some keys lead through, the whole value included. */
export function schemasAlong(document: object, schema: unknown, keys: readonly string[]): readonly SchemaObject[] {
  let current = applicableSchemas(document, schema);
  const all = new Set(current);
  for (const key of keys) {
    current = memberSchemas(document, current, key);
    for (const one of current) all.add(one);
  }
  return [...all];
}

/** The schemas that may apply to a member of a value that some schemas may apply to. */
export function memberSchemas(document: object, schemas: readonly SchemaObject[], key: string) {
  const members = schemas.flatMap((one) => membersIn(one, key));
  return [...new Set(members.flatMap((one) => applicableSchemas(document, one)))];
}

function membersIn(schema: SchemaObject, key: string): readonly unknown[] {
  const { properties, prefixItems, items, additionalProperties, patternProperties = {} } = schema;
  const own = [valueAt(properties, [key]), valueAt(prefixItems, [key])].filter((one) => one !== undefined);
  return [...(own.length > 0 ? own : [items, additionalProperties]), ...Object.values(patternProperties)];
}
