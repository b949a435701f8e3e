import { _, Ajv2020, str, type CodeKeywordDefinition, type ErrorObject, type Options } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isObject, isReference, stringsOf, type OpenApiDocument, type SchemaObject } from "../../contract/openapi.ts";
import { formats } from "./formats.ts";
import { shorten } from "../problemDetails.ts";
import { followReference } from "./subschemas.ts";

/** One place where a value does not fit its schema. */
export interface Fault {
  /** A JSON Pointer (RFC 6901) to the place. */
  readonly pointer: string;
  /** The violated keyword, its value, and the schema that it is in. */
  readonly keyword: string;
  readonly expected: unknown;
  readonly schema: unknown;
  /** What was found in the place. */
  readonly value: unknown;
  /** Continues a sentence that begins with the place: `must be >= 1`. */
  readonly message: string;
}

export interface Verdict {
  /** At most 20. */
  readonly faults: readonly Fault[];
  /** How many faults there are at least; 0 if the value is valid. */
  readonly total: number;
}

export type Validate = (value: unknown) => Verdict;

/** Properties so marked need not be in a request, or not in a response (OpenAPI 3.1.1, section 4.8.24). */
export type OneWay = "readOnly" | "writeOnly";

const listedFaults = 20;
/** An `anyOf` finds faults in its alternatives that are none in the end. So many take some 10 ms. */
const foundFaults = 20_000;
const bundle = "bundle";
/** Faults are not looked for further where schemas refer to themselves so often. */
const recursiveCalls = 5_000;

/**
 * Makes a validator of JSON Schema 2020-12 that asserts formats. References lead into `document`; required properties
 * that are `oneWay` may be missing. It is compiled for its first value and then kept.
 *
 * Its time and memory depend on the size of a value, and not on how many faults there are: 1 MiB takes some 30 ms. A
 * schema that cannot be compiled allows everything.
 */
export function createValidator(schema: unknown, document: OpenApiDocument, oneWay: OneWay): Validate {
  const { judge, collector } = compilersOf(document, oneWay);
  const isValid = once(() => compile(judge(), adaptSchema(schema, document, oneWay)));
  const collect = once(() => compile(collector(), adaptSchema(schema, document, oneWay)));
  return (value) => {
    judge().memo.clear();
    if (isValid()(value)) return valid;
    const { tally } = collector();
    tally.start();
    collect()(value);
    const errors = collect().errors ?? isValid().errors ?? [];
    return { faults: errors.slice(0, listedFaults).map(faultOf), total: Math.max(tally.failed, errors.length) };
  };
}

/** Tells whether a value is valid. */
export type IsValid = (value: unknown) => boolean;

/** Makes a function that compiles the schemas of a bundle's responses, each once, when it is first needed. */
export function createResponseValidator(document: OpenApiDocument): (schema: SchemaObject) => IsValid {
  const compiled = new WeakMap<SchemaObject, IsValid>();
  const { judge } = compilersOf(document, "writeOnly");
  return (schema) => {
    const test = compiled.get(schema) ?? compile(judge(), adaptSchema(schema, document, "writeOnly"));
    compiled.set(schema, test);
    return (value) => {
      judge().memo.clear();
      return test(value);
    };
  };
}

const valid: Verdict = { faults: [], total: 0 };

type Compiled = ((value: unknown) => boolean) & { errors?: null | ErrorObject[] };

/** Says whether a value is valid, and its first fault. Generated code finds `memo` at `self`. */
class Judge extends Ajv2020 {
  readonly memo = createMemo();
}

/** Finds more faults. Generated code finds `tally` at `self`. */
class Collector extends Ajv2020 {
  readonly tally = createTally();
}

interface Compilers {
  readonly judge: () => Judge;
  readonly collector: () => Collector;
}

const compilers = { readOnly: new WeakMap<object, Compilers>(), writeOnly: new WeakMap<object, Compilers>() };

