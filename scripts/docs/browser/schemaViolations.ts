import type { SchemaViolation } from "../../exchange/schema/run.ts";
import { isDigits, recall } from "../../contract/text.ts";
import { findViolations, unlessUnusable } from "../../exchange/validator.ts";
import { isObject, jsonPointer, pointerKeys, stringsOf } from "../../spec/json.ts";
import type { Definitions, PlainSchema } from "../model/schemaSubset.ts";

interface Check {
  readonly schema: PlainSchema;
  readonly definitions: Definitions;
  readonly value: unknown;
  /** Names the value as a whole. */
  readonly subject: string;
  /** True if it is no violation when a field is missing. */
  readonly mayLack: boolean;
}

/** Where a value violates a schema (JSON Schema 2020-12), each place once. */
export function schemaViolations(check: Check) {
  return unlessUnusable(
    () => findPlaces(check),
    (reason) => [{ pointer: "", message: `${check.subject} cannot be checked: ${reason}.` }],
  );
}

/** The fields that a value lacks and its schema requires, each with the way to it. */
export function missingFields(schema: PlainSchema, definitions: Definitions, value: unknown): readonly string[] {
  const causes = unlessUnusable(
    () => findCauses(schema, definitions, value),
    () => [],
  );
  const missing = causes.filter(isAbsence).flatMap(({ pointer, expected, value: object }) => {
    const names = stringsOf(expected).filter((name) => !(isObject(object) && Object.hasOwn(object, name)));
    return names.map((name) => fieldPath(pointer + jsonPointer([name])));
  });
  return [...new Set(missing)];
}

/** Tells whether a field is missing. */
function isAbsence({ keyword }: SchemaViolation): boolean {
  return keyword === "required";
}

function findCauses(schema: PlainSchema, definitions: Definitions, value: unknown): readonly SchemaViolation[] {
  const { violations } = findViolations(schema, value, { document: documentOf(definitions), oneWay: "writeOnly" });
  return violations.flatMap(causesOf);
}

function findPlaces({ schema, definitions, value, subject, mayLack }: Check) {
  const ruleAt = new Map<string, string>();
  for (const violation of findCauses(schema, definitions, value)) {
    if (mayLack && isAbsence(violation)) continue;
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
export function documentOf(definitions: Definitions): object {
  return recall(documents, definitions, () => ({ $defs: definitions }));
}

/** The violations that say why a value matches none of several alternatives: those of the closest one. */
function causesOf(violation: SchemaViolation): readonly SchemaViolation[] {
  const { alternatives = [], pointer } = violation;
  const causes = alternatives.map((violations) => violations.flatMap(causesOf));
  const distanceOf = (violations: readonly SchemaViolation[]) => distanceFrom(pointer, violations);
  const [first, second] = causes.sort((a, b) => distanceOf(a) - distanceOf(b));
  const isClosest = first !== undefined && (second === undefined || distanceOf(first) < distanceOf(second));
  return isClosest ? first : [violation];
}

/** Constants and types tell alternatives apart: one with another constant or type is further away than any other. */
function distanceFrom(place: string, violations: readonly SchemaViolation[]): number {
  const wrongKinds = violations.filter(
    ({ keyword, pointer }) => keyword === "const" || (keyword === "type" && pointer === place),
  );
  return violations.length + wrongKinds.length * 1_000;
}

function ruleOf({ keyword, message, property }: SchemaViolation): string {
  if (property !== undefined) return "must not be there";
  if (keyword === "anyOf") return "must match an alternative";
  if (keyword === "oneOf") return "must match exactly one alternative";
  return message;
}

/** A JSON Pointer as people write the way to a field: `data.attendees[0].email`. */
function fieldPath(pointer: string): string {
  const path = pointerKeys(pointer).map((key) => (isDigits(key) ? `[${key}]` : `.${key}`));
  const text = path.join("");
  return text.startsWith(".") ? text.slice(1) : text;
}
