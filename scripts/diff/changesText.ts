import { countOf, escapeControls } from "../contract/text.ts";
import { wrapText, type TextStyle } from "../contract/textStyle.ts";
import { changesOf, groupChanges, changePlace, titleOf } from "./changeGroups.ts";
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
  const lines = [
    ...(operations.length === 0 ? [] : [`operations: ${operations.join(", ")}`]),
    `place: ${changePlace(change)}`,
    `over HTTP: ${advice.http}`,
    `in TypeScript: ${advice.types}`,
  ];
  const title = wrapText(escapeControls(`${generation} ${message}`), style, "  ", "    ");
  return [
    ...title.map((line) => style.paint("bold", line)),
    ...lines.flatMap((line) => wrapText(escapeControls(line), style, "    ", "      ")),
  ];
}

/** Changes on a line each, below their operations and their file. */
function formatGroups(changes: readonly Change[], style: TextStyle): readonly string[] {
  return groupChanges(changes).flatMap((group) => {
    const width = Math.max(...group.changes.map(({ line }) => String(line ?? "").length));
    return [
      "",
      ...wrapText(escapeControls(titleOf(group)), style, "  ", "    "),
      ...group.changes.flatMap((change) => formatInLine(change, width, style)),
    ];
  });
}

/** The line of a change in its file, and the change. `width`: that of the number. */
function formatInLine({ line, message }: Change, width: number, style: TextStyle): readonly string[] {
  const number = String(line ?? "").padStart(width);
  const indentation = `    ${number}${width === 0 ? "" : "  "}`;
  const [first = "", ...others] = wrapText(escapeControls(message), style, indentation, " ".repeat(indentation.length));
  return [`    ${style.paint("cyan", number)}${first.slice(4 + width)}`, ...others];
}
