import type { Oas3Rule, UserContext } from "@redocly/openapi-core";
import { isObject } from "../../spec/json.ts";
import { lifecycleDays } from "../../spec/lifecycle.ts";
import { keyOf, visitSchemas, type Node } from "../nodes.ts";

/** `x-deprecated-on` and `x-sunset` are days, in that order, and only of what is deprecated. */
export const deprecation: Oas3Rule = () => ({
  Operation(operation: unknown, ctx) {
    if (isObject(operation)) checkDays(operation, operation["deprecated"] === true, ctx);
  },
  Info(info: unknown, ctx) {
    // A whole generation is deprecated by the day alone.
    if (isObject(info)) checkDays(info, lifecycleDays.deprecatedOn in info, ctx, lifecycleDays.deprecatedOn);
  },
  ...visitSchemas((schema, ctx) => {
    checkDays(schema, schema["deprecated"] === true, ctx);
  }),
});

function checkDays(node: Node, isDeprecated: boolean, ctx: UserContext, remedy = "`deprecated: true`"): void {
  const report = (key: string, message: string) => {
    ctx.report({ message, location: keyOf(ctx.location.child(key)) });
  };
  const { deprecatedOn, sunset } = lifecycleDays;
  for (const key of [deprecatedOn, sunset].filter((key) => key in node)) {
    const text = String(node[key]);
    const day = new Date(`${text}T00:00:00Z`);
    const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
    if (!isDay) report(key, `This is not a day, such as 2027-06-30: ${text}`);
    else if (!isDeprecated) report(key, `Only what is deprecated has this: add ${remedy}.`);
  }
  const [from, to] = [node[deprecatedOn], node[sunset]];
  if (typeof from === "string" && typeof to === "string" && to < from) {
    report(sunset, `This day is before the one of ${deprecatedOn}, ${from}.`);
  }
}
