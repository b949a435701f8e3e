import type { SchemaObject } from "./openapi.ts";

/** The limits that a schema sets to a value, each in words: `at least 1`. */
export function constraintsOf(schema: SchemaObject): readonly string[] {
  const limits: readonly (readonly [value: unknown, words: (value: string) => string])[] = [
    [schema.minimum, (value) => `at least ${value}`],
    [schema.exclusiveMinimum, (value) => `more than ${value}`],
    [schema.maximum, (value) => `at most ${value}`],
    [schema.exclusiveMaximum, (value) => `less than ${value}`],
    [schema.multipleOf, (value) => `a multiple of ${value}`],
    [schema.minLength, (value) => `at least ${plural(value, "character")}`],
    [schema.maxLength, (value) => `at most ${plural(value, "character")}`],
    [schema.pattern, (value) => `matches ${value}`],
    [schema.minItems, (value) => `at least ${plural(value, "item")}`],
    [schema.maxItems, (value) => `at most ${plural(value, "item")}`],
    [schema.minProperties, (value) => `at least ${value} properties`],
    [schema.maxProperties, (value) => `at most ${value} properties`],
    [schema.contentMediaType, (value) => `contains ${value}`],
    [schema.contentEncoding, (value) => `encoded as ${value}`],
    [schema.discriminator?.propertyName, (value) => `${value} tells which alternative it is`],
  ];
  const phrases = limits.flatMap(([value, words]) =>
    typeof value === "string" || typeof value === "number" ? [words(String(value))] : [],
  );
  return [
    ...phrases,
    ...(schema.uniqueItems === true ? ["no item twice"] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

function plural(count: string, noun: string): string {
  return `${count} ${noun}${count === "1" ? "" : "s"}`;
}
