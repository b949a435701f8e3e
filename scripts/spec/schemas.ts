/**
 * A shared interpretation of JSON Schema 2020-12 in OpenAPI 3.1, for all code that shows, checks or writes
 * values.
 */
import { elementsOf, isObject, lastKey, stringsOf, valueAt } from "../values/json.ts";
import { jsonType } from "../values/jsonType.ts";
import {
  isReference,
  isSchema,
  referencedValue,
  resolveSchema,
  type OpenApiDocument,
  type SchemaObject,
} from "./openapi.ts";

/** The direction of a value. Clients write requests and read responses. */
export type Direction = "request" | "response";

/** The marks of properties that needn't be in requests, or in responses. */
export const hiding = { request: "readOnly", response: "writeOnly" } as const;

/** The types in the keyword `type`. Empty without it. */
export function typesOf({ type }: { readonly type?: unknown }): readonly string[] {
  return typeof type === "string" ? [type] : stringsOf(type);
}

/** The types of a schema: those in `type`, or else the one that other keywords imply. */
export function impliedTypes(schema: SchemaObject): readonly string[] {
  if (schema.type !== undefined) return typesOf(schema);
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ["object"];
  return schema.items === undefined ? [] : ["array"];
}

/** A member of `anyOf` or `oneOf`. */
export interface Alternative {
  /** Its title, the name of its component, or its number: `Alternative 2`. */
  readonly name: string;
  readonly schema: SchemaObject;
}

/** The alternatives of a schema, except for `null`. */
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

/** The values of a discriminator's property for an alternative: those mapped to it, or else its component's name. */
export function discriminatorValues(
  { mapping = {} }: NonNullable<SchemaObject["discriminator"]>,
  alternative: SchemaObject,
): readonly string[] {
  if (!isReference(alternative)) return [];
  const name = lastKey(alternative.$ref);
  const mapped = Object.entries(mapping).filter(([, target]) => target === alternative.$ref || target === name);
  return mapped.length > 0 ? mapped.map(([value]) => value) : [name];
}

/** A value of an enumeration, with what the description says about it. */
export interface KnownValue {
  readonly value: unknown;
  readonly title: string;
  readonly description: string;
}

/** The values of a schema whose alternatives are all constants, as 3.1 describes each value of an enumeration. */
export function constantsOf(document: OpenApiDocument, schema: SchemaObject): readonly KnownValue[] {
  const constants = alternativesOf(document, schema).map((alternative) => resolveSchema(document, alternative.schema));
  return constants.every((constant) => "const" in constant)
    ? constants.map(({ const: value, title = "", description = "" }) => ({ value, title, description }))
    : [];
}

export function componentName(schema: SchemaObject): string | undefined {
  return isReference(schema) ? lastKey(schema.$ref) : undefined;
}

/** Returns whether a property is part of a value in a direction (OpenAPI 3.1.1, section 4.8.24). */
export function isVisible(document: OpenApiDocument, property: SchemaObject, direction: Direction): boolean {
  const hidden = direction === "request" ? "readOnly" : "writeOnly";
  return !describingSchemas(document, property).some((part) => part[hidden] === true);
}

/** The only alternative of a schema, besides `null`. `undefined` if there are none or several. */
export function onlyAlternative(document: OpenApiDocument, schema: SchemaObject): SchemaObject | undefined {
  const [first, ...others] = alternativesOf(document, schema);
  return others.length === 0 ? first?.schema : undefined;
}

/**
 * The schemas that describe a value as a whole, each once. References, `allOf` and the only alternative to `null` are
 * followed. The outermost schema is first, and those that it refers to are last.
 */
export function describingSchemas(document: OpenApiDocument, schema: SchemaObject): readonly SchemaObject[] {
  const known = describing.get(schema) ?? findDescribing(document, schema);
  describing.set(schema, known);
  return known;
}

const describing = new WeakMap<object, readonly SchemaObject[]>();

function findDescribing(document: OpenApiDocument, schema: SchemaObject): readonly SchemaObject[] {
  const seen = new Set<SchemaObject>();
  const found: SchemaObject[] = [];
  const add = (one: unknown) => {
    if (!isSchema(one) || seen.has(one)) return;
    seen.add(one);
    const parts = [...elementsOf(one.allOf), onlyAlternative(document, one)];
    if (isReference(one)) add(referencedValue(document, one.$ref));
    parts.filter(isReference).forEach(add);
    parts.filter((part) => !isReference(part)).forEach(add);
    found.push(one);
  };
  add(schema);
  return found.toReversed();
}

const applicable = new WeakMap<object, readonly SchemaObject[]>();

/** A schema and all that it combines or refers to, itself first. They may all apply to the same value. */
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

/** The types that a schema allows, if it names any. A text without a type is a string. */
export function allowedTypes(document: object, schema: unknown): ReadonlySet<string> {
  const types = applicableSchemas(document, schema).flatMap((one) => {
    if (one.type !== undefined) return typesOf(one);
    const values: readonly unknown[] = one.const === undefined ? (one.enum ?? []) : [one.const];
    return values.map(jsonType);
  });
  return new Set(types.length === 0 ? ["string"] : types);
}

/** The schemas of a value's possible properties by name, including those of alternatives. */
export function propertySchemas(document: object, schema: unknown): ReadonlyMap<string, SchemaObject> {
  const all = new Map<string, SchemaObject>();
  for (const { properties } of applicableSchemas(document, schema)) {
    for (const [name, property] of Object.entries(properties ?? {})) {
      if (isSchema(property) && !all.has(name)) all.set(name, property);
    }
  }
  return all;
}

/**
 * The names of an object's properties that have a mark. In its direction, they are optional even if they are required
 * (OpenAPI 3.1.1, section 4.8.24).
 */
export function markedProperties(
  document: object,
  schema: unknown,
  mark: (typeof hiding)[Direction],
): readonly string[] {
  return [...propertySchemas(document, schema)]
    .filter(([, property]) => applicableSchemas(document, property).some((one) => one[mark] === true))
    .map(([name]) => name);
}

/** The schemas that may apply to any value along some keys, including the whole value. */
export function schemasAlong(document: object, schema: unknown, keys: readonly string[]): readonly SchemaObject[] {
  return [...new Set(schemaSteps(document, schema, keys).flat())];
}

/** The schemas that may apply to the value at the end of some keys. */
export function schemasAt(document: object, schema: unknown, keys: readonly string[]): readonly SchemaObject[] {
  return schemaSteps(document, schema, keys).at(-1) ?? [];
}

/** The schemas that may apply to the whole value, then those for each value along some keys. */
function schemaSteps(document: object, schema: unknown, keys: readonly string[]) {
  const steps = [applicableSchemas(document, schema)];
  for (const key of keys) steps.push(memberSchemas(document, steps.at(-1) ?? [], key));
  return steps;
}

/** The schemas that may apply to a member of a value, given the schemas of the value. */
export function memberSchemas(document: object, schemas: readonly SchemaObject[], key: string) {
  const members = schemas.flatMap((one) => membersIn(one, key));
  return [...new Set(members.flatMap((one) => applicableSchemas(document, one)))];
}

function membersIn(schema: SchemaObject, key: string): readonly unknown[] {
  const { properties, prefixItems, items, additionalProperties, patternProperties = {} } = schema;
  const own = [valueAt(properties, [key]), valueAt(prefixItems, [key])].filter((one) => one !== undefined);
  return [...(own.length > 0 ? own : [items, additionalProperties]), ...Object.values(patternProperties)];
}
