import { isObject } from "../../spec/json.ts";

/** Keywords that do not restrict a value. */
const annotation = /^(?:x-.*|\$schema|\$comment|title|description|deprecated|readOnly|writeOnly)$/;

/** Whether every value is valid. */
export function saysNothing(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every((keyword) => annotation.test(keyword)));
}

/**
 * The schema in a form that json-schema-faker 0.5.8 can use. It fails on `true`, and takes a schema that says nothing for
 * the value itself: both become `{}`, which is the mock's value for whatever is not specified.
 */
export function generatorSchema(schema: unknown): unknown {
  if (saysNothing(schema)) return { const: {} };
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      switch (keyword) {
        case "properties":
        case "patternProperties":
          return [keyword, mapValues(asObject(value))];
        case "allOf":
        case "anyOf":
        case "oneOf":
        case "prefixItems":
          return [keyword, Array.isArray(value) ? value.map(generatorSchema) : value];
        case "items":
          return [keyword, generatorSchema(value)];
        case "additionalProperties":
          return [keyword, saysNothing(value) ? true : generatorSchema(value)];
        default:
          return [keyword, value];
      }
    }),
  );
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function mapValues(schemas: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, generatorSchema(schema)]));
}
