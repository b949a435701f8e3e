import { elementsOf, equalJson, membersOf, stringsOf } from "../values/json.ts";
import type { OpenApiDocument, SchemaObject } from "./openapi.ts";
import { schemaListKeywords } from "./schemaKeywords.ts";
import { describingSchemas, onlyAlternative, typesOf } from "./schemas.ts";

type Merge = (one: unknown, other: unknown) => unknown;

/** How the values of a keyword in several schemas for the same value are one value. */
export const keywordMerges: Readonly<Record<string, Merge>> = {
  ...{ type: sharedTypes, enum: sharedValues, required: allStrings, "x-unspecified": allStrings },
  ...{ minimum: larger, exclusiveMinimum: larger, minLength: larger, minItems: larger, minProperties: larger },
  ...{ maximum: smaller, exclusiveMaximum: smaller, maxLength: smaller, maxItems: smaller, maxProperties: smaller },
};

/** The merges of keywords with schemas, and of marks that apply wherever they are. */
const moreMerges: Readonly<Record<string, Merge>> = {
  ...{ properties: bothByName, patternProperties: bothByName, items: both, additionalProperties: both },
  ...{ uniqueItems: either, readOnly: either, writeOnly: either },
};

/** Keywords that several schemas can't say as one. */
const unmerged = new Set(["pattern", "multipleOf", "const", "not", "if", ...schemaListKeywords]);

const merged = new WeakMap<SchemaObject, SchemaObject>();

/**
 * One schema that says what a schema says with those that it refers to and combines, as {@link describingSchemas} lists
 * them. Annotations are those of the outermost schema. What can't be merged, such as several patterns, is in its `allOf`.
 * A property of several schemas is an `allOf` of them.
 */
export function mergedSchema(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  const known = merged.get(schema);
  if (known !== undefined) return known;
  const one = mergeAll(document, schema);
  merged.set(schema, one);
  return one;
}

function mergeAll(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  const parts = describingSchemas(document, schema);
  if (parts.length === 1) return schema;
  const all: Record<string, unknown> = {};
  const rest: SchemaObject[] = [];
  // From the inside, so that the properties of a base come first.
  for (const part of parts.toReversed()) {
    const followed = new Set(["$ref", "allOf", ...(onlyAlternative(document, part) ? ["anyOf", "oneOf"] : [])]);
    for (const [keyword, value] of membersOf(part)) {
      if (followed.has(keyword) || value === undefined) continue;
      const merge = keywordMerges[keyword] ?? moreMerges[keyword];
      const inner = all[keyword];
      if (inner !== undefined && unmerged.has(keyword) && !equalJson(inner, value)) rest.push({ [keyword]: inner });
      all[keyword] = inner === undefined || merge === undefined ? value : merge(value, inner);
    }
  }
  return { ...all, ...allowedProperties(all, parts), ...(rest.length > 0 && { allOf: rest }) };
}

/** The properties that are in every closed object. */
function allowedProperties({ properties }: SchemaObject, parts: readonly SchemaObject[]): SchemaObject {
  const closed = parts.filter((part) => part.additionalProperties === false && part.patternProperties === undefined);
  if (properties === undefined || closed.length === 0) return {};
  const isAllowed = (name: string) => closed.every((part) => Object.hasOwn(part.properties ?? {}, name));
  return { properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isAllowed(name))) };
}

/** Two schemas for the same value as one. The outer one is last, as {@link describingSchemas} has it first. */
function both(one: unknown, other: unknown): unknown {
  if (one === true || other === false) return other;
  return other === true || one === false || equalJson(one, other) ? one : { allOf: [other, one] };
}

function bothByName(one: unknown, other: unknown): unknown {
  const all = new Map(membersOf(other));
  for (const [name, schema] of membersOf(one)) all.set(name, all.has(name) ? both(schema, all.get(name)) : schema);
  return Object.fromEntries(all);
}

function either(one: unknown, other: unknown): boolean {
  return one === true || other === true;
}

/** The types that two lists have in common. An integer is also a number. */
function sharedTypes(one: unknown, other: unknown): readonly string[] {
  const [types, others] = [typesOf({ type: one }), typesOf({ type: other })];
  const shared = types.filter((type) => includesType(others, type));
  return [...new Set([...shared, ...others.filter((type) => includesType(types, type))])];
}

/** Returns whether a list of types has the values of a type. */
export function includesType(list: readonly string[], type: string): boolean {
  return list.includes(type) || (type === "integer" && list.includes("number"));
}

function sharedValues(one: unknown, other: unknown): readonly unknown[] {
  return elementsOf(one).filter((value) => elementsOf(other).some((another) => equalJson(value, another)));
}

function allStrings(one: unknown, other: unknown): readonly string[] {
  return [...new Set([...stringsOf(one), ...stringsOf(other)])];
}

function larger(one: unknown, other: unknown): number {
  return Math.max(Number(one), Number(other));
}

function smaller(one: unknown, other: unknown): number {
  return Math.min(Number(one), Number(other));
}
