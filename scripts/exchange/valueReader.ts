import type { OpenApiDocument } from "../spec/openapi.ts";
import { applicableSchemas, propertySchemas, typesOf } from "../spec/schemas.ts";
import type { SchemaViolation } from "./schema/run.ts";
import { createValidator } from "./validator.ts";

/** A value that was read from text, and its violations. */
export interface ReadValue {
  readonly value: unknown;
  readonly violations: readonly SchemaViolation[];
}

/** Text split by a style. */
export type Parts = string | readonly Parts[] | { readonly [name: string]: Parts };

/** How a style splits the text of a value. */
export interface Splitting {
  /** The text of a literal. */
  readonly text: (sent: string) => string;
  /** The items of a list. */
  readonly list: (sent: string | readonly string[]) => readonly string[];
  /** The members of an object, which may be sent under other names. */
  readonly members: (sent: string | readonly string[] | undefined) => Parts | undefined;
}

/** Creates functions that read text as a value with the types in a schema, and validate it. */
export function createValueReader(schema: unknown, document: OpenApiDocument) {
  const validate = createValidator(schema, document);
  const types = allowedTypes(document, schema);
  const hasLiterals = [...types].some((type) => type !== "array" && type !== "object");
  /** The first valid value, or else the first one of an allowed type. */
  const choose = (candidates: readonly unknown[]): ReadValue | undefined => {
    const readings = candidates.map((value) => ({ value, violations: validate(value).violations }));
    const isOfType = ({ violations }: ReadValue) =>
      !violations.some(({ pointer, keyword }) => pointer === "" && keyword === "type");
    return readings.find(({ violations }) => violations.length === 0) ?? readings.find(isOfType) ?? readings.at(-1);
  };
  const read = (sent: string | readonly string[] | undefined, split: Splitting) => {
    const list = sent !== undefined && types.has("array") ? split.list(sent) : undefined;
    const members = types.has("object") ? split.members(sent) : undefined;
    const containers = [list, members].flatMap((parts) =>
      parts === undefined ? [] : [readParts(document, parts, schema)],
    );
    if (sent === undefined || (containers.length > 0 && !hasLiterals)) return choose(containers);
    return choose([...containers, ...(typeof sent === "string" ? readLiterals(split.text(sent), types) : [sent])]);
  };
  return { choose, read };
}

/** The types that a schema allows, if it names any. A text without a type is a string. */
export function allowedTypes(document: OpenApiDocument, schema: unknown): ReadonlySet<string> {
  const types = applicableSchemas(document, schema).flatMap((one) => {
    if (one.type !== undefined) return typesOf(one);
    const values: readonly unknown[] = one.const === undefined ? (one.enum ?? []) : [one.const];
    return values.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value));
  });
  return new Set(types.length === 0 ? ["string"] : types);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The possible values of a text. The text itself if it fits none of the types. */
function readLiterals(text: string, types: ReadonlySet<string>): readonly unknown[] {
  const literals: unknown[] = [];
  const isNumber = (types.has("number") || types.has("integer")) && jsonNumber.test(text);
  if (types.has("string")) literals.push(text);
  if (isNumber && Number.isFinite(Number(text))) literals.push(Number(text));
  if (types.has("boolean") && (text === "true" || text === "false")) literals.push(text === "true");
  if (types.has("null") && (text === "null" || text === "")) literals.push(null);
  return literals.length === 0 ? [text] : literals;
}

/** The value of split text, with the types in its schema. */
export function readParts(document: OpenApiDocument, parts: Parts, schema: unknown): unknown {
  const types = allowedTypes(document, schema);
  if (typeof parts === "string") {
    const literals = readLiterals(parts, types);
    return literals.length === 1 ? literals[0] : createValueReader(schema, document).choose(literals)?.value;
  }
  const combined = applicableSchemas(document, schema);
  const items = combined.find((one) => one.items !== undefined)?.items;
  if (isList(parts)) return parts.map((part) => readParts(document, part, items));
  // Many clients write lists in the style deepObject as `name[0]` or `name[]`.
  if (types.has("array") && !types.has("object")) return readParts(document, Object.values(parts).flat(), schema);
  const properties = propertySchemas(document, schema);
  const others = combined.find((one) => one.additionalProperties !== undefined)?.additionalProperties;
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, readParts(document, part, properties.get(name) ?? others)]),
  );
}

function isList(parts: Parts): parts is readonly Parts[] {
  return Array.isArray(parts);
}
