/** The keywords of JSON Schema 2020-12 whose value is a schema. */
export const schemaKeywords: readonly string[] = [
  ...["items", "contains", "unevaluatedItems", "additionalProperties", "unevaluatedProperties", "propertyNames"],
  ...["not", "if", "then", "else", "contentSchema"],
];

/** Those whose value has a schema under each key, which is a name. */
export const schemaMapKeywords: readonly string[] = ["properties", "patternProperties", "dependentSchemas", "$defs"];

/** Those whose value is a list of schemas. */
export const schemaListKeywords: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/** Fields of OpenAPI objects and schemas whose members have names for keys (OpenAPI 3.1.1, section 4.8). */
export const nameMaps: ReadonlySet<string> = new Set([
  ...["paths", "webhooks", "content", "headers", "callbacks", "variables", "encoding"],
  ...["schemas", "responses", "parameters", "requestBodies", "securitySchemes", "pathItems"],
  ...schemaMapKeywords,
]);

/** Fields that hold values, in which `$ref` is a name like any other. */
export const valueFields: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "value"]);

/** Fields that hold data, in which nothing is part of the description, and links, which nothing here reads. */
export const dataFields: ReadonlySet<string> = new Set([
  ...[...valueFields, "required", "dependentRequired", "mapping", "security", "links"],
]);

/** Keywords that say what kind of value is expected, or limit what its members or elements may be. */
const typeKeywords = new Set([
  ...["$ref", "$dynamicRef", "type", "const", "enum", "not", "if", "contains", "items", ...schemaListKeywords],
  ...["properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"],
  ...["required", "dependentRequired", "dependentSchemas", "minProperties", "maxProperties"],
  ...["unevaluatedItems", "minItems", "maxItems", "uniqueItems"],
]);

/** Tells whether a schema allows any kind of value, so that the type of the value is unknown. */
export function isUntyped(schema: object): boolean {
  return Object.entries(schema).every(([keyword, value]) => value === undefined || !typeKeywords.has(keyword));
}
