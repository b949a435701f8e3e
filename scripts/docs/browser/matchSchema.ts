import { Validator, type OutputUnit } from "@cfworker/json-schema";
import { pointerKeys } from "../../spec/jsonPointer.ts";
import { isObject } from "../../spec/json.ts";
import type { Definitions, PlainSchema } from "../model/schemaSubset.ts";

/** A place in a value that is not as a schema says. */
interface Mismatch {
  /** JSON Pointer; "" is the whole value. */
  readonly pointer: string;
  readonly message: string;
}

/** Tells whether a schema allows a value. */
export function matches(schema: PlainSchema, definitions: Definitions, value: unknown): boolean {
  return findMismatches(schema, definitions, value).length === 0;
}

/** Where a value is not as a schema says (JSON Schema 2020-12, with formats), each place once. */
export function findMismatches(schema: PlainSchema, definitions: Definitions, value: unknown): readonly Mismatch[] {
  if (schema === true) return [];
  // A copy, because the validator leaves marks in what it is given, which hold for one place only.
  const whole: Record<string, unknown> = structuredClone({
    ...(isObject(schema) ? schema : { not: {} }),
    $defs: definitions,
  });
  const { errors } = new Validator(whole, "2020-12", false).validate(value);
  const byPlace = new Map<string, string>();
  for (const { instanceLocation, error } of errors.filter((unit) => isCause(unit, errors))) {
    const pointer = decodeFragment(instanceLocation);
    if (!byPlace.has(pointer))
      byPlace.set(pointer, error.replace(/^Instance (?=type)/, "The ").replace(/^Instance/, "The value"));
  }
  return [...byPlace].map(([pointer, message]) => ({ pointer, message }));
}

/** Keywords that fail because of what is under them. */
const applicators = new Set([
  "$ref",
  "allOf",
  "properties",
  "patternProperties",
  "items",
  "prefixItems",
  "if",
  "dependentSchemas",
]);
const choices = new Set(["anyOf", "oneOf", "not"]);

function isCause({ keyword, keywordLocation }: OutputUnit, errors: readonly OutputUnit[]): boolean {
  if (applicators.has(keyword)) return false;
  // Why none of several forms fits is said once.
  return !errors.some((other) => choices.has(other.keyword) && keywordLocation.startsWith(`${other.keywordLocation}/`));
}

/** The JSON Pointer in a URI fragment. */
function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment.replace(/^#/, ""));
  } catch {
    return fragment.replace(/^#/, "");
  }
}

/** A JSON Pointer as people write the way to a field: `data.attendees[0].email`. */
export function fieldPath(pointer: string): string {
  return pointerKeys(pointer)
    .map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join("");
}
