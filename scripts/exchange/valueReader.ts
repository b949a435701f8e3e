import { parseJson } from "../values/json.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { allowedTypes, applicableSchemas } from "../spec/schemas.ts";
import type { SchemaViolation } from "./schema/run.ts";
import { createValidator } from "./validator.ts";

/** Values of parameters by name: path, query, headers or a form. A repeated name has a list. */
export type Carrier = Readonly<Record<string, string | readonly string[]>>;

/** A value that was read from text, and its violations. */
interface ReadValue {
  readonly value: unknown;
  readonly violations: readonly SchemaViolation[];
}

/**
 * Creates a function that reads a text as a value with the types in a schema, and validates it. Each text of a list is
 * an item, and an object is JSON. Numbers and other literals are those of JSON, too. If a schema allows several types, the
 * value has the first type that makes it valid.
 */
export function createReader(
  schema: unknown,
  document: OpenApiDocument,
): (sent: string | readonly string[]) => ReadValue | undefined {
  const validate = createValidator(schema, document);
  const types = allowedTypes(document, schema);
  const { items } = applicableSchemas(document, schema).find((one) => one.items !== undefined) ?? {};
  const readItem = types.has("array") && items !== undefined ? createReader(items, document) : undefined;
  const isOnlyList = types.has("array") && [...types].every((type) => type === "array" || type === "null");
  return (sent) => {
    const list = types.has("array") ? [[sent].flat().map((text) => (readItem ? readItem(text)?.value : text))] : [];
    const literals = isOnlyList ? [] : typeof sent === "string" ? readLiterals(sent, types) : [sent];
    const readings = [...list, ...literals].map((value) => ({ value, violations: validate(value).violations }));
    const isOfType = ({ violations }: ReadValue) =>
      !violations.some(({ pointer, keyword }) => pointer === "" && keyword === "type");
    return readings.find(({ violations }) => violations.length === 0) ?? readings.find(isOfType) ?? readings.at(-1);
  };
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The possible values of a text. The text itself if it fits none of the types. */
function readLiterals(text: string, types: ReadonlySet<string>): readonly unknown[] {
  const literals: unknown[] = [];
  const isNumber = (types.has("number") || types.has("integer")) && jsonNumber.test(text);
  const object = types.has("object") ? parseJson(text) : undefined;
  if (types.has("string")) literals.push(text);
  if (isNumber && Number.isFinite(Number(text))) literals.push(Number(text));
  if (types.has("boolean") && (text === "true" || text === "false")) literals.push(text === "true");
  if (types.has("null") && (text === "null" || text === "")) literals.push(null);
  if (object !== undefined) literals.push(object);
  return literals.length === 0 ? [text] : literals;
}
