import { roundedValues, valueAt } from "../values/json.ts";
import type { SchemaObject } from "../spec/openapi.ts";
import { countOf } from "../values/text.ts";

/** Integers beyond 2^53 lose digits when a description is read. */
export function isRounded(value: unknown): boolean {
  return roundedValues(value).length > 0;
}

/** A limit in words, and the pattern or value at its end: `at least 1`, `matches` and `^a`. */
export interface Constraint {
  /** The keyword that sets the limit. */
  readonly keyword: string;
  readonly words: string;
  readonly code?: string;
}

/** Keywords that limit a value, and those limits in words. */
const limits = Object.entries({
  minimum: (value: string) => `at least ${value}`,
  exclusiveMinimum: (value: string) => `more than ${value}`,
  maximum: (value: string) => `at most ${value}`,
  exclusiveMaximum: (value: string) => `less than ${value}`,
  multipleOf: (value: string) => `a multiple of ${value}`,
  minLength: (value: string) => `at least ${countOf(value, "character")}`,
  maxLength: (value: string) => `at most ${countOf(value, "character")}`,
  minItems: (value: string) => `at least ${countOf(value, "item")}`,
  maxItems: (value: string) => `at most ${countOf(value, "item")}`,
  minProperties: (value: string) => `at least ${countOf(value, "field")}`,
  maxProperties: (value: string) => `at most ${countOf(value, "field")}`,
  contentMediaType: (value: string) => `contains ${value}`,
  contentEncoding: (value: string) => `encoded as ${value}`,
});

/** Patterns that fix the time zone of a date-time. Other patterns can't be put into words completely. */
const zones: ReadonlyMap<string, string> = new Map([
  ["Z$", "UTC, written Z"],
  [String.raw`(Z|\+00:00)$`, "UTC"],
  [String.raw`(Z|[+-]00:00)$`, "UTC"],
]);

function patternConstraint({ format, pattern = "" }: SchemaObject): Constraint {
  const zone = format === "date-time" ? zones.get(pattern) : undefined;
  const keyword = "pattern";
  return zone === undefined ? { keyword, words: "matches", code: pattern } : { keyword, words: zone };
}

/** The limits that a schema sets, also those that are only in its `allOf`, in words. */
export function constraintsOf(schema: SchemaObject): readonly Constraint[] {
  const constraints = [ownConstraints(schema), ...(schema.allOf ?? []).map(ownConstraints)].flat();
  const { uniqueItems, additionalProperties, default: preset } = schema;
  if (uniqueItems === true) constraints.push({ keyword: "uniqueItems", words: "no item twice" });
  if (additionalProperties === false) constraints.push({ keyword: "additionalProperties", words: "no other fields" });
  if (preset !== undefined) {
    const words = isRounded(preset) ? "default (may be rounded)" : "default";
    constraints.push({ keyword: "default", words, code: JSON.stringify(preset) });
  }
  return constraints;
}

function ownConstraints(schema: SchemaObject): readonly Constraint[] {
  const constraints: Constraint[] = [];
  for (const [keyword, describe] of limits) {
    const value = valueAt(schema, [keyword]);
    if (typeof value === "number" || typeof value === "string")
      constraints.push({ keyword, words: describe(isRounded(value) ? `about ${value}` : String(value)) });
  }
  if (schema.discriminator !== undefined) {
    const words = `${schema.discriminator.propertyName} tells which alternative it is`;
    constraints.push({ keyword: "discriminator", words });
  }
  if (schema.pattern !== undefined) constraints.push(patternConstraint(schema));
  return constraints;
}
