/* Decides by its place in the contract whether a received text may stand in what people share. */
import { getOrCreate } from "../values/collections.ts";
import { isObject, pointerKeys } from "../values/json.ts";
import { unspecifiedOf, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { schemasAt, typesOf } from "../spec/schemas.ts";
import type { SchemaViolation } from "./schema/run.ts";
import { isSecretSchema } from "./secrets.ts";
import { wordViolations, type WordedViolation } from "./violations.ts";

/** In characters. The shortest passcodes have four digits. */
const shortestSecret = 4;

/**
 * Returns whether a received value can't be a secret: it is too short, it stands in the contract, or the contract
 * describes its place as something else than free text. `schemas` are those that may apply to it, none where the contract
 * describes nothing. Lists and objects are judged by their members.
 */
export function isOpenValue(document: object, value: unknown, schemas: readonly SchemaObject[]): boolean {
  if (typeof value !== "string" && typeof value !== "number") return true;
  if (schemas.some(isSecretSchema)) return false;
  if (typeof value === "number" && schemas.length > 0) return true;
  const text = String(value);
  return text.length < shortestSecret || isClosed(document, schemas) || isInContract(document, text);
}

/** Puts a violation in a body into words for a report, without a value that may be a secret. */
export function wordForReport(
  violation: SchemaViolation,
  described: { readonly document: OpenApiDocument; readonly schema: unknown },
): readonly WordedViolation[] {
  const { document, schema } = described;
  const schemas = schemasAt(document, schema, pointerKeys(violation.pointer));
  const isOpen = isOpenValue(document, violation.value, schemas);
  return wordViolations([violation], described).map(({ received, ...worded }) =>
    isOpen && received !== undefined ? { ...worded, received } : worded,
  );
}

/** Formats of any content. */
const openFormats = ["binary", "byte", "password"];

/**
 * Returns whether schemas leave no free text: they list values, name a format, mark a gap that values fill, or allow only
 * numbers and truth values.
 */
function isClosed(document: object, schemas: readonly SchemaObject[]): boolean {
  const isListing = (schema: SchemaObject) =>
    schema.enum !== undefined || schema.const !== undefined || "x-extensible-enum" in schema;
  const isFormatted = ({ format }: SchemaObject) => format !== undefined && !openFormats.includes(format);
  const types = new Set(schemas.flatMap(typesOf));
  if (schemas.some((schema) => isListing(schema) || isFormatted(schema))) return true;
  if (types.size > 0 && schemas.some((schema) => unspecifiedOf(schema).length > 0)) return true;
  if (types.size === 0 || types.has("string") || types.has("object")) return false;
  const items = schemas.flatMap((schema) => schemasAt(document, schema, ["0"]));
  return !types.has("array") || isClosed(document, items);
}

const textsIn = new WeakMap<object, ReadonlySet<string>>();

/** Returns whether a text is a value in a description, such as an example or a part of one, also as a number. */
export function isInContract(document: object, text: string): boolean {
  return getOrCreate(textsIn, document, () => readTexts(document)).has(text);
}

function readTexts(document: object): ReadonlySet<string> {
  const texts = new Set<string>();
  const waiting: unknown[] = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value) || isObject(value)) for (const member of Object.values(value)) waiting.push(member);
    else if (["string", "number"].includes(typeof value)) texts.add(String(value));
  }
  return texts;
}
