import { parseJson, stringsOf } from "../spec/json.ts";
import type { Change } from "./changes.ts";
import type { ToolChange } from "./runRedoclyDiff.ts";

/** The gaps that a change of `x-unspecified` closes and opens. */
export function compareGaps({ base, revision }: ToolChange): NonNullable<Change["gaps"]> {
  const [before = [], after = []] = [base, revision].map((one) => stringsOf(parseJson(String(one?.value))));
  return {
    closed: before.filter((gap) => !after.includes(gap)),
    opened: after.filter((gap) => !before.includes(gap)),
  };
}

/** A change in words, without its place. */
export function describeToolChange(change: ToolChange): string {
  const { kind, path, property = "", typeName, base, revision } = change;
  if (kind !== "modified") {
    const words = typeName.replace("Item", "").replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
    return `The ${/\/properties\/[^/]+$/.test(path) ? "field" : words.toLowerCase()} was ${kind}.`;
  }
  if (property === "x-unspecified") {
    const { closed, opened } = compareGaps(change);
    const parts = [[closed, "specified now"] as const, [opened, "no longer specified"] as const];
    return parts.flatMap(([gaps, what]) => (gaps.length === 0 ? [] : [`Is ${what}: ${gaps.join(", ")}.`])).join(" ");
  }
  if (property === "deprecated") return revision?.value === true ? "It is deprecated." : "It is no longer deprecated.";
  if (property === "key") return `\`${textOf(base?.value)}\` was renamed to \`${textOf(revision?.value)}\`.`;
  if (base?.value === undefined) return `\`${property}\` was set to \`${textOf(revision?.value)}\`.`;
  if (revision?.value === undefined) return `\`${property}\` was removed.`;
  return `\`${property}\` changed from \`${textOf(base.value)}\` to \`${textOf(revision.value)}\`.`;
}

function textOf(value: unknown): string {
  const text = (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
