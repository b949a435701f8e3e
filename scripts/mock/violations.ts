import { isObject } from "../contract/document.ts";
import { soundsSecret } from "./credentials.ts";
import type { Diagnostic, EngineOperation } from "./engine.ts";
import { shorten, type Violation } from "./problem.ts";

/** A parameter as the engine knows it. */
export interface ParameterSpec {
  readonly name: string;
  readonly schema?: unknown;
}

type Place = "header" | "path" | "query";

/** More are counted only: a list with one wrong element often has thousands of them. */
const shownViolations = 20;
/** Longer than what any `minItems` or `contains` is likely to ask for. */
const shortList = 1_000;

/** Says of parameters what the engine found. `values` are those that came, by the names of `specs`. */
export function parameterViolations(
  place: Place,
  found: readonly Diagnostic[],
  specs: readonly ParameterSpec[],
  values: Readonly<Record<string, unknown>>,
): Violation[] {
  return found.map((diagnostic) => {
    const missing = missingProperty(diagnostic);
    // The engine knows parameters by their names in lower case.
    const name = missing ?? diagnostic.path?.[1];
    const spec = specs.find((candidate) => candidate.name.toLowerCase() === name?.toLowerCase());
    const where = `The ${place} parameter ${spec?.name ?? name ?? ""}`.replace("header parameter", "header");
    if (missing !== undefined) {
      const [form] = describeSchema(spec?.schema);
      return {
        in: place,
        ...(spec && { name: spec.name }),
        message: `${where} is required${form === undefined ? "" : `, and ${form}`}.`,
        ...expectation(spec?.schema, []),
      };
    }
    const value = spec === undefined ? undefined : values[spec.name];
    const keyword = valueAt(spec?.schema, [...(diagnostic.path?.slice(2) ?? []), String(diagnostic.code)]);
    return {
      in: place,
      ...(spec && { name: spec.name }),
      ...sayWhatIsWrong(where, diagnostic, keyword, value, spec !== undefined && soundsSecret(spec.name)),
    };
  });
}

/** Says of a body what the engine found in it. */
export function bodyViolations(
  found: readonly Diagnostic[],
  schema: unknown,
  body: unknown,
  operation: EngineOperation,
): Violation[] {
  const shown = found.slice(0, shownViolations).map((diagnostic): Violation => {
    const segments = (diagnostic.path ?? []).slice(1);
    const pointer = segments.map((segment) => `/${segment}`).join("");
    const keys = segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
    const rule = schemaAt(schema, keys, operation);
    const isSecret =
      soundsSecret(keys.at(-1) ?? "") ||
      (isObject(rule) && (rule["format"] === "password" || rule["writeOnly"] === true));
    const where = pointer === "" ? "The body" : `${pointer} in the body`;
    const value = valueAt(body, keys);
    return {
      in: "body",
      pointer,
      ...sayWhatIsWrong(where, diagnostic, valueAt(rule, [String(diagnostic.code)]), value, isSecret),
    };
  });
  // Each alternative of an anyOf may find the same.
  const different = new Map(shown.map((violation) => [violation.message, violation]));
  const rest = found.length - shown.length;
  if (rest > 0) different.set("", { in: "body", pointer: "", message: `The body has at least ${rest} faults more.` });
  return [...different.values()];
}

/** The same value with only the first elements of each long list. */
export function shortenLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, shortList).map(shortenLists);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, shortenLists(child)]));
}

/** A value as JSON in a few characters; of a list or an object only what it is. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  return shorten(JSON.stringify(value));
}

function sayWhatIsWrong(
  where: string,
  diagnostic: Diagnostic,
  keyword: unknown,
  value: unknown,
  isSecret: boolean,
): Pick<Violation, "expected" | "message" | "received"> {
  const received = value === undefined || isSecret ? undefined : describeValue(value);
  const rule =
    diagnostic.code === "const" && keyword !== undefined ? `must be ${JSON.stringify(keyword)}` : ruleOf(diagnostic);
  const came = received === undefined || missingProperty(diagnostic) !== undefined ? "" : `; ${received} came`;
  return {
    message: `${where} ${rule}${came}.`,
    ...(isTelling(keyword) && { expected: keyword }),
    ...(received !== undefined && { received }),
  };
}

/** Whether a keyword's value tells what would be right: a number or a list of names does, a list of schemas does not. */
function isTelling(keyword: unknown): boolean {
  return Array.isArray(keyword)
    ? !keyword.some(isObject)
    : keyword !== undefined && keyword !== false && !isObject(keyword);
}

/** The validator's own words, without the place that the engine puts before them, and with lists that read well. */
function ruleOf({ message, path = [], code }: Diagnostic): string {
  const [prefix = "", ...segments] = path;
  const kind = prefix === "body" ? "property" : "parameter";
  const place = segments.length === 0 ? "" : `${kind} ${segments.join(".").trim()} `;
  const start = `Request ${prefix} ${place}`;
  const rule = message.startsWith(start) ? message.slice(start.length) : message;
  return code === "type" ? rule.replaceAll(",", " or ") : rule;
}

function missingProperty({ code, message }: Diagnostic): string | undefined {
  return code === "required" ? /must have required property '(.*)'$/.exec(message)?.[1] : undefined;
}

function expectation(schema: unknown, keys: readonly string[]): Pick<Violation, "expected"> {
  const rule = valueAt(schema, keys);
  if (!isObject(rule)) return {};
  const expected = rule["const"] ?? rule["enum"] ?? rule["type"];
  return expected === undefined ? {} : { expected };
}

function describeSchema(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  if (schema["const"] !== undefined) return [`must be ${JSON.stringify(schema["const"])}`];
  if (Array.isArray(schema["enum"]))
    return [`must be one of ${schema["enum"].map((v) => JSON.stringify(v)).join(", ")}`];
  return typeof schema["type"] === "string" ? [`must be ${schema["type"]}`] : [];
}

/**
 * The schema that holds for a place in a body, as far as it can be told without validating: through properties, items
 * and, where there are alternatives, the first that says anything.
 */
function schemaAt(schema: unknown, keys: readonly string[], operation: EngineOperation, depth = 0): unknown {
  if (!isObject(schema) || depth > 64) return undefined;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const target = reference.startsWith("#/") ? valueAt(operation, reference.slice(2).split("/")) : undefined;
    return schemaAt(target, keys, operation, depth + 1);
  }
  const [key, ...rest] = keys;
  if (key === undefined) return schema;
  const property = valueAt(schema["properties"], [key]);
  const next = property ?? (/^\d+$/.test(key) ? schema["items"] : undefined) ?? schema["additionalProperties"];
  const direct = schemaAt(next, rest, operation, depth + 1);
  if (direct !== undefined) return direct;
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    for (const branch of branches) {
      const found = schemaAt(branch, keys, operation, depth + 1);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((current, key) => {
    if (Array.isArray(current)) return current[Number(key)];
    return isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }, value);
}
