import { Validator, type OutputUnit } from "@cfworker/json-schema";
import { groupBy } from "../../contract/text.ts";
import { pointerKeys } from "../../spec/json.ts";
import { percentDecode } from "../../spec/percentEncoding.ts";
import type { Definitions, PlainSchema } from "../model/schemaSubset.ts";

/** A response may be hostile: more errors than this are not read. */
const maximumErrors = 1_000;

/** Where a value violates a schema (JSON Schema 2020-12), each place once. `subject` names the value as a whole. */
export function schemaViolations(schema: PlainSchema, definitions: Definitions, value: unknown, subject: string) {
  if (schema === true) return [];
  // A copy, because the validator leaves marks in what it is given, which hold for one place only.
  const whole = structuredClone({ ...schema, $defs: definitions });
  const { errors } = new Validator(whole, "2020-12", false).validate(value);
  const causes = causesOf(errors.slice(0, maximumErrors));
  const byPlace = new Map(causes.toReversed().map((error) => [error.instanceLocation, sentenceOf(error)]));
  return [...byPlace].reverse().map(([place, sentence]) => {
    const pointer = percentDecode(place.slice(1)) ?? place.slice(1);
    return { pointer, message: `${pointer === "" ? subject : fieldPath(pointer)}: ${sentence}` };
  });
}

/** Keywords that fail because of what is under them. */
const applicators = new Set([
  ...["$ref", "allOf", "if", "dependentSchemas", "properties", "patternProperties", "additionalProperties"],
  ...["unevaluatedProperties", "propertyNames", "items", "prefixItems", "unevaluatedItems"],
]);

/** The errors that say why, without those of the parts that they are in; of alternatives, those of the closest. */
function causesOf(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const choice = errors.find(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  if (choice === undefined) return errors.filter(({ keyword }) => !applicators.has(keyword));
  const { keyword, keywordLocation, instanceLocation, error: text } = choice;
  const isInside = (error: OutputUnit) =>
    error.keywordLocation.startsWith(`${keywordLocation}/`) &&
    `${error.instanceLocation}/`.startsWith(`${instanceLocation}/`);
  const others = errors.filter((error) => error !== choice && !isInside(error));
  const inside = groupBy(
    errors.filter(isInside),
    (error) => error.keywordLocation.slice(keywordLocation.length).split("/")[1],
  );
  const [first = [choice], second] = [...inside.values()].map(causesOf).sort((a, b) => distanceOf(a) - distanceOf(b));
  const isClosest = second === undefined || distanceOf(first) < distanceOf(second);
  const matchesSeveral = keyword === "oneOf" && !text.includes("(0 matches)");
  return [...causesOf(others), ...(isClosest && !matchesSeveral ? first : [choice])];
}

/** A constant tells alternatives apart: one with another constant is further away than any with other errors. */
function distanceOf(errors: readonly OutputUnit[]): number {
  return errors.length + errors.filter(({ keyword }) => keyword === "const").length * maximumErrors;
}

function sentenceOf({ keyword, error }: OutputUnit): string {
  if (keyword === "not") return "The contract does not allow this.";
  if (keyword === "anyOf") return "The value matches no alternative.";
  if (keyword === "oneOf") return "The value does not match exactly one alternative.";
  return error.replace(/^Instance (?=type)/, "The ").replace(/^Instance/, "The value");
}

/** A JSON Pointer as people write the way to a field: `data.attendees[0].email`. */
function fieldPath(pointer: string): string {
  return pointerKeys(pointer)
    .map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join("");
}
