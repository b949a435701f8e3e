import { isObject } from "../../values/json.ts";
import type { Check, Checks, PreparedSchema } from "./keyword.ts";
import { isSettled, takeSteps, TooMuchEffort, type Run } from "./run.ts";

/** Nested schemas. Some 1,200 levels overflow the stack. */
const maxLevels = 1_000;

/** Applies a schema to a value, and returns whether the value is valid. Throws {@link TooMuchEffort} and {@link MalformedKeyword}. */
export function applySchema(schema: PreparedSchema, value: unknown, run: Run): boolean {
  const checks = (schema.checks ??= schema.prepare());
  takeSteps(run, checks.cost);
  if (run.depth >= maxLevels) throw new TooMuchEffort();
  run.depth += 1;
  const isValid = passesAll(checks, value, run);
  run.depth -= 1;
  return isValid;
}

/** Applies a schema to a property or an item of the value. */
export function applyInside(schema: PreparedSchema, value: unknown, key: string | number, run: Run): boolean {
  run.keys.push(key);
  const isValid = applySchema(schema, value, run);
  run.keys.pop();
  return isValid;
}

function passesAll(checks: Checks, value: unknown, run: Run): boolean {
  if (typeof value === "string") {
    takeSteps(run, value.length >> 6);
    return passes(checks.string, value, run);
  }
  if (typeof value === "number") return passes(checks.number, value, run);
  if (Array.isArray(value)) return passes<readonly unknown[]>(checks.array, value, run);
  if (isObject(value)) return passes(checks.object, value, run);
  return passes(checks.other, value, run);
}

function passes<Value>(checks: readonly Check<Value>[], value: Value, run: Run) {
  let isValid = true;
  for (const check of checks) {
    if (check(value, run)) continue;
    isValid = false;
    if (isSettled(run)) break;
  }
  return isValid;
}
