import { isDeepStrictEqual } from "node:util";
import { isObject, parseJson, stringsOf } from "../spec/json.ts";
import { lifecycleDays, lifecycleOf } from "../spec/lifecycle.ts";
import type { Change } from "./changes.ts";
import type { ToolChange } from "./runRedoclyDiff.ts";

/** The gaps that a change of `x-unspecified` closes and opens. */
export function compareGaps(change: ToolChange): NonNullable<Change["gaps"]> {
  const [before = [], after = []] = [change.before, change.after].map((gaps) => stringsOf(parseJson(String(gaps))));
  return {
    closed: before.filter((gap) => !after.includes(gap)),
    opened: after.filter((gap) => !before.includes(gap)),
  };
}

/**
 * A change in words: what becomes of the place with that name, an object with the days that it has by now, or the values
 * that differ, with the message of a rule that they break.
 */
export function describeToolChange(change: ToolChange, place: string, object: unknown, message?: string): string {
  const { property, before } = change;
  const [, noun, name = ""] = /^(?:(parameter|response) )?(.*)$/.exec(place) ?? [];
  const subject = noun === undefined ? `\`${name}\`` : `The ${noun} \`${name}\``;
  const { isDeprecated, deprecatedOn, sunset } = lifecycleOf(isObject(object) ? object : {});
  if (property === lifecycleDays.sunset) {
    if (sunset === undefined) return `${subject} is no longer due to be removed.`;
    return `${subject} will be removed on ${sunset}${typeof before === "string" ? `, not on ${before}` : ""}.`;
  }
  if (property === "deprecated" || property === lifecycleDays.deprecatedOn) {
    if (!isDeprecated) return `${subject} is no longer deprecated.`;
    const end = sunset === undefined ? "" : `, and will be removed on ${sunset}`;
    return `${subject} is deprecated${deprecatedOn === undefined ? "" : ` as of ${deprecatedOn}`}${end}.`;
  }
  return `${place === "" || place.includes(" /") ? "" : `${place}: `}${describeValues(change, message)}`;
}

function describeValues(change: ToolChange, message = ""): string {
  const { kind, path, property, typeName, before, after } = change;
  if (typeName === "SecurityRequirement" && [before, after].some((one) => isDeepStrictEqual(one, {})))
    return `Credentials are now ${kind === "removed" ? "required" : "optional"}.`;
  if (property === "type" && message !== "") return message.replace(/narrowed|widened/, "changed");
  // Values in single quotes may have backticks.
  if (message !== "" && !/(?:changed from|was set to) '/.test(message)) return message;
  if (kind !== "modified") {
    const words = typeName.replace("Item", "").replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
    return `The ${/\/properties\/[^/]+$/.test(path) ? "field" : words.toLowerCase()} was ${kind}.`;
  }
  if (property === "x-unspecified") {
    const { closed, opened } = compareGaps(change);
    const parts = [[closed, "specified now"] as const, [opened, "no longer specified"] as const];
    return parts.flatMap(([gaps, what]) => (gaps.length === 0 ? [] : [`Is ${what}: ${gaps.join(", ")}.`])).join(" ");
  }
  if (typeName === "SecurityRequirement" && after === undefined) return `\`${property}\` is no longer needed.`;
  if (property === "key") return `\`${String(before)}\` was renamed to \`${String(after)}\`.`;
  const verb = before === undefined ? "was added" : after === undefined ? "was removed" : "changed";
  if (/^(?:description|examples?|value)$/.test(property)) return `The ${property.replace("value", "example")} ${verb}.`;
  if (verb === "was removed") return `\`${property}\` was removed.`;
  if (verb === "was added") return `\`${property}\` was set to ${quote(after, true)}.`;
  const [from, to] = [before, after].map((value) => quote(value, typeof before === typeof after));
  return `\`${property}\` changed${from === to ? "" : ` from ${from} to ${to}`}.`;
}

/** A value as code in Markdown, whatever backticks it has. */
function quote(value: unknown, isPlain: boolean): string {
  const text = (typeof value === "string" && isPlain ? value : JSON.stringify(value)).replaceAll(/\s+/g, " ");
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const longest = Math.max(0, ...(short.match(/`+/g) ?? []).map(({ length }) => length));
  const [fence, space] = ["`".repeat(longest + 1), longest === 0 ? "" : " "];
  return fence + space + short + space + fence;
}
