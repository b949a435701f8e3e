/**
 * A validator for JSON Schema 2020-12, the dialect of OpenAPI 3.1. It interprets schemas without generating
 * code. It limits its steps, so every validation is fast.
 */
import { applySchema } from "./schema/applySchema.ts";
import { UserError } from "../contract/failures.ts";
import { pointerOf } from "./describedValues.ts";
import { MalformedKeyword, type OneWay } from "./schema/keyword.ts";
import { scopeOf } from "./schema/prepareSchema.ts";
import { TooMuchEffort, type Run, type SchemaViolation } from "./schema/run.ts";

/** The violations in a value. Empty if it is valid. */
export interface Verdict {
  readonly violations: readonly SchemaViolation[];
  /** True if there may be more violations. If none are listed, the result is unknown. */
  readonly isPartial: boolean;
}

export type Validate = (value: unknown) => Verdict;

/** Limit of steps for a value, which take some 100 ms. A body of 1 MiB has at most half a million values. */
const maxSteps = 3_000_000;
/** The violations in a large body could exhaust the memory. */
const maxViolations = 1_000;

/**
 * Creates a validator for requests, or for responses if `oneWay` is `writeOnly`. It asserts formats. References lead
 * into `document`. The schema is prepared for the first value and then cached.
 *
 * If validation exceeds its budget, a request is refused, and the result for a response is unknown. The validator throws
 * {@link UnusableSchema}.
 */
export function createValidator(schema: unknown, document: object, oneWay: OneWay = "readOnly"): Validate {
  return (value) => {
    const { violations, stopped, place } = findViolations(schema, value, { document, oneWay });
    if (place !== undefined && violations.length === 0 && oneWay === "readOnly")
      return { violations: [place], isPartial: false };
    return { violations: violations.flatMap(withAlternatives), isPartial: stopped !== undefined };
  };
}

const takesTooLong: SchemaViolation = {
  pointer: "",
  keyword: "$ref",
  expected: undefined,
  value: undefined,
  message: "must be smaller, or have fewer levels: validating it takes too long",
};

/** Creates a function that finds the first violation in a value of a response. */
export function responseViolation(schema: unknown, document: object): (value: unknown) => SchemaViolation | undefined {
  return (value) => {
    const task = { document, oneWay: "writeOnly", room: fewViolations } as const;
    const { violations, place } = findViolations(schema, value, task);
    const [first = place] = violations.flatMap(withAlternatives);
    return first;
  };
}

/** The first violations of the alternatives are enough to explain the failure. */
const fewViolations = 10;

/** Creates a function that returns whether a value is valid in a response. */
export function responseValidator(schema: unknown, document: object): (value: unknown) => boolean {
  const findViolation = responseViolation(schema, document);
  return (value) => findViolation(value) === undefined;
}

interface Task {
  readonly document: object;
  readonly oneWay: OneWay;
  /** Maximum number of violations. Default: {@link maxViolations}. */
  readonly room?: number;
}

/**
 * The violations of a value as a tree. `stopped` is the reason why there may be more. `place` is what takes too long to
 * validate, if anything does. Throws {@link UnusableSchema} if a keyword is malformed.
 */
export function findViolations(schema: unknown, value: unknown, { document, oneWay, room = maxViolations }: Task) {
  const violations: SchemaViolation[] = [];
  const run: Run = { steps: maxSteps, depth: 0, keys: [], violations, unchecked: 0, room };
  try {
    applySchema(scopeOf(document, oneWay).schema(schema), value, run);
  } catch (error) {
    if (error instanceof MalformedKeyword) throw new UnusableSchema(describeMalformed(error, document));
    // A long text can make its pattern overflow the stack, and a pattern may be too large.
    const isEffort = [TooMuchEffort, RangeError, SyntaxError].some((one) => error instanceof one);
    if (!isEffort) throw error;
    return { violations, stopped: "effort" as const, place: takesTooLong };
  }
  return { violations, stopped: run.room <= 0 ? ("room" as const) : undefined, place: undefined };
}

/**
 * Thrown when a schema of the contract is unusable, so that no value can be checked. The message names the
 * schema and the reason.
 */
export class UnusableSchema extends UserError {
  override name = "UnusableSchema";
}

function describeMalformed({ schema, keyword, message }: MalformedKeyword, document: object): string {
  return `the contract's schema ${pointerOf(document, schema)} cannot be used: \`${keyword}\` ${message}`;
}

/** Returns the result of a check, or calls a function with the reason if its schema is unusable. */
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

/** A violation after those of its alternatives. */
export function withAlternatives(violation: SchemaViolation): readonly SchemaViolation[] {
  return [...(violation.alternatives ?? []).flat().flatMap(withAlternatives), violation];
}
