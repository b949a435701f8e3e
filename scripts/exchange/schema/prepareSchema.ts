/** Prepares schemas for validation. Lists the keywords for each type in the order in which they are checked. */
import { getOrCreate } from "../../values/collections.ts";
import { isObject, membersOf, stringsOf } from "../../values/json.ts";
import { uncheckedKeywords } from "../../spec/schemaKeywords.ts";
import { markedProperties, typesOf } from "../../spec/schemas.ts";
import { combinations, itemApplicators, propertyApplicators, references } from "./applicators.ts";
import {
  arrayAssertions,
  arrayLimits,
  numberAssertions,
  objectAssertions,
  stringAssertions,
  typeKeyword,
  valueAssertions,
} from "./assertions.ts";
import type { Check, Checks, Keyword, Members, OneWay, PreparedSchema, Scope, PlacedKeyword } from "./keyword.ts";
import { fail } from "./run.ts";

/** Keywords for any value. Keywords for one type follow, those for numbers and strings first. */
const { const: constant, enum: enumeration } = valueAssertions;
export const anyKeywords = { ...references, const: constant, ...combinations, enum: enumeration };
export const arrayKeywords = {
  ...arrayAssertions,
  ...arrayLimits,
  ...itemApplicators,
};
export const objectKeywords = { ...objectAssertions, ...propertyApplicators };

const scopes = new WeakMap<object, Map<OneWay, Scope>>();

/** Prepares the schemas of a document, each on first use. */
export function scopeOf(document: object, oneWay: OneWay): Scope {
  const ofDocument = getOrCreate(scopes, document, () => new Map<OneWay, Scope>());
  return getOrCreate(ofDocument, oneWay, () => createScope(document, oneWay));
}

const none: ReadonlySet<string> = new Set();

function createScope(document: object, oneWay: OneWay): Scope {
  const prepared = new WeakMap<object, PreparedSchema>();
  const scope: Scope = {
    document,
    oneWay,
    schema: (schema, optional = none) => {
      if (!isObject(schema)) return schema === false ? nothingIsValid : everythingIsValid;
      const make = (): PreparedSchema => ({ checks: undefined, prepare: () => checksOf(schema, scope, optional) });
      return optional.size === 0 ? getOrCreate(prepared, schema, make) : make();
    },
  };
  return scope;
}

function checksOf(schema: Members, scope: Scope, outer: ReadonlySet<string>): Checks {
  const { document, oneWay } = scope;
  const { required, properties } = schema;
  const mayHide = Array.isArray(required) || Array.isArray(schema["allOf"]);
  const hidden = mayHide ? markedProperties(document, schema, oneWay) : [];
  const optional = hidden.length === 0 ? outer : new Set([...outer, ...hidden]);
  const checksFor = <Value>(keywords: Readonly<Record<string, Keyword<Value>>>): readonly Check<Value>[] =>
    Object.entries(keywords).flatMap(([keyword, { prepare }]) => {
      if (!Object.hasOwn(schema, keyword) || schema[keyword] === undefined) return [];
      const site: PlacedKeyword = { keyword, expected: schema[keyword], schema, scope, optional };
      return prepare(schema[keyword], site) ?? [];
    });
  const type = checksFor(typeKeyword);
  const isOpen = uncheckedKeywords.some((keyword) => schema[keyword] !== undefined);
  const any = [...checksFor(anyKeywords), ...(isOpen ? [leaveOpen] : [])];
  const exact = oneWay === "readOnly" && mayIdentify(schema) ? [isKeptExactly] : [];
  const count = membersOf(properties).length + stringsOf(required).length;
  return {
    number: [type, checksFor(numberAssertions), any, exact].flat(),
    string: [type, checksFor(stringAssertions), any].flat(),
    array: [type, any, checksFor(arrayKeywords)].flat(),
    object: [type, any, checksFor(objectKeywords)].flat(),
    other: [type, any].flat(),
    cost: 1 + (count >> 4),
  };
}

/** Returns whether a number may be an identifier. The formats `float` and `double` name numbers that are rounded. */
function mayIdentify(schema: Members): boolean {
  const types = typesOf(schema);
  const { format } = schema;
  return (types.includes("integer") || types.includes("number")) && format !== "float" && format !== "double";
}

const most = Number.MAX_SAFE_INTEGER;

/** Stands for the keyword that an integer violates which JavaScript would round. The contract may allow it. */
export const exactInteger = "exactInteger";

/** JavaScript rounds larger integers, so the request would be for another resource. The value is no longer the one sent. */
const isKeptExactly: Check<number> = (value, run) =>
  !Number.isInteger(value) ||
  Number.isSafeInteger(value) ||
  fail(run, exactRule, undefined, `must be from -${most} to ${most}: larger integers would be rounded`);

const exactRule = { keyword: exactInteger, expected: undefined };

/** Notes that a schema has {@link uncheckedKeywords}. */
const leaveOpen: Check<unknown> = (_, run) => {
  run.unchecked += 1;
  return true;
};

const refuse: Check<unknown> = (value, run) =>
  fail(run, { keyword: "false schema", expected: false }, value, "must not be there");

const everythingIsValid = preparedOf([]);
const nothingIsValid = preparedOf([refuse]);

/** A schema with the same checks for values of all types. */
function preparedOf(all: readonly Check<unknown>[]): PreparedSchema {
  const checks: Checks = { number: all, string: all, array: all, object: all, other: all, cost: 1 };
  return { checks, prepare: () => checks };
}
