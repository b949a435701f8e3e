import type { Parameter } from "../contract/generation.ts";
import { isObject, pointerKeys } from "../spec/json.ts";
import { resolveSchema, type OpenApiDocument } from "../spec/openapi.ts";
import { schemasAlong } from "../spec/schemas.ts";
import { listedViolations, wholeBody, type Violation } from "./refusal.ts";
import { shorten, isCredentialName } from "./secrets.ts";
import type { SchemaViolation, Verdict } from "./validator.ts";

/** A parameter that is missing although it is required. */
export function missingParameter(parameter: Parameter, document: OpenApiDocument): Violation {
  const { const: only, enum: some, type } = resolveSchema(document, parameter.schema);
  const expected = only ?? some ?? type;
  const rule = expected === undefined ? "" : `, and ${requirement(expected === type ? "type" : "enum", expected)}`;
  const message = `${describeParameter(parameter)} is required${rule}.`;
  return { ...placeOf(parameter), message, ...(expected !== undefined && { expected }) };
}

/** Describes what is wrong with a parameter, which was sent as `sent`. */
export function parameterViolations(
  parameter: Parameter,
  violations: readonly SchemaViolation[],
  sent: unknown,
  document: OpenApiDocument,
): readonly Violation[] {
  const listed = violations.slice(0, listedViolations);
  return listed.map((violation) => {
    const { pointer } = violation;
    const where = describeParameter(parameter);
    const received = { ...violation, value: pointer === "" ? (sent ?? violation.value) : violation.value };
    const isSecret = isCredentialName(parameter.name) || isHidden(violation, listed, parameter.schema, document);
    const place = pointer === "" ? where : `${shorten(pointer)} in ${where.replace("T", "t")}`;
    return { ...placeOf(parameter), ...describe(place, received, isSecret) };
  });
}

/** Describes what is wrong with a body. */
export function bodyViolations({ violations, isPartial }: Verdict, schema: unknown, document: OpenApiDocument) {
  const listed = violations.slice(0, listedViolations);
  const described = listed.map((violation): Violation => {
    const { pointer } = violation;
    const where = pointer === "" ? "The body" : `${shorten(pointer, 200)} in the body`;
    const isSecret = isHidden(violation, listed, schema, document);
    return { in: "body", pointer: shorten(pointer, 1_000), ...describe(where, violation, isSecret) };
  });
  // Each alternative of an anyOf may find the same.
  const distinct = [...new Map(described.map((violation) => [violation.message, violation])).values()];
  const rest = violations.length - listed.length;
  if (isPartial && listed.length > 0) distinct.push({ ...wholeBody, message: partial });
  else if (rest > 0) distinct.push({ ...wholeBody, message: `The body has at least ${rest} more problems.` });
  return distinct;
}

const partial = "The body may have more problems: of one that takes long to validate, only the first is found.";

/**
 * Tells whether a value may be a secret: by a name on the way to it, by the schemas there, and a text that was sent for an
 * object or an array.
 */
function isHidden(
  { pointer, value }: SchemaViolation,
  violations: readonly SchemaViolation[],
  schema: unknown,
  document: OpenApiDocument,
): boolean {
  const keys = pointerKeys(pointer);
  const types = violations.filter((one) => one.pointer === pointer && one.keyword === "type");
  return (
    keys.some(isCredentialName) ||
    schemasAlong(document, schema, keys).some(({ format, writeOnly }) => format === "password" || writeOnly === true) ||
    (typeof value === "string" && types.some(({ expected }) => /^(?:array|object|null|,)+$/.test(String(expected))))
  );
}

function placeOf({ in: place, name }: Parameter): Pick<Violation, "in" | "name"> {
  return { in: place === "header" || place === "path" ? place : "query", name };
}

function describeParameter({ in: place, name }: Parameter): string {
  return place === "header" ? `The ${name} header` : `The ${place} parameter ${name}`;
}

function describe(where: string, { keyword, expected, value, message }: SchemaViolation, isSecret: boolean) {
  const received = value === undefined || isSecret ? undefined : shortJson(value);
  const rule = requirement(keyword, expected) ?? inWords(message);
  return {
    message: `${where} ${rule}${received === undefined || keyword === "required" ? "" : `; received ${received}`}.`,
    ...(isTelling(expected) && { expected }),
    ...(received !== undefined && { received }),
  };
}

/** A value as JSON in a few characters; of a list or an object only what it is. */
function shortJson(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : JSON.stringify(typeof value === "string" ? shorten(value) : value);
}

/** Tells whether a keyword's value says what would be right: a number or a list of names does, a list of schemas does not. */
function isTelling(keyword: unknown): boolean {
  return keyword !== undefined && keyword !== false && ![keyword].flat().some(isObject);
}

/** The requirement of a keyword whose message from ajv does not name it; `undefined` for any other. */
function requirement(keyword: string, value: unknown): string | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (keyword === "type") return `must be ${values.map(withArticle).join(" or ")}`;
  if (keyword !== "const" && keyword !== "enum") return undefined;
  const literals = values.map((literal) => JSON.stringify(literal));
  return literals.length === 1 ? `must be ${literals.join()}` : `must be one of ${literals.join(", ")}`;
}

/** A message from ajv without signs and capitals. */
function inWords(message: string): string {
  return message
    .replace("must NOT", "must not")
    .replace("must be >=", "must be at least")
    .replace("must be <=", "must be at most")
    .replace("must be >", "must be more than")
    .replace("must be <", "must be less than");
}

function withArticle(type: unknown): string {
  const name = String(type);
  if (name === "null") return name;
  return /^[aio]/.test(name) ? `an ${name}` : `a ${name}`;
}
