import { Ajv2020, type ErrorObject, type FuncKeywordDefinition } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { attempt, messageOf, UserError } from "../contract/failures.ts";
import { recall } from "../contract/text.ts";
import { isObject, membersOf, stringsOf, valueAt } from "../spec/json.ts";
import { isSchema, referencedValue, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { applicableSchemas, propertySchemas, typesOf } from "../spec/schemas.ts";
import { mapObjects } from "../spec/walk.ts";
import { pointerOf } from "./describedValues.ts";
import { shorten } from "./secrets.ts";
import { formats, keywords } from "./keywords.ts";

/** One place where a value violates its schema. */
export interface SchemaViolation {
  /** A JSON Pointer (RFC 6901) to the place. */
  readonly pointer: string;
  /** The violated keyword and its value. */
  readonly keyword: string;
  readonly expected: unknown;
  readonly value: unknown;
  /** Continues a sentence that begins with the place: `must be >= 1`. */
  readonly message: string;
}

/** The violations in a value, which are none if it is valid. `size`: the length of its JSON, if that may be large. */
export type Validate = (value: unknown, size?: number) => Verdict;

export interface Verdict {
  readonly violations: readonly SchemaViolation[];
  /** True if there may be other violations: without any, nobody can tell. */
  readonly isPartial: boolean;
}

/** The violations in larger bodies could fill the memory. In bytes of JSON. */
const fullyValidated = 65_536;
/** ajv copies all errors for each reference to a schema that is violated: so many take some 10 ms. */
const referencesWithAllErrors = 1_000;
/**
 * Where alternatives contain themselves, ajv validates the innermost values once for each way that leads to them. No
 * other body needs so many references, and those of its own size. They take some 100 ms.
 */
const mostReferences = 100_000;

/**
 * Makes a validator of JSON Schema 2020-12, for requests unless `oneWay` says otherwise. It asserts formats; references
 * lead into `document`. It is compiled for its first value and then kept. If it cannot be compiled, validating throws
 * {@link UnusableSchema}, and `UserError` where compiling is forbidden.
 *
 * All violations are found in a value that is small and refers little; otherwise the first, and those in alternatives.
 */
export function createValidator(schema: unknown, document: OpenApiDocument, oneWay: OneWay = "readOnly"): Validate {
  const findFirst = createSearch(schema, document, oneWay, false);
  const findAll = createSearch(schema, document, oneWay, true);
  return (value, size = 0) => {
    const first = findFirst(value, mostReferences + size);
    if (first === undefined) return { violations: [tooManyReferences], isPartial: false };
    if (first.length === 0) return { violations: [], isPartial: first === unchecked };
    const all = size > fullyValidated ? [] : (findAll(value, referencesWithAllErrors) ?? []);
    const isPartial = all.length === 0;
    return { violations: (isPartial ? first : all).map(violationOf), isPartial };
  };
}

const tooManyReferences: SchemaViolation = {
  pointer: "",
  keyword: "$ref",
  expected: undefined,
  value: undefined,
  message:
    "must have fewer levels: it takes too long to validate, because alternatives of its schema contain themselves",
};

/** Makes a function that finds the first violation in a value of a response. */
export function responseViolation(schema: SchemaObject, document: OpenApiDocument) {
  const find = createSearch(schema, document, "writeOnly", false);
  return (value: unknown): SchemaViolation | undefined => find(value, Infinity)?.slice(0, 1).map(violationOf)[0];
}

/** Makes a function that tells whether a value is valid in a response. */
export function responseValidator(schema: SchemaObject, document: OpenApiDocument): (value: unknown) => boolean {
  const findViolation = responseViolation(schema, document);
  return (value) => findViolation(value) === undefined;
}

/** Properties so marked need not be in a request, or not in a response (OpenAPI 3.1.1, section 4.8.24). */
type OneWay = "readOnly" | "writeOnly";

function createSearch(schema: unknown, document: OpenApiDocument, oneWay: OneWay, allErrors: boolean) {
  let compiled: Compiled | undefined;
  return (value: unknown, references: number): readonly ErrorObject[] | undefined => {
    compiled ??= compilerOf(document, oneWay, allErrors)(schema);
    budget.references = references;
    try {
      return compiled(value) ? [] : (compiled.errors ?? []);
    } catch (error) {
      if (error instanceof TooManyReferences) return undefined;
      if (error instanceof RangeError) return unchecked;
      throw error;
    }
  };
}

/** What is found where a text is so long that a pattern or a format runs out of stack. */
const unchecked: readonly ErrorObject[] = [];

/** The contract has a schema that cannot be compiled, so nothing is known of any value. The message says which, and why. */
export class UnusableSchema extends UserError {
  override name = "UnusableSchema";
}

/** What a check gives, or something else where its schema cannot be compiled: that gets the reason. */
export function unlessUnusable<Result, Other>(
  check: () => Result,
  otherwise: (reason: string) => Other,
): Result | Other {
  try {
    return check();
  } catch (error) {
    if (error instanceof UnusableSchema) return otherwise(error.message);
    throw error;
  }
}

const compilingForbidden =
  "schemas cannot be compiled, because this process may not make code of text: run Node.js without " +
  "--disallow-code-generation-from-strings";

/** Throws {@link UserError} where this process may not compile schemas. */
export function requireCompiling(): void {
  // oxlint-disable-next-line typescript/no-implied-eval -- There is no other way to ask, and it runs nothing.
  if (attempt(() => new Function()) === undefined) throw new UserError(compilingForbidden);
}

type Compiled = ((value: unknown) => boolean) & { errors?: ErrorObject[] | null };

type Compile = (schema: unknown) => Compiled;

const compilers = new WeakMap<OpenApiDocument, Map<string, Compile>>();

/** Of the document, only what a schema refers to is read: the first answer takes no longer with 1,000 operations. */
function compilerOf(document: OpenApiDocument, oneWay: OneWay, allErrors: boolean): Compile {
  const ofDocument = recall(compilers, document, () => new Map<string, Compile>());
  return recall(ofDocument, `${oneWay} ${allErrors}`, () => createCompiler(document, oneWay, allErrors));
}

function createCompiler(document: OpenApiDocument, oneWay: OneWay, allErrors: boolean): Compile {
  const ajv = createAjv(allErrors);
  const names = new Map<string, string>();
  const nameOf = (reference: string): string => {
    const known = names.get(reference);
    if (known !== undefined) return known;
    // Absolute, so that the `$id` of a schema around it does not change it.
    const name = `urn:reference:${names.size}`;
    names.set(reference, name);
    ajv.addSchema({ allOf: [adaptSchema(referencedValue(document, reference), document, oneWay, nameOf)] }, name);
    return name;
  };
  const compile = (schema: unknown): Compiled => {
    const adapted = adaptSchema(schema, document, oneWay, nameOf);
    return ajv.compile(isObject(adapted) ? adapted : adapted !== false);
  };
  const compiled = new Map<unknown, Compiled>();
  return (schema) =>
    recall(compiled, schema, () => {
      try {
        return compile(schema);
      } catch (error) {
        return unusable(schema, document, error);
      }
    });
}

/** In place of a compiled schema. Throws `UserError` at once if none can be compiled. */
function unusable(schema: unknown, document: OpenApiDocument, error: unknown): Compiled {
  requireCompiling();
  const pointer = isSchema(schema) ? pointerOf(document, schema) : "";
  const reason = new UnusableSchema(`the contract's schema ${pointer} cannot be compiled: ${messageOf(error)}`);
  return () => {
    throw reason;
  };
}

/**
 * Copies a schema: its references have the names that `nameOf` gives them and are counted, it requires no property that is
 * `oneWay`, and integers in requests have to be exact.
 */
function adaptSchema(
  schema: unknown,
  document: OpenApiDocument,
  oneWay: OneWay,
  nameOf: (reference: string) => string,
): unknown {
  const optionalAt = (keys: readonly string[]): readonly string[] => [
    ...oneWayProperties(valueAt(schema, keys), document, oneWay),
    ...(keys.at(-2) === "allOf" ? optionalAt(keys.slice(0, -2)) : []),
  ];
  return mapObjects(schema, (object, keys) => {
    const { $ref, required } = object;
    const isInternal = typeof $ref === "string" && $ref.startsWith("#");
    const adapted = {
      ...object,
      ...(isInternal && { $ref: nameOf($ref), countReference: true }),
      ...(oneWay === "readOnly" && typesOf(object).includes("integer") && { exactInteger: true }),
    };
    if (!Array.isArray(required)) return adapted;
    const optional = new Set(optionalAt(keys));
    return { ...adapted, required: stringsOf(required).filter((name) => !optional.has(name)) };
  });
}

function oneWayProperties(schema: unknown, document: OpenApiDocument, oneWay: OneWay): readonly string[] {
  return [...propertySchemas(document, schema)]
    .filter(([, property]) => applicableSchemas(document, property).some((one) => one[oneWay] === true))
    .map(([name]) => name);
}

function createAjv(allErrors: boolean): Ajv2020 {
  const code = { regExp: compilePattern };
  // What lint has checked is not checked again.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, verbose: true, allErrors, code });
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  for (const keyword of keywords) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  return ajv.addKeyword(countReference);
}

class TooManyReferences extends Error {
  override name = "TooManyReferences";
}

/** Number of references that may still be followed in the value that is being validated. */
const budget = { references: 0 };

/** Is beside each reference in an adapted schema. */
const countReference: FuncKeywordDefinition = {
  keyword: "countReference",
  before: "$ref",
  schema: false,
  errors: false,
  validate: () => {
    budget.references -= 1;
    if (budget.references < 0) throw new TooManyReferences();
    return true;
  },
};

/** Patterns should be valid with the flag `u` (JSON Schema 2020-12, section 6.4), but not everybody's are. */
const compilePattern = Object.assign(
  (pattern: string, flags: string) => attempt(() => new RegExp(pattern, flags)) ?? new RegExp(pattern),
  { code: "new RegExp" },
);

function violationOf(error: ErrorObject): SchemaViolation {
  const { instancePath, keyword, message = "is invalid", params, schema, parentSchema, data } = error;
  const { additionalProperty, unevaluatedProperty }: Readonly<Record<string, unknown>> = params;
  const found = additionalProperty ?? unevaluatedProperty;
  const names = membersOf(parentSchema?.["properties"]).map(([name]) => name);
  const others = names.length === 0 ? "" : `; it may have ${shorten(names.join(", "), 300)}`;
  return {
    pointer: instancePath,
    keyword,
    expected: schema,
    value: data,
    message: typeof found === "string" ? `must not have ${JSON.stringify(shorten(found))}${others}` : message,
  };
}
