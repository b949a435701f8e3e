/** The state of a validation: its place, its results, and its remaining budget. */
import { jsonPointer } from "../../values/json.ts";

/** One place where a value violates its schema. */
export interface SchemaViolation {
  /** JSON Pointer (RFC 6901) to the place. */
  readonly pointer: string;
  /** The violated keyword and its value. */
  readonly keyword: string;
  readonly expected: unknown;
  /** The value at the place. */
  readonly value: unknown;
  /** Continues a sentence that begins with the place: `must be at least 1`. */
  readonly message: string;
  /** The name of a property that an object must not have. */
  readonly property?: string;
  /** If no alternative of `anyOf` or `oneOf` is valid, the violations of each. */
  readonly alternatives?: readonly (readonly SchemaViolation[])[];
}

/** The keyword of a check, for its violations. */
export interface KeywordRule {
  readonly keyword: string;
  readonly expected: unknown;
}

export interface Run {
  /** The remaining steps. Each application of a schema takes one, and long texts and lists take more. */
  steps: number;
  /** The current nesting of schemas. */
  depth: number;
  /** The keys that lead to the value. */
  readonly keys: (string | number)[];
  /** The violations so far. `undefined` if only validity matters. */
  violations: SchemaViolation[] | undefined;
  /** How many keywords or patterns weren't checked, so that what is valid so far may be invalid. */
  unchecked: number;
  /** How many more violations may be recorded. */
  room: number;
}

/** Thrown when a validation exceeds its budget. */
export class TooMuchEffort extends Error {
  override name = "TooMuchEffort";
}

/** Takes steps from the budget. Throws {@link TooMuchEffort} if there are none left. */
export function takeSteps(run: Run, steps: number): void {
  run.steps -= steps;
  if (run.steps < 0) throw new TooMuchEffort();
}

/** Returns whether the result is final after a violation. */
export function isSettled(run: Run): boolean {
  return run.violations === undefined || run.room <= 0;
}

/** The parts of a violation besides its place and its rule. */
type Details = Pick<SchemaViolation, "message" | "alternatives" | "property">;

/**
 * Records a violation and returns `false`, the result of a check. `said` is the message, or a function that
 * returns more.
 */
export function fail(run: Run, rule: KeywordRule, value: unknown, said: string | (() => Details)): false {
  const { violations } = run;
  if (violations === undefined || run.room <= 0) return false;
  // Counted before the violations of its alternatives.
  run.room -= 1;
  const { keyword, expected } = rule;
  const details = typeof said === "string" ? { message: said } : said();
  violations.push({ pointer: jsonPointer(run.keys.map(String)), keyword, expected, value, ...details });
  return false;
}

/**
 * Returns whether a test succeeds, without recording violations. `undefined` if that depends on a keyword or pattern
 * that isn't checked.
 */
export function isValidQuietly(run: Run, test: () => boolean): boolean | undefined {
  const { violations, unchecked } = run;
  run.violations = undefined;
  const isValid = test();
  run.violations = violations;
  if (isValid) return run.unchecked > unchecked ? undefined : true;
  // Whatever they are, it's invalid.
  run.unchecked = unchecked;
  return false;
}

/** The violations that a test adds. */
export function violationsOf(run: Run, test: () => boolean): readonly SchemaViolation[] {
  const { violations } = run;
  const found: SchemaViolation[] = [];
  run.violations = found;
  test();
  run.violations = violations;
  return found;
}
