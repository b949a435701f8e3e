import { isObject } from "../../spec/json.ts";
import type { Check, Checks, PreparedSchema } from "./keyword.ts";
import { isSettled, takeSteps, TooMuchEffort, type Evaluated, type Run } from "./run.ts";

/** Nested schemas. Some 1,200 levels overflow the stack. */
const mostLevels = 1_000;

/**
 * Applies a schema to a value, and returns whether the value is valid. If it is, the properties or items that
 * the schema evaluates are added to `outer`. Throws {@link TooMuchEffort} and {@link MalformedKeyword}.
 */
export function applySchema(schema: PreparedSchema, value: unknown, run: Run, outer?: Evaluated): boolean {
  const checks = (schema.checks ??= schema.prepare());
  takeSteps(run, checks.cost);
  if (run.depth >= mostLevels) throw new TooMuchEffort();
  run.depth += 1;
  const evaluated: Evaluated | undefined = outer !== undefined || checks.isTracking ? new Set() : undefined;
  if (checks.anchors !== undefined) run.anchors.push(checks.anchors);
  const isValid = passesAll(checks, value, run, evaluated);
  if (checks.anchors !== undefined) run.anchors.pop();
  run.depth -= 1;
  if (isValid && outer !== undefined && evaluated !== undefined) {
    takeSteps(run, evaluated.size >> 4);
    for (const key of evaluated) outer.add(key);
  }
  return isValid;
}

/** Applies a schema to a property or an item of the value. */
export function applyInside(schema: PreparedSchema, value: unknown, key: string | number, run: Run): boolean {
  run.keys.push(key);
  const isValid = applySchema(schema, value, run);
  run.keys.pop();
  return isValid;
}

function passesAll(checks: Checks, value: unknown, run: Run, evaluated: Evaluated | undefined): boolean {
  if (typeof value === "string") {
    takeSteps(run, value.length >> 6);
    return passes(checks.string, value, run, evaluated);
  }
  if (typeof value === "number") return passes(checks.number, value, run, evaluated);
  if (Array.isArray(value)) return passes<readonly unknown[]>(checks.array, value, run, evaluated);
  if (isObject(value)) return passes(checks.object, value, run, evaluated);
  return passes(checks.other, value, run, evaluated);
}

function passes<Value>(checks: readonly Check<Value>[], value: Value, run: Run, evaluated: Evaluated | undefined) {
  let isValid = true;
  for (const check of checks) {
    if (check(value, run, evaluated)) continue;
    isValid = false;
    if (isSettled(run)) break;
  }
  return isValid;
}
