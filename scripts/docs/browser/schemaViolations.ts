import type { SchemaViolation } from "../../exchange/schema/run.ts";
import { isDigits } from "../../values/text.ts";
import { getOrCreate } from "../../values/collections.ts";
import { findViolations, unlessUnusable } from "../../exchange/validator.ts";
import { isObject, jsonPointer, pointerKeys, stringsOf } from "../../values/json.ts";
import type { OpenApiDocument } from "../../spec/openapi.ts";
import type { Definitions, PlainSchema } from "../model/schemaSubset.ts";

interface Check {
  readonly schema: PlainSchema;
  readonly definitions: Definitions;
  readonly value: unknown;
  /** The name of the whole value in messages. */
  readonly subject: string;
}

interface PlaceViolation {
  /** JSON Pointer (RFC 6901) to the place. */
  readonly pointer: string;
  /** A sentence. */
  readonly message: string;
}

/**
 * The violations of a schema (JSON Schema 2020-12) in a value, at most one for each place. If there are none, but the
 * value can't be checked, returns the reason.
 */
export function schemaViolations({ schema, definitions, value, subject }: Check): readonly PlaceViolation[] {
  const task = { document: documentOf(definitions), oneWay: "writeOnly" } as const;
  return unlessUnusable(
    () => {
      const { violations, place } = findViolations(schema, value, task);
      return placeViolations(violations.length === 0 && place !== undefined ? [place] : violations, subject);
    },
    (reason) => [{ pointer: "", message: `${subject} can't be checked: ${reason}.` }],
  );
}

/** Violations as sentences, at most one for each place. Leaves out missing fields if they may be missing. */
export function placeViolations(
  violations: readonly SchemaViolation[],
  subject: string,
  mayLack = false,
): readonly PlaceViolation[] {
  const ruleAt = new Map<string, string>();
  for (const violation of violations.flatMap(causesOf)) {
    if (mayLack && isAbsence(violation)) continue;
    const pointer = violation.pointer + jsonPointer(stringsOf([violation.property]));
    if (!ruleAt.has(pointer)) ruleAt.set(pointer, ruleOf(violation));
  }
  const nameOf = (pointer: string) => (pointer === "" ? subject : fieldPath(pointer));
  return Array.from(ruleAt, ([pointer, rule]) => ({ pointer, message: `${nameOf(pointer)} ${rule}.` }));
}

/** The required fields that a value lacks, as paths. */
export function missingFields(violations: readonly SchemaViolation[]): readonly string[] {
  const absences = violations.flatMap(causesOf).filter(isAbsence);
  const missing = absences.flatMap(({ pointer, expected, value: object }) => {
    const names = stringsOf(expected).filter((name) => !(isObject(object) && Object.hasOwn(object, name)));
    return names.map((name) => fieldPath(pointer + jsonPointer([name])));
  });
  return [...new Set(missing)];
}

/** Checks whether a violation is a missing field. */
function isAbsence({ keyword }: SchemaViolation): boolean {
  return keyword === "required";
}

const documents = new WeakMap<Definitions, OpenApiDocument>();

/** The document that references to definitions are resolved in. It is cached, so schemas are prepared only once. */
export function documentOf(definitions: Definitions): OpenApiDocument {
  const info = { title: "", version: "" };
  return getOrCreate(documents, definitions, () => ({ openapi: "3.1.1", info, ...{ $defs: definitions } }));
}

/** The violations that explain why a value matches no alternative: those of the closest one. */
function causesOf(violation: SchemaViolation): readonly SchemaViolation[] {
  const { alternatives = [], pointer } = violation;
  const causes = alternatives.map((violations) => violations.flatMap(causesOf));
  const distanceOf = (violations: readonly SchemaViolation[]) => distanceFrom(pointer, violations);
  const [first, second] = causes.sort((a, b) => distanceOf(a) - distanceOf(b));
  const isClosest = first !== undefined && (second === undefined || distanceOf(first) < distanceOf(second));
  return isClosest ? first : [violation];
}

/** More than a value has violations. */
const distanceOfWrongKind = 1_000;

/** Constants and types distinguish alternatives: one with another constant or type is less close than any other. */
function distanceFrom(place: string, violations: readonly SchemaViolation[]): number {
  const wrongKinds = violations.filter(
    ({ keyword, pointer }) => keyword === "const" || (keyword === "type" && pointer === place),
  );
  return violations.length + wrongKinds.length * distanceOfWrongKind;
}

function ruleOf({ message, property }: SchemaViolation): string {
  return property === undefined ? message : "isn't allowed";
}

/** A JSON Pointer as people write a path to a field: `data.attendees[0].email`. */
function fieldPath(pointer: string): string {
  const path = pointerKeys(pointer).map((key) => (isDigits(key) ? `[${key}]` : `.${key}`));
  const text = path.join("");
  return text.startsWith(".") ? text.slice(1) : text;
}
