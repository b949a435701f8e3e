import { countOf } from "../contract/text.ts";
import type { TextStyle } from "../contract/textStyle.ts";
import { reportedPlace } from "../report/reported.ts";
import { wrapParagraph } from "../report/paragraph.ts";
import { changesOf, groupChanges, titleOf } from "./changeGroups.ts";
import type { Change } from "./changes.ts";

/**
 * Formats changes for a terminal: breaking changes in full, minor ones on a line each, and the number of the
 * others. With `isFull`, lists these too.
 */
export function formatAsText(changes: readonly Change[], style: TextStyle, isFull: boolean): readonly string[] {
  const breaking = changesOf(changes, "major").flatMap((change) => ["", ...formatFully(change, style)]);
  const patch = changesOf(changes, "patch");
  const sections = [
    ["red", "Breaking changes", breaking],
    ["yellow", "Minor changes", formatGroups(changesOf(changes, "minor"), style)],
    ["dim", "Patch changes", isFull ? formatGroups(patch, style) : countPatches(patch)],
  ] as const;
  return sections.flatMap(([emphasis, title, lines]) =>
    lines.length === 0 ? [] : [style.paint(emphasis, title), ...lines, ""],
  );
}

/** The number of patch changes, if there are any. */
function countPatches({ length }: readonly Change[]): readonly string[] {
  const kinds = "texts, examples and closed gaps";
  return length === 0 ? [] : ["", `  ${countOf(length, "change")} of ${kinds}: --all lists them`];
}

/** A change with everything that is known about it. */
function formatFully(change: Change, style: TextStyle): readonly string[] {
  const { generation, message, operations, advice } = change;
  const details = [
    ...(operations.length === 0 ? [] : [`operations: ${operations.join(", ")}`]),
    `place: ${reportedPlace(change)}`,
    `over HTTP: ${advice.http}`,
    `in TypeScript: ${advice.types}`,
  ];
  return [
    ...wrapParagraph(`${generation} ${message}`, style, "  ").map((line) => style.paint("bold", line)),
    ...details.flatMap((one) => wrapParagraph(one, style, "    ")),
  ];
}

/** Changes on a line each, below their operations and their file. */
function formatGroups(changes: readonly Change[], style: TextStyle): readonly string[] {
  return groupChanges(changes).flatMap((group) => {
    const width = Math.max(...group.changes.map(({ line }) => String(line ?? "").length));
    return [
      "",
      ...wrapParagraph(titleOf(group), style, "  "),
      ...group.changes.flatMap((change) => formatInLine(change, width, style)),
    ];
  });
}

/** The line of a change in its file, and the change. `width`: that of the number. */
function formatInLine({ line, message }: Change, width: number, style: TextStyle): readonly string[] {
  const number = String(line ?? "").padStart(width);
  const start = `    ${number}${width === 0 ? "" : "  "}`;
  const [first = "", ...others] = wrapParagraph(message, style, start, " ".repeat(start.length));
  return [`    ${style.paint("cyan", number)}${first.slice(4 + width)}`, ...others];
}
