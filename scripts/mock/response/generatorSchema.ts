import { isObject } from "../../spec/json.ts";

/** Keywords that do not restrict a value. */
const annotation = /^(?:x-.*|\$schema|\$comment|title|description|deprecated|readOnly|writeOnly)$/;

/** Tells whether every value is valid. */
export function saysNothing(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every((keyword) => annotation.test(keyword)));
}

const schemaMaps = new Set(["properties", "patternProperties"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

/**
 * The schema in a form that json-schema-faker 0.5.8 can use. It fails on `true`, and takes a schema that says nothing for
 * the value itself: both become `{}`, which is the mock's value for whatever is not specified.
 */
export function generatorSchema(schema: unknown): unknown {
  if (saysNothing(schema)) return { const: {} };
  return mapMembers(schema, (value, keyword) => {
    if (schemaMaps.has(keyword)) return mapMembers(value, generatorSchema);
    if (schemaLists.has(keyword) && Array.isArray(value)) return value.map(generatorSchema);
    if (keyword === "additionalProperties") return saysNothing(value) || generatorSchema(value);
    return keyword === "items" ? generatorSchema(value) : value;
  });
}

function mapMembers(value: unknown, change: (member: unknown, name: string) => unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
