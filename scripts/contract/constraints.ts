import type { SchemaObject } from "../spec/openapi.ts";
import { countOf } from "./text.ts";

/** A limit in words, with the pattern or the value in which they end: `at least 1`, `matches` and `^a`. */
export interface Constraint {
  readonly words: string;
  readonly code?: string;
}

export function constraintsOf(schema: SchemaObject): readonly Constraint[] {
  const limits: readonly (readonly [value: string | number | boolean | undefined, words: (value: string) => string])[] =
    [
      [schema.minimum, (value) => `at least ${value}`],
      [schema.exclusiveMinimum, (value) => `more than ${value}`],
      [schema.maximum, (value) => `at most ${value}`],
      [schema.exclusiveMaximum, (value) => `less than ${value}`],
      [schema.multipleOf, (value) => `a multiple of ${value}`],
      [schema.minLength, (value) => `at least ${countOf(value, "character")}`],
      [schema.maxLength, (value) => `at most ${countOf(value, "character")}`],
      [schema.minItems, (value) => `at least ${countOf(value, "item")}`],
      [schema.maxItems, (value) => `at most ${countOf(value, "item")}`],
      [schema.minProperties, (value) => `at least ${value} properties`],
      [schema.maxProperties, (value) => `at most ${value} properties`],
      [schema.contentMediaType, (value) => `contains ${value}`],
      [schema.contentEncoding, (value) => `encoded as ${value}`],
      [schema.discriminator?.propertyName, (value) => `${value} tells which alternative it is`],
      [schema.uniqueItems === true ? true : undefined, () => "no item twice"],
    ];
  return [
    ...limits.flatMap(([value, words]) => (value === undefined ? [] : [{ words: words(String(value)) }])),
    ...(schema.pattern === undefined ? [] : [{ words: "matches", code: schema.pattern }]),
    ...(schema.default === undefined ? [] : [{ words: "default", code: JSON.stringify(schema.default) }]),
  ];
}
