/**
 * A validator of JSON Schema 2020-12, the dialect of OpenAPI 3.1. It interprets schemas: it generates no code, and it
 * counts its steps, so no value takes it long.
 */
import { applySchema } from "./schema/applySchema.ts";
import { UserError } from "../contract/failures.ts";
import { pointerOf } from "./describedValues.ts";
import { MalformedKeyword, type OneWay } from "./schema/keyword.ts";
import { scopeOf } from "./schema/prepareSchema.ts";
import { TooMuchEffort, type Run, type SchemaViolation } from "./schema/run.ts";
import { faultsAt } from "./schema/schemaFaults.ts";

/** The violations in a value, which are none if it is valid. */
export interface Verdict {
  readonly violations: readonly SchemaViolation[];
  /** True if there may be other violations: without any, nobody can tell. */
  readonly isPartial: boolean;
}

export type Validate = (value: unknown) => Verdict;

/** Steps that a value may take, which are some 100 ms. A body of 1 MiB has at most half a million values. */
const mostSteps = 3_000_000;
/** The violations in larger bodies could fill the memory. */
const mostViolations = 1_000;

/**
 * Makes a validator for requests, unless `oneWay` says otherwise. It asserts formats; references lead into `document`. What
 * it needs of the schema is prepared for the first value and then kept.
 *
 * A request that takes too much effort is refused; of a response, nobody can tell. Validating throws {@link UnusableSchema}.
 */
export function createValidator(schema: unknown, document: object, oneWay: OneWay = "readOnly"): Validate {
  return (value) => {
    const { violations, stopped } = findViolations(schema, value, { document, oneWay });
    if (stopped === "effort" && violations.length === 0 && oneWay === "readOnly")
      return { violations: [takesTooLong], isPartial: false };
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

/** Makes a function that finds the first violation in a value of a response. */
export function responseViolation(schema: unknown, document: object): (value: unknown) => SchemaViolation | undefined {
  return (value) => {
    const { violations, stopped } = findViolations(schema, value, {
      document,
      oneWay: "writeOnly",
      room: fewViolations,
    });
    const [first] = violations.flatMap(withAlternatives);
    return first ?? (stopped === "effort" ? takesTooLong : undefined);
  };
}

/** Of alternatives, these are the first ones that tell why. */
const fewViolations = 10;

/** Makes a function that tells whether a value is valid in a response. */
export function responseValidator(schema: unknown, document: object): (value: unknown) => boolean {
  const findViolation = responseViolation(schema, document);
  return (value) => findViolation(value) === undefined;
}

interface Task {
  readonly document: object;
  readonly oneWay: OneWay;
  /** How many violations are looked for. By default, {@link mostViolations}. */
  readonly room?: number;
}

/**
 * The violations of a value as a tree; `stopped`: why there may be more. Throws {@link UnusableSchema} where a keyword is
 * malformed.
 */
export function findViolations(schema: unknown, value: unknown, { document, oneWay, room = mostViolations }: Task) {
  const violations: SchemaViolation[] = [];
  const run: Run = { steps: mostSteps, depth: 0, keys: [], violations, room, anchors: [] };
  try {
    applySchema(scopeOf(document, oneWay).schema(schema), value, run);
  } catch (error) {
    if (error instanceof MalformedKeyword) throw new UnusableSchema(describeMalformed(error, document));
    // A text is so long that its pattern runs out of stack.
    const isEffort = error instanceof TooMuchEffort || error instanceof RangeError;
    if (!isEffort) throw error;
    return { violations, stopped: "effort" as const };
  }
  return { violations, stopped: run.room <= 0 ? ("room" as const) : undefined };
}

/** A schema of the contract cannot be used, so nothing is known of any value. The message says which, and why. */
export class UnusableSchema extends UserError {
  override name = "UnusableSchema";
}

function describeMalformed({ schema, keyword }: MalformedKeyword, document: object): string {
  const fault = faultsAt(schema, document).find((one) => one.keyword === keyword);
  return `the contract's schema ${pointerOf(document, schema)} cannot be used: \`${keyword}\` ${fault?.message ?? "leads to nothing"}`;
}

/** What a check gives, or something else where its schema cannot be used: that gets the reason. */
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

/** A violation behind those of its alternatives. */
function withAlternatives(violation: SchemaViolation): readonly SchemaViolation[] {
  return [...(violation.alternatives ?? []).flat().flatMap(withAlternatives), violation];
}
