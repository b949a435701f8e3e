/** Fields whose members have names for keys, not fields (OpenAPI 3.1.1, section 4.8; JSON Schema 2020-12). */
export const nameMaps = new Set([
  ...["paths", "webhooks", "content", "headers", "callbacks", "links", "variables", "encoding"],
  ...["schemas", "responses", "parameters", "requestBodies", "securitySchemes", "pathItems"],
  ...["properties", "patternProperties", "$defs", "dependentSchemas"],
]);

/** Fields that hold data, in which nothing is part of the description. */
export const dataFields = new Set("const default enum example examples mapping required security value".split(" "));

/** Keywords that say what kind of value is expected, or limit what its members or elements may be. */
const typeKeywords = [
  ...["$ref", "$dynamicRef", "type", "const", "enum", "allOf", "anyOf", "oneOf", "not", "if"],
  ...["properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"],
  ...["required", "dependentRequired", "dependentSchemas", "minProperties", "maxProperties"],
  ...["items", "prefixItems", "contains", "unevaluatedItems", "minItems", "maxItems", "uniqueItems"],
];

/** Tells whether a schema allows any kind of value, so that the type of the value is unknown. */
export function isUntyped(schema: Readonly<Record<string, unknown>>): boolean {
  return typeKeywords.every((keyword) => schema[keyword] === undefined);
}