function compilersOf(document: OpenApiDocument, oneWay: OneWay): Compilers {
  const known = compilers[oneWay].get(document);
  if (known !== undefined) return known;
  const adapted = once(() => adaptSchema(document, document, oneWay));
  const made = {
    judge: once(() => prepare(new Judge(optionsOf(leaveOutTentative)), adapted())),
    collector: once(() => prepare(new Collector({ ...optionsOf(boundErrors), allErrors: true }), adapted())),
  };
  compilers[oneWay].set(document, made);
  return made;
}

function optionsOf(process: (code: string) => string): Options {
  // What lint has checked is not checked again.
  return {
    strict: false,
    validateSchema: false,
    logger: false,
    verbose: true,
    code: { process, regExp: compilePattern },
  };
}

function prepare<T extends Ajv2020>(ajv: T, document: unknown): T {
  // Otherwise every function says what it has evaluated, and that cannot be remembered.
  ajv.opts.unevaluated = JSON.stringify(document).includes('"unevaluated');
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  for (const keyword of [enumeration, uniqueItems]) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  if (isObject(document)) ajv.addSchema(document, bundle);
  return ajv;
}

function compile(ajv: Ajv2020, schema: unknown): Compiled {
  try {
    return ajv.compile(isObject(schema) ? schema : schema !== false);
  } catch {
    // Lint says what is wrong with a schema.
    return () => true;
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/**
 * The code that ajv (8.20) generates makes an error object of whatever fails, also in an alternative of an `anyOf` and
 * for each item that a `contains` passes over, and throws most of them away: that takes ten times as long as all else.
 * Without `allErrors`, such an error needs only be counted. And where schemas refer to themselves in several
 * alternatives, it validates the innermost values once for each way that leads to them, so results are remembered.
 */
function leaveOutTentative(code: string): string {
  const counting = code
    .replaceAll(new RegExp(`${pushError}(?!validate\\d+\\.errors = vErrors;return false;)`, "g"), "errors++;")
    .replaceAll(addErrors, "vErrors = $1.errors;errors++;")
    .replaceAll(resetErrors, truncateErrors);
  if (counting.includes(".evaluated;")) return counting;
  return counting
    .replaceAll(
      functionStart,
      "$&if(self.memo.enter($1, data)){$1.errors = self.memo.errors;return $1.errors === null;}",
    )
    .replaceAll(
      /(validate\d+)\.errors = (vErrors|\[\{[^]*?\}\]);return (?=false|errors === 0)/g,
      "$&self.memo.leave($1, data), ",
    );
}

/** With `allErrors`: keeps the first errors, counts the others, and gives up after many. */
function boundErrors(code: string): string {
  return code
    .replaceAll(new RegExp(pushError, "g"), "if(self.tally.keeps(vErrors)){$&}else errors++;")
    .replaceAll(addErrors, "vErrors = self.tally.merge(vErrors, $1.errors);errors += self.tally.failed;")
    .replaceAll(resetErrors, truncateErrors)
    .replaceAll(functionStart, "$&if(self.tally.enter($1)){$1.errors = null;return true;}")
    .replaceAll(loopStart, "$&if(self.tally.isSpent())break;")
    .replaceAll(
      /(validate\d+)\.errors = vErrors;(.*?)return errors === 0;/g,
      "$1.errors = vErrors;$2return self.tally.leave($1, errors);",
    );
}

const functionStart = /function (validate\d+)\(data, [^]*?let errors = 0;/g;
const loopStart = /for\((?:let i\d+=[^;]*;[^;]*; i\d+\+\+|const key\d+ in \w+)\)\{/g;
const pushError = String.raw`const (err\d+) = \{[^]*?\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;`;
const addErrors =
  /vErrors = vErrors === null \? (\S+?)\.errors : vErrors\.concat\(\1\.errors\);errors = vErrors\.length;/g;
const resetErrors = /vErrors\.length = (_errs\d+);/g;
const truncateErrors = "vErrors.length = Math.min(vErrors.length, $1);";

/** Tells which functions of generated code are called by themselves, through others or not. */
function createCallStack() {
  const running = new Map<Compiled, number>();
  return {
    clear: () => {
      running.clear();
    },
    /** Returns how many calls of the function have not returned yet, without this one. */
    enter: (validate: Compiled): number => {
      const depth = running.get(validate) ?? 0;
      running.set(validate, depth + 1);
      return depth;
    },
    leave: (validate: Compiled): number => {
      const depth = (running.get(validate) ?? 1) - 1;
      running.set(validate, depth);
      return depth;
    },
  };
}

/** What generated code keeps and counts while it collects the faults of one value. */
interface Tally {
  /** How many faults the function that returned last has found. */
  failed: number;
  readonly start: () => void;
  /** Tells whether enough has been done. */
  readonly enter: (validate: Compiled) => boolean;
  readonly leave: (validate: Compiled, errors: number) => boolean;
  readonly isSpent: () => boolean;
  /** Counts a fault, and tells whether it is to be kept beside others. */
  readonly keeps: (errors: readonly ErrorObject[] | null) => boolean;
  readonly merge: (errors: ErrorObject[] | null, others: ErrorObject[] | null) => ErrorObject[] | null;
}

function createTally(): Tally {
  const stack = createCallStack();
  let [faults, calls] = [0, 0];
  const tally: Tally = {
    failed: 0,
    start: () => {
      [faults, calls] = [0, 0];
      stack.clear();
    },
    enter: (validate) => {
      if (tally.isSpent()) return true;
      if (stack.enter(validate) > 0) calls += 1;
      return false;
    },
    leave: (validate, errors) => {
      stack.leave(validate);
      tally.failed = errors;
      return errors === 0;
    },
    isSpent: () => faults >= foundFaults || calls >= recursiveCalls,
    keeps: (errors) => {
      faults += 1;
      return faults <= foundFaults && (errors === null || errors.length < listedFaults);
    },
    merge: (errors, others) => [...(errors ?? []), ...(others ?? [])].slice(0, listedFaults),
  };
  return tally;
}

/** What functions that call themselves have found in the arrays and objects of one value. */
interface Memo {
  /** What the last function that was entered is known to have found. */
  errors: ErrorObject[] | null;
  readonly clear: () => void;
  /** Tells whether the result is known. */
  readonly enter: (validate: Compiled, value: unknown) => boolean;
  readonly leave: (validate: Compiled, value: unknown) => void;
}

function createMemo(): Memo {
  const stack = createCallStack();
  const results = new Map<Compiled, Map<unknown, ErrorObject[] | null>>();
  const memo: Memo = {
    errors: null,
    clear: () => {
      results.clear();
      stack.clear();
    },
    enter: (validate, value) => {
      const known = stack.enter(validate) > 0 ? results.get(validate)?.get(value) : undefined;
      if (known === undefined) return false;
      stack.leave(validate);
      memo.errors = known;
      return true;
    },
    leave: (validate, value) => {
      if (stack.leave(validate) === 0 || typeof value !== "object") return;
      const known = results.get(validate) ?? new Map<unknown, ErrorObject[] | null>();
      results.set(validate, known.set(value, validate.errors ?? null));
    },
  };
  return memo;
}

/** Looks a value up; ajv's own keyword compares it with each that is allowed. */
const enumeration: CodeKeywordDefinition = {
  keyword: "enum",
  schemaType: "array",
  error: { message: "must be equal to one of the allowed values" },
  code: (context) => {
    const list = listOf(context.schema);
    const allowed = new Set(list);
    const containers = new Set(list.filter(isContainer).map(serialize));
    const has = (value: unknown) =>
      allowed.has(value) || (containers.size > 0 && isContainer(value) && containers.has(serialize(value)));
    context.fail(_`!${context.gen.scopeValue("func", { ref: has })}(${context.data})`);
  },
};

/** Compares serialized items; ajv's own keyword compares each item with every other. */
const uniqueItems: CodeKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  error: {
    message: ({ params: { pair } }) =>
      str`must NOT have duplicate items (items ## ${_`${pair}[0]`} and ${_`${pair}[1]`} are identical)`,
  },
  code: (context) => {
    if (context.schema !== true) return;
    const { gen, data } = context;
    const pair = gen.const("pair", _`${gen.scopeValue("func", { ref: findDuplicates })}(${data})`);
    context.setParams({ pair });
    context.fail(_`${pair} !== undefined`);
  },
};

function findDuplicates(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = serialize(item);
    const earlier = seen.get(text);
    if (earlier !== undefined) return [earlier, index];
    seen.set(text, index);
  }
  return undefined;
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The same text for equal values. */
function serialize(value: unknown): string {
  return JSON.stringify(value, sortMembers);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function sortMembers(_key: string, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

/** Patterns should be valid with the flag `u` (JSON Schema 2020-12, section 6.4), but not everybody's are. */
const compilePattern = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: "new RegExp" },
);

const maps = new Set(["$defs", "dependentSchemas", "patternProperties", "properties"]);
const literals = new Set(["const", "default", "enum", "example", "examples"]);

/** Copies a schema: its references name the bundle, and it requires no property that is `oneWay`. */
function adaptSchema(
  schema: unknown,
  document: OpenApiDocument,
  oneWay: OneWay,
  inherited: ReadonlySet<string> = new Set(),
): unknown {
  if (Array.isArray(schema)) return schema.map((one) => adaptSchema(one, document, oneWay, inherited));
  if (!isObject(schema)) return schema;
  const optional = new Set([...inherited, ...namesOf(schema, document, oneWay)]);
  const adapt = (key: string, value: unknown): unknown => {
    if (key === "$schema") return undefined;
    if (literals.has(key)) return value;
    if (key === "$ref" && typeof value === "string" && value.startsWith("#")) return `${bundle}${value}`;
    if (key === "required" && Array.isArray(value)) return stringsOf(value).filter((name) => !optional.has(name));
    if (!maps.has(key) || !isObject(value)) {
      return adaptSchema(value, document, oneWay, key === "allOf" ? optional : undefined);
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, adaptSchema(one, document, oneWay)] as const),
    );
  };
  return Object.fromEntries(
    Object.entries(schema)
      .map(([key, value]) => [key, adapt(key, value)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/** The properties that are `oneWay`, of a schema and of those that it combines. */
function namesOf(schema: unknown, document: OpenApiDocument, oneWay: OneWay, depth = 0): readonly string[] {
  if (!isObject(schema) || depth > 8) return [];
  const { properties, allOf } = schema;
  const own = Object.entries(isObject(properties) ? properties : {}).filter(([, property]) => {
    const target = isReference(property) ? followReference(property.$ref, document) : undefined;
    return [property, target].some((one) => isObject(one) && one[oneWay] === true);
  });
  const target = isReference(schema) ? [followReference(schema.$ref, document)] : [];
  const combined = [...target, ...listOf(allOf)];
  return [...own.map(([name]) => name), ...combined.flatMap((one) => namesOf(one, document, oneWay, depth + 1))];
}

function faultOf(error: ErrorObject): Fault {
  const { instancePath, keyword, message = "is invalid", params, schema, parentSchema, data } = error;
  const { additionalProperty, unevaluatedProperty }: Readonly<Record<string, unknown>> = params;
  const found = additionalProperty ?? unevaluatedProperty;
  return {
    pointer: instancePath,
    keyword,
    expected: schema,
    schema: parentSchema,
    value: data,
    message: typeof found === "string" ? `${message}; found ${JSON.stringify(shorten(found))}` : message,
  };
}
