import type { Oas3Decorator } from "@redocly/openapi-core";
import { isObject, membersOf } from "../../spec/json.ts";
import { valueAt } from "../../spec/jsonPointer.ts";
import { lifecycleDays } from "../../spec/lifecycle.ts";

/** Deprecates every operation of a generation whose `info` has `x-deprecated-on`, with the days of `info` if it has none. */
export const passOnDeprecation: Oas3Decorator = () => {
  const names: readonly string[] = Object.values(lifecycleDays);
  let days: readonly (readonly [string, unknown])[] = [];
  return {
    Root(root: unknown) {
      const info = valueAt(root, ["info"]);
      const isDeprecated = isObject(info) && lifecycleDays.deprecatedOn in info;
      days = isDeprecated ? membersOf(info).filter(([name]) => names.includes(name)) : [];
    },
    Operation(operation: unknown) {
      if (!isObject(operation) || days.length === 0) return;
      for (const [name, value] of [["deprecated", true] as const, ...days]) {
        if (!(name in operation)) Reflect.set(operation, name, value);
      }
    },
  };
};
