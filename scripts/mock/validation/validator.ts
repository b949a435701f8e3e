import { Ajv2020, type ErrorObject, type Options } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isObject } from "../../spec/json.ts";
import { type OpenApiDocument, type SchemaObject } from "../../spec/openapi.ts";
import { adaptSchema, bundle, type OneWay } from "./adaptSchema.ts";
import { formats } from "./formats.ts";
import { shorten } from "../secrets.ts";
import {
  boundErrors,
  createMemo,
  createTally,
  leaveOutTentative,
  listedFaults,
  type Compiled,
} from "./generatedCode.ts";
import { enumeration, uniqueItems } from "./keywords.ts";

/** One place where a value does not fit its schema. */
export interface SchemaFault {
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
  readonly faults: readonly SchemaFault[];
  /** How many faults there are at least; 0 if the value is valid. */
  readonly total: number;
}

export type Validate = (value: unknown) => Verdict;

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

const responseValidators = new WeakMap<SchemaObject, IsValid>();

/** The validator of a schema for responses: it is compiled for its first value and then kept. */
export function responseValidator(schema: SchemaObject, document: OpenApiDocument): IsValid {
  const known = responseValidators.get(schema);
  if (known !== undefined) return known;
  const { judge } = compilersOf(document, "writeOnly");
  const compiled = once(() => compile(judge(), adaptSchema(schema, document, "writeOnly")));
  const isValid = (value: unknown) => {
    judge().memo.clear();
    return compiled()(value);
  };
  responseValidators.set(schema, isValid);
  return isValid;
}

const valid: Verdict = { faults: [], total: 0 };

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

function faultOf(error: ErrorObject): SchemaFault {
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
