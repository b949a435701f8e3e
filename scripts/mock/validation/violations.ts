import { resolveSchema, type Parameter } from "../../contract/generation.ts";
import { pointerKeys } from "../../spec/jsonPointer.ts";
import { isObject } from "../../spec/json.ts";
import { type OpenApiDocument } from "../../spec/openapi.ts";
import { wholeBody, type Violation } from "../response/refusal.ts";
import { shorten } from "../secrets.ts";
import { isCredentialName } from "../secrets.ts";
import { schemasAlong } from "./subschemas.ts";
import type { SchemaFault, Verdict } from "./validator.ts";

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
  faults: readonly SchemaFault[],
  sent: unknown,
  document: OpenApiDocument,
): Violation[] {
  return faults.map((fault) => {
    const { pointer } = fault;
    const where = describeParameter(parameter);
    const received = { ...fault, value: pointer === "" ? (sent ?? fault.value) : fault.value };
    const isSecret = isCredentialName(parameter.name) || isHidden(fault, faults, parameter.schema, document);
    const place = pointer === "" ? where : `${shorten(pointer)} in ${where.replace("T", "t")}`;
    return { ...placeOf(parameter), ...describe(place, received, isSecret) };
  });
}

/** Describes what is wrong with a body. */
export function bodyViolations(
  { faults, total }: Verdict,
  schema: unknown,
  document: OpenApiDocument,
): readonly Violation[] {
  const listed = faults.map((fault): Violation => {
    const { pointer } = fault;
    const where = pointer === "" ? "The body" : `${shorten(pointer, 200)} in the body`;
    const isSecret = isHidden(fault, faults, schema, document);
    return { in: "body", pointer: shorten(pointer, 1_000), ...describe(where, fault, isSecret) };
  });
  // Each alternative of an anyOf may find the same.
  const distinct = new Map(listed.map((violation) => [violation.message, violation]));
  const rest = total - listed.length;
  if (rest > 0) distinct.set("", { ...wholeBody, message: `The body has at least ${rest} more problems.` });
  return [...distinct.values()];
}

/**
 * Whether a value may be a secret: by a name on the way to it, by the schemas there, and a text that was sent for an
 * object or an array.
 */
function isHidden(
  { pointer, value }: SchemaFault,
  faults: readonly SchemaFault[],
  schema: unknown,
  document: OpenApiDocument,
): boolean {
  const keys = pointerKeys(pointer);
  return (
    keys.some(isCredentialName) ||
    schemasAlong(schema, keys, document).some(({ format, writeOnly }) => format === "password" || writeOnly === true) ||
    (typeof value === "string" &&
      faults.some((fault) => fault.pointer === pointer && fault.keyword === "type" && isContainer(fault.expected)))
  );
}

/** Whether nothing but arrays and objects are of a type. */
function isContainer(types: unknown): boolean {
  return [types].flat().every((type) => type === "array" || type === "object" || type === "null");
}

function placeOf({ in: place, name }: Parameter): Pick<Violation, "in" | "name"> {
  return { in: place === "header" || place === "path" ? place : "query", name };
}

function describeParameter({ in: place, name }: Parameter): string {
  return place === "header" ? `The ${name} header` : `The ${place} parameter ${name}`;
}

function describe(
  where: string,
  { keyword, expected, value, message }: SchemaFault,
  isSecret: boolean,
): Pick<Violation, "expected" | "message" | "received"> {
  const received = value === undefined || isSecret ? undefined : shortJson(value);
  const rule = requirement(keyword, expected) ?? message;
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

/** Whether a keyword's value tells what would be right: a number or a list of names does, a list of schemas does not. */
function isTelling(keyword: unknown): boolean {
  return Array.isArray(keyword)
    ? !keyword.some(isObject)
    : keyword !== undefined && keyword !== false && !isObject(keyword);
}

/** What the keywords ask for whose messages from ajv do not name it; `undefined` for any other. */
function requirement(keyword: string, value: unknown): string | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (keyword === "type") return `must be ${values.map(withArticle).join(" or ")}`;
  if (keyword !== "const" && keyword !== "enum") return undefined;
  const literals = values.map((literal) => JSON.stringify(literal));
  return literals.length === 1 ? `must be ${literals.join()}` : `must be one of ${literals.join(", ")}`;
}

function withArticle(type: unknown): string {
  const name = String(type);
  if (name === "null") return name;
  return /^[aio]/.test(name) ? `an ${name}` : `a ${name}`;
}
