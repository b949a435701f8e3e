import type { SchemaViolation } from "../../exchange/schema/run.ts";
import { recall } from "../../contract/text.ts";
import { findViolations, unlessUnusable } from "../../exchange/validator.ts";
import { jsonPointer, pointerKeys, stringsOf } from "../../spec/json.ts";
import type { Definitions, PlainSchema } from "../model/schemaSubset.ts";

/** Where a value violates a schema (JSON Schema 2020-12), each place once. `subject` names the value as a whole. */
export function schemaViolations(schema: PlainSchema, definitions: Definitions, value: unknown, subject: string) {
  return unlessUnusable(
    () => findPlaces(schema, definitions, value, subject),
    (reason) => [{ pointer: "", message: `${subject} cannot be checked: ${reason}.` }],
  );
}

function findPlaces(schema: PlainSchema, definitions: Definitions, value: unknown, subject: string) {
  const { violations } = findViolations(schema, value, { document: documentOf(definitions), oneWay: "writeOnly" });
  const ruleAt = new Map<string, string>();
  for (const violation of violations.flatMap(causesOf)) {
    const pointer = violation.pointer + jsonPointer(stringsOf([violation.property]));
    if (!ruleAt.has(pointer)) ruleAt.set(pointer, ruleOf(violation));
  }
  return Array.from(ruleAt, ([pointer, rule]) => ({
    pointer,
    message: `${pointer === "" ? subject : fieldPath(pointer)} ${rule}.`,
  }));
}

const documents = new WeakMap<Definitions, object>();

/** A document in which references to definitions lead to them. It's always the same one, for which schemas are prepared once. */
function documentOf(definitions: Definitions): object {
  return recall(documents, definitions, () => ({ $defs: definitions }));
}

/** The violations that say why a value matches none of several alternatives: those of the closest one. */
function causesOf(violation: SchemaViolation): readonly SchemaViolation[] {
  const { alternatives = [] } = violation;
  const causes = alternatives.map((violations) => violations.flatMap(causesOf));
  const [first, second] = causes.sort((a, b) => distanceOf(a) - distanceOf(b));
  const isClosest = first !== undefined && (second === undefined || distanceOf(first) < distanceOf(second));
  return isClosest ? first : [violation];
}

/** A constant tells alternatives apart: one with another constant is further away than any with other violations. */
function distanceOf(violations: readonly SchemaViolation[]): number {
  const wrongConstants = violations.filter(({ keyword }) => keyword === "const");
  return violations.length + wrongConstants.length * 1_000;
}

function ruleOf({ keyword, message, property }: SchemaViolation): string {
  if (property !== undefined) return "must not be there";
  if (keyword === "anyOf") return "must match an alternative";
  if (keyword === "oneOf") return "must match exactly one alternative";
  return message;
}

/** A JSON Pointer as people write the way to a field: `data.attendees[0].email`. */
function fieldPath(pointer: string): string {
  return pointerKeys(pointer)
    .map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join("");
}
