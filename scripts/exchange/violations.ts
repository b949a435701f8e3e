import type { Parameter } from "../contract/generation.ts";
import { isObject, pointerKeys } from "../values/json.ts";
import { resolveSchema, type OpenApiDocument } from "../spec/openapi.ts";
import { listedValues, schemasAlong } from "../spec/schemas.ts";
import { listedViolations, sentenceOn, wholeBody } from "./refusal.ts";
import type { FoundViolation, Violation } from "./requestViolation.ts";
import { isCredentialName, isSecretSchema, maskAndCut } from "./secrets.ts";
import type { SchemaViolation } from "./schema/run.ts";
import { requireTypes, requireValues } from "./schema/valueWords.ts";
import type { Verdict } from "./validator.ts";

/** The schema of a violation, and the document that its references lead into. */
interface Described {
  readonly schema: unknown;
  readonly document: OpenApiDocument;
}

/** A violation in words, with details for programs. */
export interface WordedViolation {
  /** The violated keyword. */
  readonly code: string;
  /** The place of the violation, such as `/name in the body`. */
  readonly place: string;
  /** Continues the sentence: `must be a string`. */
  readonly rule: string;
  /** The keyword's value, if it describes valid values. */
  readonly expected?: unknown;
  /** The received value as short JSON text. Absent if nothing was received, or if the value may be secret. */
  readonly received?: string;
  /** True if the violation is an absence, so the received value is irrelevant. */
  readonly isAbsence: boolean;
}

/** Names a place, given as a JSON Pointer, to begin a sentence. */
export type NamePlace = (pointer: string) => string;

/** A required parameter that is missing. */
export function missingParameter(parameter: Parameter, document: OpenApiDocument): FoundViolation {
  const { schema } = parameter;
  const { const: only, enum: some, type } = resolveSchema(document, schema);
  const expected = only ?? some ?? type;
  const values = listedValues({ const: only, enum: some });
  const form = values.length === 0 ? requireTypes([type].flat()) : requireValues(values);
  const rule = `is required${expected === undefined ? "" : `, and ${form}`}`;
  return {
    code: "required",
    ...placeOf(parameter),
    ...sentenceOn(nameParameter(parameter), rule),
    ...(expected !== undefined && { expected }),
  };
}

/** Describes the violations in a parameter. `sent` is its text in the request. */
export function parameterViolations(
  parameter: Parameter,
  violations: readonly SchemaViolation[],
  sent: unknown,
  document: OpenApiDocument,
): readonly FoundViolation[] {
  const listed = violations.slice(0, listedViolations);
  const described = { schema: parameter.schema, document };
  const namePlace = (pointer: string) =>
    pointer === "" ? nameParameter(parameter) : `${maskAndCut(pointer)} in ${nameParameter(parameter, "the")}`;
  return listed.map((violation) => {
    const received = violation.pointer === "" ? (sent ?? violation.value) : violation.value;
    const isSecret =
      parameter.in === "cookie" || isCredentialName(parameter.name) || isHidden(violation, listed, described);
    const worded = wordViolation({ ...violation, value: received }, namePlace, isSecret);
    return { ...placeOf(parameter), ...forPrograms(worded) };
  });
}

/** Puts the violations in a body into words, with secrets masked. */
export function wordViolations(violations: readonly SchemaViolation[], described: Described, namePlace = nameInBody) {
  return violations.map((violation) => wordViolation(violation, namePlace, isHidden(violation, violations, described)));
}

/** Describes the violations in a body. */
export function bodyViolations(
  { violations, isPartial }: Verdict,
  described: Described,
  namePlace: NamePlace = nameInBody,
): readonly FoundViolation[] {
  const listed = violations.slice(0, listedViolations);
  const worded = wordViolations(listed, described, namePlace);
  // Alternatives of an anyOf may report the same violation.
  const distinct = new Map<string, FoundViolation>();
  for (const [index, { pointer }] of listed.entries()) {
    const one = worded[index];
    if (one === undefined) continue;
    const violation: FoundViolation = { in: "body", pointer: maskAndCut(pointer, 1_000), ...forPrograms(one) };
    distinct.set(violation.message, violation);
  }
  const rest = violations.length - listed.length;
  const found = [...distinct.values()];
  if (rest > 0) found.push(furtherViolations(`has at least ${rest} more problems`, rest));
  else if (isPartial && listed.length > 0)
    found.push(furtherViolations("may have more problems: it takes too long to validate the rest of it", 0));
  return found;
}

function furtherViolations(rule: string, more: number): FoundViolation {
  return { code: "more", ...wholeBody, ...sentenceOn("The body", rule), more };
}

function nameInBody(pointer: string): string {
  return pointer === "" ? "The body" : `${maskAndCut(pointer, 200)} in the body`;
}

/**
 * Returns whether a value may be secret. Checks the names that lead to it, its schemas, and text in place of
 * an object or an array.
 */
function isHidden(
  { pointer, value }: SchemaViolation,
  violations: readonly SchemaViolation[],
  { schema, document }: Described,
): boolean {
  const keys = pointerKeys(pointer);
  if (keys.some(isCredentialName)) return true;
  if (schemasAlong(document, schema, keys).some(isSecretSchema)) return true;
  if (typeof value !== "string") return false;
  const types = violations.filter((one) => one.pointer === pointer && one.keyword === "type");
  return types.some(({ expected }) => hasNoScalar(String(expected)));
}

/** Returns whether all types in a list such as `array,null` are an object, an array or `null`. */
function hasNoScalar(types: string): boolean {
  return types.split(",").every((type) => ["array", "object", "null"].includes(type));
}

function placeOf({ in: place, name }: Parameter): Pick<Violation, "in" | "name"> {
  return { in: place === "header" || place === "path" || place === "cookie" ? place : "query", name };
}

function nameParameter({ in: place, name }: Parameter, article: "The" | "the" = "The"): string {
  const isField = place === "header" || place === "cookie";
  return isField ? `${article} ${name} ${place}` : `${article} ${place} parameter ${name}`;
}

function wordViolation(
  { pointer, keyword, expected, value, message }: SchemaViolation,
  namePlace: NamePlace,
  isSecret: boolean,
): WordedViolation {
  return {
    code: keyword,
    place: namePlace(pointer),
    rule: message,
    isAbsence: keyword === "required",
    ...(isTelling(expected) && { expected }),
    ...(value !== undefined && !isSecret && { received: shortJson(value) }),
  };
}

function forPrograms({ isAbsence, ...worded }: WordedViolation) {
  const { place, rule, received } = worded;
  const came = received === undefined || isAbsence ? "" : `; received ${received}`;
  return { ...sentenceOn(place, rule, came), ...worded };
}

/** A value as short JSON. For a list or an object, only its type. */
function shortJson(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : JSON.stringify(typeof value === "string" ? maskAndCut(value) : value);
}

/**
 * Returns whether a keyword's value describes valid values. A number or a list of names does, and a list of
 * schemas doesn't.
 */
function isTelling(keyword: unknown): boolean {
  return keyword !== undefined && keyword !== false && ![keyword].flat().some(isObject);
}
