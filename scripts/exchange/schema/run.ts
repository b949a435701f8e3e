/** The state of one validation: where it is, what it has found, and how much it may still do. */
import { jsonPointer } from "../../spec/json.ts";

/** One place where a value violates its schema. */
export interface SchemaViolation {
  /** A JSON Pointer (RFC 6901) to the place. */
  readonly pointer: string;
  /** The violated keyword and its value. */
  readonly keyword: string;
  readonly expected: unknown;
  /** What is at the place. */
  readonly value: unknown;
  /** Continues a sentence that begins with the place: `must be at least 1`. */
  readonly message: string;
  /** The name of a property that an object must not have. */
  readonly property?: string;
  /** Of `anyOf` and `oneOf`, where no alternative is valid: the violations of each of them. */
  readonly alternatives?: readonly (readonly SchemaViolation[])[];
}

/** The keyword of a schema that a check belongs to, as violations name it. */
export interface KeywordRule {
  readonly keyword: string;
  readonly expected: unknown;
}

/**
 * The properties or the items of a value that keywords have evaluated, by name or index: the annotations that
 * `unevaluatedProperties` and `unevaluatedItems` need (JSON Schema 2020-12, sections 11.2 and 11.3).
 */
export type Evaluated = Set<string | number>;

export interface Run {
  /** How much may still be done: each application of a schema takes a step, and long texts and lists take some more. */
  steps: number;
  /** How many schemas are being applied inside each other. */
  depth: number;
  /** The keys that lead to the value. */
  readonly keys: (string | number)[];
  /** Where violations go; `undefined` while it only matters whether the value is valid. */
  violations: SchemaViolation[] | undefined;
  /** How many violations may still be found. */
  room: number;
  /** The dynamic anchors of the schemas that are being applied, the outermost one first (section 8.2.3.2). */
  readonly anchors: ReadonlyMap<string, unknown>[];
}

/** Ends a validation that takes too much effort. */
export class TooMuchEffort extends Error {
  override name = "TooMuchEffort";
}

/** Takes steps of a run. Throws {@link TooMuchEffort} if there are no more. */
export function takeSteps(run: Run, steps: number): void {
  run.steps -= steps;
  if (run.steps < 0) throw new TooMuchEffort();
}

/** Tells whether nothing more needs to be known once something is wrong. */
export function isSettled(run: Run): boolean {
  return run.violations === undefined || run.room <= 0;
}

/** What a violation says beyond its place and its rule. */
type Details = Pick<SchemaViolation, "message" | "alternatives" | "property">;

/** Notes that a value violates a rule. Always `false`, as the outcome of a check. `said`: the message, or what makes more. */
export function fail(run: Run, rule: KeywordRule, value: unknown, said: string | (() => Details)): false {
  const { violations } = run;
  if (violations === undefined || run.room <= 0) return false;
  // It is counted before the violations of its alternatives.
  run.room -= 1;
  const { keyword, expected } = rule;
  const details = typeof said === "string" ? { message: said } : said();
  violations.push({ pointer: jsonPointer(run.keys.map(String)), keyword, expected, value, ...details });
  return false;
}

/** Tells whether something is valid, without noting what is wrong. */
export function isValidQuietly(run: Run, test: () => boolean): boolean {
  const { violations } = run;
  run.violations = undefined;
  const isValid = test();
  run.violations = violations;
  return isValid;
}

/** The violations that a test finds, apart from those found before. */
export function violationsOf(run: Run, test: () => boolean): readonly SchemaViolation[] {
  const { violations } = run;
  const found: SchemaViolation[] = [];
  run.violations = found;
  test();
  run.violations = violations;
  return found;
}
