import { describeBody, pointerOf } from "../exchange/describedValues.ts";
import type { SchemaViolation } from "../exchange/schema/run.ts";
import { createValidator, unlessUnusable } from "../exchange/validator.ts";
import { wordForReport } from "../exchange/openValues.ts";
import { changeAt, elementsOf, isObject, jsonPointer, pointerKeys } from "../values/json.ts";
import type { OpenApiDocument, SchemaObject } from "../spec/openapi.ts";
import { applicableSchemas, memberSchemas, propertySchemas, typesOf } from "../spec/schemas.ts";
import { isOfType } from "../values/jsonType.ts";

/** A body with one violation of its schema. */
interface WrongBody {
  readonly value: unknown;
  /** JSON Pointer of the schema in the bundle. */
  readonly place: string;
  /** The violated keyword. */
  readonly code: string;
  /** The violated rule: `/seats in the body must be an integer`. */
  readonly rule: string;
}

/** A value that should violate a keyword of a schema. */
interface Attempt {
  readonly keyword: string;
  /** Its place in the body, as a JSON Pointer. */
  readonly pointer: string;
  readonly wrong: unknown;
  /** The schema with the keyword. */
  readonly owner: SchemaObject;
}

/** A wrong value. `isOnce`: one place in the body is enough, since servers read all values of a type in one way. */
interface Wrong extends Pick<Attempt, "wrong"> {
  readonly isOnce?: boolean;
}

/** The maximum length of invented texts and lists. Longer ones test nothing more, and servers may limit their size. */
const longest = 100_000;

const listLength = (limit: unknown) => Math.min(Number(limit), longest);

/** Makes a value that violates a keyword, from its limit and a valid value. `undefined` if there is none. */
type Break = (limit: unknown, value: unknown) => unknown;

const breakingTexts: Readonly<Record<string, Break>> = {
  minLength: (limit) => "x".repeat(Math.max(0, listLength(limit) - 1)),
  maxLength: (limit) => "x".repeat(listLength(limit) + 1),
  pattern: () => "?",
  format: () => "?",
};

const breakingNumbers: Readonly<Record<string, Break>> = {
  minimum: (limit) => Number(limit) - 1,
  exclusiveMinimum: (limit) => limit,
  maximum: (limit) => Number(limit) + 1,
  exclusiveMaximum: (limit) => limit,
  multipleOf: (limit, value) => Number(value) + Number(limit) / 2,
};

const breakingLists: Readonly<Record<string, Break>> = {
  minItems: (limit, value) => elementsOf(value).slice(0, Math.max(0, Number(limit) - 1)),
  maxItems: tooManyItems,
  uniqueItems: withFirstTwice,
};

function tooManyItems(limit: unknown, list: unknown): unknown {
  const [first = "x"] = elementsOf(list);
  return Array.from({ length: listLength(limit) + 1 }, () => first);
}

function withFirstTwice(_: unknown, list: unknown): unknown {
  const items = elementsOf(list);
  return [...items, ...items.slice(0, 1)];
}

/** By keywords. */
const breaking: Readonly<Record<string, Break>> = {
  const: () => "another value",
  ...breakingTexts,
  ...breakingNumbers,
  ...breakingLists,
  additionalProperties: (_, value) => (isObject(value) ? { ...value, notListed: true } : undefined),
};

/** Values of other types than those of a schema. */
function valuesOfOtherTypes(type: unknown, value: unknown): readonly Wrong[] {
  const types = typesOf({ type });
  const isOther = (wrong: unknown) => !types.some((one) => isOfType(wrong, one));
  // What servers often convert, or take for an object. Another number could identify something.
  const numbers = typeof value === "number" ? [String(value), value + 0.5] : [];
  const similar = [null, [], ...(typeof value === "boolean" ? [String(value)] : numbers)];
  const clear = ["text", 12.5, {}].filter(isOther).slice(0, 1);
  return [...clear.map((wrong) => ({ wrong })), ...similar.filter(isOther).map((wrong) => ({ wrong, isOnce: true }))];
}

/** A text that isn't listed, and a listed one in another case. */
function unlistedTexts(value: unknown): readonly Wrong[] {
  const similar = typeof value === "string" ? [{ wrong: switchCase(value), isOnce: true }] : [];
  return [{ wrong: "none of these" }, ...similar];
}

function switchCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

/** The values that violate a keyword. */
function breakKeyword(keyword: string, limit: unknown, value: unknown): readonly Wrong[] {
  if (keyword === "type") return valuesOfOtherTypes(limit, value);
  if (keyword === "enum") return unlistedTexts(value);
  const wrong = breaking[keyword]?.(limit, value);
  return wrong === undefined ? [] : [{ wrong }];
}

/** Texts for a parameter that may violate its schema: numbers with something behind them, and values beyond limits. */
export function wrongTexts(document: OpenApiDocument, schema: SchemaObject, right: unknown): readonly string[] {
  const owners = applicableSchemas(document, schema);
  const beyond = owners.flatMap((owner) =>
    Object.entries(owner).map(([keyword, limit]) =>
      (breakingTexts[keyword] ?? breakingNumbers[keyword])?.(limit, right),
    ),
  );
  const isNumber = owners.flatMap(typesOf).some((type) => type === "integer" || type === "number");
  const number = typeof right === "string" ? right : JSON.stringify(right ?? 1);
  const similar = isNumber ? ["x", ".5"].map((end) => number + end) : [];
  return [...similar, ...beyond].filter((value) => value !== undefined && value !== "").map(String);
}

/**
 * Variants of a valid body with one violation each: one for each keyword of each value, and each required property. In
 * lists, only the first item varies.
 */
export function wrongBodies(document: OpenApiDocument, schema: SchemaObject, right: unknown): readonly WrongBody[] {
  const validate = createValidator(schema, document);
  const found = new Map<string, WrongBody>();
  const add = (kind: string, { keyword, pointer, wrong, owner }: Attempt) => {
    if (found.has(kind)) return;
    const value = changeAt(right, pointerKeys(pointer), () => wrong);
    const violations = unlessUnusable(
      () => validate(value).violations,
      () => [],
    );
    const violation = violations.find((one) => one.keyword === keyword && isAt(one, pointer));
    if (violation === undefined) return;
    const [worded] = wordForReport(violation, { schema, document });
    if (worded === undefined) return;
    const rule = `${worded.place} ${worded.rule}`;
    found.set(kind, { value, place: pointerOf(document, owner), code: worded.code, rule });
  };
  for (const { pointer, value, schemas } of valuesWithAbsent(document, schema, right)) {
    for (const owner of schemas) {
      for (const name of owner.required ?? []) {
        if (!isObject(value)) break;
        const { [name]: _, ...others } = value;
        add(`required ${pointer}/${name}`, { keyword: "required", pointer, wrong: others, owner });
      }
      for (const [keyword, limit] of Object.entries(owner)) {
        for (const { wrong, isOnce = false } of breakKeyword(keyword, limit, value)) {
          const place = isOnce ? JSON.stringify([limit, typeof wrong, wrong === null]) : pointer;
          add(`${keyword} ${place}`, { keyword, pointer, wrong, owner });
        }
      }
    }
  }
  return [...found.values()];
}

/** A keyword of a list or an object may name the member that violates it. */
function isAt(violation: SchemaViolation, pointer: string): boolean {
  return `${violation.pointer}/`.startsWith(`${pointer}/`);
}

/** The values in a body and possible other values, with their schemas. */
function valuesWithAbsent(document: OpenApiDocument, schema: SchemaObject, right: unknown) {
  const seen = new Set<string>();
  const present = describeBody(document, right, schema).flatMap(({ value, path, schemas }) => {
    // In a list, the first item.
    const pointer = jsonPointer(pointerKeys(path).map((key) => (key === "*" ? "0" : key)));
    if (seen.has(pointer)) return [];
    seen.add(pointer);
    return [{ pointer, value, schemas }];
  });
  const absent = present.flatMap(({ pointer, value, schemas }) => {
    if (!isObject(value)) return [];
    const names = new Set(schemas.flatMap((one) => [...propertySchemas(document, one).keys()]));
    const missing = [...names].filter((name) => !Object.hasOwn(value, name));
    return missing.map((name) => ({
      pointer: pointer + jsonPointer([name]),
      value: undefined,
      schemas: memberSchemas(document, schemas, name),
    }));
  });
  return [...present, ...absent];
}
