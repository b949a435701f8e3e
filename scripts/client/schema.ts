// The keywords of JSON Schema 2020-12, each as a separate function, so that bundles include only those they
// use. As in the standard, a keyword accepts values of types that it doesn't apply to. `format` is an
// annotation (section 7.2.1), unless `withFormats` asserts it.

import { isOfType } from "../values/jsonType.ts";
import { isMultipleOf } from "../values/multiples.ts";

/**
 * A violation of a schema, under its name in Standard Schema (`StandardSchemaV1.Issue`). It contains no
 * values, which may be private.
 *
 * @example
 * const describe = ({ path, message }: Issue) => `${path.join("/")}: ${message}`;
 */
export interface Issue {
  /** Begins with the field, unless it is the value as a whole: `data.hosts.0.id must be of type integer`. */
  readonly message: string;
  /** The keys that lead to the field. */
  readonly path: readonly (string | number)[];
}

/**
 * A Standard Schema 1.1, which form and validation libraries accept. Its input and output are the same.
 *
 * @example
 * const issuesIn = (schema: Schema, value: unknown) => schema["~standard"].validate(value).issues ?? [];
 */
export interface Schema<Value = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => { readonly value: Value; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
    readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  };
}

type Schemas = Readonly<Record<string, Schema>>;

/**
 * Creates a schema from the one that a function returns. The function is called for the first value, so
 * schemas can refer to each other.
 */
export function schema<Value>(make: () => Schema): Schema<Value> {
  let made: Schema | undefined;
  const untyped: Schema = finding((value) => issuesOf((made ??= make()), value));
  // A generated schema and its type come from the same description.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return untyped as Schema<Value>;
}

/**
 * Adds Standard JSON Schema to schemas. `define` returns, by name, each schema with its JSON Schema and the
 * names of the schemas in it.
 */
export function describing(define: () => Readonly<Record<string, readonly [Schema, object, ...used: string[]]>>) {
  return <One extends Schema>(schema: One) => {
    const standard: One["~standard"] = schema["~standard"];
    const convert = ({ target }: { readonly target: string }): Record<string, unknown> => {
      const definitions = define();
      const [, root, ...used] = Object.values(definitions).find(([one]) => one === schema) ?? [];
      if (!root) throw new TypeError("withJsonSchema takes schemas of the module that it is from");
      const [, draft] = /^draft-(2020-12|07)$/.exec(target) ?? [];
      if (!draft) throw new TypeError(`the target of a JSON Schema must be draft-2020-12 or draft-07, not ${target}`);
      const $schema =
        draft === "07" ? "http://json-schema.org/draft-07/schema#" : "https://json-schema.org/draft/2020-12/schema";
      const $defs = Object.fromEntries(used.map((name) => [name, definitions[name]?.[1]]));
      return { $schema, ...root, ...(used.length > 0 && { $defs }) };
    };
    return { "~standard": { ...standard, jsonSchema: { input: convert, output: convert } } };
  };
}

/** The violations in a value. Empty if the schema accepts it. */
export function issuesOf(one: Schema, value: unknown): readonly Issue[] {
  return one["~standard"].validate(value).issues ?? [];
}

export function isValid(one: Schema, value: unknown): boolean {
  return issuesOf(one, value).length === 0;
}

function finding(find: (value: unknown) => readonly Issue[]): Schema {
  const validate = (value: unknown) => {
    const issues = find(value);
    return issues.length > 0 ? { issues } : { value };
  };
  return { "~standard": { version: 1, vendor: "openapi", validate } };
}

function accepting(accepts: (value: unknown) => boolean, message: string): Schema {
  return finding((value) => (accepts(value) ? [] : [{ message, path: [] }]));
}

/** The violations in a member or an item, with paths from the outer value. */
function issuesAt(key: string | number, one: Schema, value: unknown): readonly Issue[] {
  return issuesOf(one, value).map(({ message, path }) => ({
    message: `${key}${path.length > 0 ? "." : " "}${message}`,
    path: [key, ...path],
  }));
}

/** The members of an object in JSON. `undefined` for any other value. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries<unknown>({ ...value }).filter(([, member]) => member !== undefined));
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    const members = membersOf(inner);
    return members ? Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1))) : inner;
  });
}

export const anything = /*#__PURE__*/ accepting(() => true, "");
export const nothing = /*#__PURE__*/ accepting(() => false, "is not allowed");
export const boolean = /*#__PURE__*/ type("boolean");
export const integer = /*#__PURE__*/ type("integer");
export const number = /*#__PURE__*/ type("number");
export const string = /*#__PURE__*/ type("string");

/** The bytes of a file. */
export const blob = /*#__PURE__*/ accepting((value) => value instanceof Blob, "must be a Blob");

export function type(...names: readonly string[]): Schema {
  return accepting((value) => names.some((name) => isOfType(value, name)), `must be of type ${names.join(" or ")}`);
}

/** `const` and `enum`, if no value is an object or an array. */
export function enumeration(...values: readonly unknown[]): Schema {
  const texts = values.map((value) => JSON.stringify(value));
  return accepting((value) => values.includes(value), `must be ${texts.join(" or ")}`);
}

