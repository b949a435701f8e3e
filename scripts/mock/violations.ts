import { pointerKeys, valueAt } from "../contract/jsonPointer.ts";
import { isObject } from "../contract/openapi.ts";
import { isCredentialName } from "./authentication.ts";
import type { Diagnostic, PrismOperation } from "./prism.ts";
import { shorten, type Violation } from "./problemDetails.ts";

/** A parameter as Prism knows it. */
export interface ParameterSpec {
  readonly name: string;
  readonly schema?: unknown;
}

/** The others are counted only: a list with one wrong element often has thousands of them. */
const listedViolations = 20;
/** Longer than any `minItems` or `contains` is likely to require. */
const shortListLength = 1_000;

/** Describes what Prism found in parameters. `values` are those received, by the names of `specs`. */
export function parameterViolations(
  place: "header" | "path" | "query",
  found: readonly Diagnostic[],
  specs: readonly ParameterSpec[],
  values: Readonly<Record<string, unknown>>,
): Violation[] {
  return found.map((diagnostic): Violation => {
    const missing = missingProperty(diagnostic);
    // Prism knows parameters by their names in lower case.
    const given = missing ?? diagnostic.path?.[1];
    const { name, schema } = specs.find((spec) => spec.name.toLowerCase() === given?.toLowerCase()) ?? {};
    const label = name ?? given ?? "";
    const where = place === "header" ? `The ${label} header` : `The ${place} parameter ${label}`;
    const named = { in: place, ...(name !== undefined && { name }) };
    if (missing === undefined) {
      const keys = [...(diagnostic.path?.slice(2) ?? []), String(diagnostic.code)];
      const isSecret = name !== undefined && isCredentialName(name);
      return { ...named, ...describe(where, diagnostic, valueAt(schema, keys), values[name ?? ""], isSecret) };
    }
    const { const: only, enum: some, type } = isObject(schema) ? schema : {};
    const expected = only ?? some ?? type;
    const rule = expected === undefined ? "" : `, and ${requirement(expected === type ? "type" : "enum", expected)}`;
    return { ...named, message: `${where} is required${rule}.`, ...(expected !== undefined && { expected }) };
  });
}

/** Describes what Prism found in a body. */
export function bodyViolations(
  found: readonly Diagnostic[],
  schema: unknown,
  body: unknown,
  operation: PrismOperation,
): Violation[] {
  const listed = found.slice(0, listedViolations).map((diagnostic): Violation => {
    const pointer = (diagnostic.path ?? [])
      .slice(1)
      .map((segment) => `/${segment}`)
      .join("");
    const keys = pointerKeys(pointer);
    const rule = schemaAt(schema, keys, operation);
    const isSecret =
      isCredentialName(keys.at(-1) ?? "") ||
      (isObject(rule) && (rule["format"] === "password" || rule["writeOnly"] === true));
    const where = pointer === "" ? "The body" : `${pointer} in the body`;
    const keyword = valueAt(rule, [String(diagnostic.code)]);
    return { in: "body", pointer, ...describe(where, diagnostic, keyword, valueAt(body, keys), isSecret) };
  });
  // Each alternative of an anyOf may find the same.
  const distinct = new Map(listed.map((violation) => [violation.message, violation]));
  const rest = found.length - listed.length;
  if (rest > 0) distinct.set("", { in: "body", pointer: "", message: `The body has at least ${rest} more problems.` });
  return [...distinct.values()];
}

/** The same value with only the first elements of each long list. */
export function shortenLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, shortListLength).map(shortenLists);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, shortenLists(child)]));
}

function describe(
  where: string,
  diagnostic: Diagnostic,
  keyword: unknown,
  value: unknown,
  isSecret: boolean,
): Pick<Violation, "expected" | "message" | "received"> {
  const received = value === undefined || isSecret ? undefined : shortJson(value);
  const rule = keyword === undefined ? ruleOf(diagnostic) : requirement(String(diagnostic.code), keyword);
  const end = received === undefined || missingProperty(diagnostic) !== undefined ? "" : `; received ${received}`;
  return {
    message: `${where} ${rule ?? ruleOf(diagnostic)}${end}.`,
    ...(isTelling(keyword) && { expected: keyword }),
    ...(received !== undefined && { received }),
  };
}

/** A value as JSON in a few characters; of a list or an object only what it is. */
function shortJson(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : shorten(JSON.stringify(value));
}

/** Whether a keyword's value tells what would be right: a number or a list of names does, a list of schemas does not. */
function isTelling(keyword: unknown): boolean {
  return Array.isArray(keyword)
    ? !keyword.some(isObject)
    : keyword !== undefined && keyword !== false && !isObject(keyword);
}

/** What the keywords ask for whose messages from Prism are not sentences; `undefined` for any other. */
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

/** Prism's message without its beginning, which names the place. */
function ruleOf({ message, path = [] }: Diagnostic): string {
  const [prefix = "", ...segments] = path;
  const kind = prefix === "body" ? "property" : "parameter";
  const place = segments.length === 0 ? "" : `${kind} ${segments.join(".").trim()} `;
  const start = `Request ${prefix} ${place}`;
  return message.startsWith(start) ? message.slice(start.length) : message;
}

function missingProperty({ code, message }: Diagnostic): string | undefined {
  return code === "required" ? /must have required property '(.*)'$/.exec(message)?.[1] : undefined;
}

/**
 * The schema that applies to a place in a body, as far as it can be told without validating: through properties, items
 * and, if there are alternatives, the first that says anything.
 */
function schemaAt(schema: unknown, keys: readonly string[], operation: PrismOperation, depth = 0): unknown {
  if (!isObject(schema) || depth > 64) return undefined;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const target = reference.startsWith("#/") ? valueAt(operation, pointerKeys(reference)) : undefined;
    return schemaAt(target, keys, operation, depth + 1);
  }
  const [key, ...rest] = keys;
  if (key === undefined) return schema;
  const property = valueAt(schema["properties"], [key]);
  const next = property ?? (/^\d+$/.test(key) ? schema["items"] : undefined) ?? schema["additionalProperties"];
  const direct = schemaAt(next, rest, operation, depth + 1);
  if (direct !== undefined) return direct;
  const alternatives = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => schema[keyword] ?? []);
  return alternatives.map((one) => schemaAt(one, keys, operation, depth + 1)).find((found) => found !== undefined);
}
