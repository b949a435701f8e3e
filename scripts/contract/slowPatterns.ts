import { isObject, membersOf } from "../spec/json.ts";
import { isSimple } from "../spec/patterns.ts";
import { walk } from "../spec/walk.ts";

/** Returns whether a description has a pattern for which JavaScript may take long. */
export function hasSlowPatterns(document: object): boolean {
  for (const { value, isMap } of walk(document)) {
    if (isMap || !isObject(value)) continue;
    const { pattern, patternProperties } = value;
    const patterns = [pattern, ...membersOf(patternProperties).map(([name]) => name)];
    if (patterns.some((one) => typeof one === "string" && !isSimple(one))) return true;
  }
  return false;
}