/** `const` and `enum` of any values. */
export function equalTo(...values: readonly unknown[]): Schema {
  const texts = values.map(canonical);
  return accepting((value) => texts.includes(canonical(value)), `must be ${texts.join(" or ")}`);
}

export function allOf(...schemas: readonly Schema[]): Schema {
  return finding((value) => schemas.flatMap((one) => issuesOf(one, value)));
}

/** If no alternative accepts a value, the violations are those of the alternative with the fewest. */
export function anyOf(...schemas: readonly Schema[]): Schema {
  return finding((value) => fewest(schemas.map((one) => issuesOf(one, value))));
}

export function oneOf(...schemas: readonly Schema[]): Schema {
  return finding((value) => {
    const found = schemas.map((one) => issuesOf(one, value));
    const valid = found.filter((issues) => issues.length === 0);
    return valid.length > 1 ? [{ message: "must match only one of the alternatives", path: [] }] : fewest(found);
  });
}

function fewest(found: readonly (readonly Issue[])[]): readonly Issue[] {
  return found.reduce((least, issues) => (issues.length < least.length ? issues : least));
}

export function object(required: Schemas, optional?: Schemas, additional?: Schema): Schema {
  return allOf(type("object"), properties(required, optional, additional));
}

/** `required`, `properties`, and `additionalProperties` for all other names. */
export function properties(required: Schemas, optional?: Schemas, additional = anything): Schema {
  const named = new Map(Object.entries({ ...required, ...optional }));
  return finding((value) => {
    const members = membersOf(value);
    if (!members) return [];
    const missing = Object.keys(required).filter((name) => !members.has(name));
    return [
      ...missing.map((name) => ({ message: `${name} is missing`, path: [name] })),
      ...[...members].flatMap(([name, member]) => issuesAt(name, named.get(name) ?? additional, member)),
    ];
  });
}

export function array(item: Schema): Schema {
  return allOf(type("array"), items(item));
}

export function items(item: Schema): Schema {
  return finding((value) =>
    Array.isArray(value) ? Array.from<unknown>(value).flatMap((one, index) => issuesAt(index, item, one)) : [],
  );
}

export function uniqueItems(): Schema {
  const isUnique = (items: readonly unknown[]) => new Set(items.map(canonical)).size === items.length;
  return accepting((value) => !Array.isArray(value) || isUnique(value), "must not have the same item twice");
}

/** Tests of texts, by the names of their formats. */
export type Formats = Readonly<Record<string, (text: string) => boolean>>;

/** The formats that are asserted now. Validation is synchronous. */
let asserted: Formats = {};

/** Runs a validation that asserts formats. */
export function assertFormats<Result>(formats: Formats, validate: () => Result): Result {
  const before = asserted;
  asserted = formats;
  try {
    return validate();
  } finally {
    asserted = before;
  }
}

export function format(name: string): Schema {
  const accepts = (value: unknown) => typeof value !== "string" || asserted[name]?.(value) !== false;
  return accepting(accepts, `must match format "${name}"`);
}

export function pattern(expression: RegExp): Schema {
  return accepting((value) => typeof value !== "string" || expression.test(value), `must match ${String(expression)}`);
}

export function multipleOf(divisor: number): Schema {
  const accepts = (value: unknown) =>
    typeof value !== "number" || (Number.isFinite(value) && isMultipleOf(value, divisor));
  return accepting(accepts, `must be a multiple of ${divisor}`);
}

// The size of a value of another type is NaN, which is within every limit.
const numberIn = (value: unknown) => (typeof value === "number" ? value : NaN);
// In characters of Unicode (section 6.3).
const lengthIn = (value: unknown) => (typeof value === "string" ? Array.from(value).length : NaN);
const itemsIn = (value: unknown) => (Array.isArray(value) ? value.length : NaN);
const sizeIn = (value: unknown) => membersOf(value)?.size ?? NaN;

const limit = (isOutside: (value: unknown, bound: number) => boolean, text: string) => (bound: number) =>
  accepting((value) => !isOutside(value, bound), text.replace("#", String(bound)));

export const minimum = /*#__PURE__*/ limit((value, min) => numberIn(value) < min, "must be at least #");
export const maximum = /*#__PURE__*/ limit((value, max) => numberIn(value) > max, "must be at most #");
export const exclusiveMinimum = /*#__PURE__*/ limit((value, min) => numberIn(value) <= min, "must be more than #");
export const exclusiveMaximum = /*#__PURE__*/ limit((value, max) => numberIn(value) >= max, "must be less than #");
export const minLength = /*#__PURE__*/ limit((value, min) => lengthIn(value) < min, "must have # characters or more");
export const maxLength = /*#__PURE__*/ limit((value, max) => lengthIn(value) > max, "must have # characters or fewer");
export const minItems = /*#__PURE__*/ limit((value, min) => itemsIn(value) < min, "must have # items or more");
export const maxItems = /*#__PURE__*/ limit((value, max) => itemsIn(value) > max, "must have # items or fewer");
export const minProperties = /*#__PURE__*/ limit((value, min) => sizeIn(value) < min, "must have # members or more");
export const maxProperties = /*#__PURE__*/ limit((value, max) => sizeIn(value) > max, "must have # members or fewer");
