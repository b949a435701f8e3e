import { isObject, membersOf } from "../../values/json.ts";
import { attempt } from "../../contract/failures.ts";
import { readPattern } from "../../spec/patterns.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import { violationAt } from "./rules.ts";

/** A function that returns whether a value meets a condition. The value is `undefined` if the request lacks it. */
export type Matcher = (value: unknown) => boolean;

/** Returns whether a text may take too long to match the `$pattern` of a condition, and is never compared with it. */
export function isTooLong(text: unknown, condition: unknown): boolean {
  const pattern = isObject(condition) ? condition["$pattern"] : undefined;
  const expression = readPattern(pattern);
  return expression !== undefined && attempt(() => expression.test(String(text))) === undefined;
}

/**
 * Reads a condition that is more than a value: `{ "$pattern": "^Dr" }` or `{ "$absent": true }`. Returns
 * `undefined` for anything else, and the reason if it's a matcher with a mistake.
 */
export function readMatcher(value: unknown): Matcher | string | undefined {
  if (!isObject(value) || !("$pattern" in value || "$absent" in value)) return undefined;
  const { $pattern: pattern, $absent: absent, ...others } = value;
  if (Object.keys(others).length > 0 || (pattern !== undefined && absent !== undefined))
    return "must have either $pattern or $absent, and nothing else";
  if (pattern === undefined) return absent === true ? (sent) => sent === undefined : "must have $absent: true";
  const expression = readPattern(pattern);
  if (expression === undefined) return "must have a regular expression as its $pattern";
  if (!expression.isCompared)
    return "has a $pattern that may take too long: begin it with ^, with one part at most that is repeated or refers to a group";
  return (sent) => {
    if (typeof sent !== "string" && typeof sent !== "number") return false;
    return attempt(() => expression.test(String(sent))) ?? false;
  };
}

/** Finds matchers with a mistake in a condition, which is at `pointer` in the request body. */
export function matcherViolations(when: unknown, pointer: string): readonly FoundViolation[] {
  const matcher = readMatcher(when);
  if (typeof matcher === "string") return [violationAt(pointer, `${pointer} ${matcher}.`)];
  const members = Array.isArray(when) ? [...when.entries()] : membersOf(when);
  return matcher === undefined
    ? members.flatMap(([name, value]) => matcherViolations(value, `${pointer}/${name}`))
    : [];
}

/** A condition without its matchers, and without arrays that contain any: their other items would lose their places. */
export function withoutMatchers(condition: unknown): unknown {
  if (readMatcher(condition) !== undefined) return undefined;
  if (Array.isArray(condition)) {
    const items = condition.map(withoutMatchers);
    return items.includes(undefined) ? undefined : items;
  }
  if (!isObject(condition)) return condition;
  const members = membersOf(condition).map(([name, value]) => [name, withoutMatchers(value)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
