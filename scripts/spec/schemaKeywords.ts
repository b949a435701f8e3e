import { elementsOf, mapMembers, membersOf } from "../values/json.ts";

/** The keywords of JSON Schema 2020-12 whose value is a schema. */
export const schemaKeywords: readonly string[] = [
  ...["items", "contains", "unevaluatedItems", "additionalProperties", "unevaluatedProperties", "propertyNames"],
  ...["not", "if", "then", "else", "contentSchema"],
];

/** Keywords whose value has a schema under each name. */
export const schemaMapKeywords: readonly string[] = ["properties", "patternProperties", "dependentSchemas", "$defs"];

/** Keywords whose value is a list of schemas. */
export const schemaListKeywords: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/**
 * Keywords that affect validity, and that the profile of OpenAPI says no to. Nothing is checked against them: what the other
 * keywords accept may be invalid.
 */
export const uncheckedKeywords: readonly string[] = [
  ...["$dynamicRef", "contains", "dependentRequired", "dependentSchemas", "if", "not", "patternProperties"],
  ...["prefixItems", "propertyNames", "unevaluatedItems", "unevaluatedProperties"],
];

/** The value of a keyword with each of the schemas in it changed. Other values stay. */
export function mapSchemas(
  keyword: string,
  value: unknown,
  change: (schema: unknown, name?: string) => unknown,
): unknown {
  if (schemaKeywords.includes(keyword)) return change(value);
  if (schemaListKeywords.includes(keyword)) return elementsOf(value).map((one) => change(one));
  return schemaMapKeywords.includes(keyword) ? mapMembers(value, change) : value;
}

/** The schemas that are the value of a keyword, or in it. */
export function schemasIn(keyword: string, value: unknown): readonly unknown[] {
  if (schemaKeywords.includes(keyword)) return [value];
  if (schemaListKeywords.includes(keyword)) return elementsOf(value);
  return schemaMapKeywords.includes(keyword) ? membersOf(value).map(([, schema]) => schema) : [];
}

/** Fields of OpenAPI objects and schemas whose keys are names (OpenAPI 3.1.1, section 4.8). */
export const nameMaps: ReadonlySet<string> = new Set([
  ...["paths", "webhooks", "content", "headers", "callbacks", "variables", "encoding"],
  ...["schemas", "responses", "parameters", "requestBodies", "securitySchemes", "pathItems"],
  ...schemaMapKeywords,
]);

/** Fields that contain values, in which `$ref` is an ordinary name. */
export const valueFields: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "value"]);

/** Fields that contain data instead of parts of the description, and links, which are ignored here. */
export const dataFields: ReadonlySet<string> = new Set([
  ...[...valueFields, "required", "dependentRequired", "mapping", "security", "links"],
]);

/** Keywords that determine the type of a value, or limit its members or elements. */
const typeKeywords = new Set([
  ...["$ref", "$dynamicRef", "type", "const", "enum", "not", "if", "contains", "items", ...schemaListKeywords],
  ...["properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"],
  ...["required", "dependentRequired", "dependentSchemas", "minProperties", "maxProperties"],
  ...["unevaluatedItems", "minItems", "maxItems", "uniqueItems"],
]);

/** Returns whether a schema allows any type, so that the type of a value is unknown. */
export function isUntyped(schema: object): boolean {
  return Object.entries(schema).every(([keyword, value]) => value === undefined || !typeKeywords.has(keyword));
}
