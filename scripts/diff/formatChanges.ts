import { capitalize, countOf, listInWords } from "../contract/text.ts";
import { wrapText, type TextStyle } from "../contract/textStyle.ts";
import { annotation } from "../report/github.ts";
import { changesOf } from "./changeGroups.ts";
import { formatAsMarkdown } from "./changesMarkdown.ts";
import { formatAsText } from "./changesText.ts";
import { impacts, type Change, type Impact } from "./changes.ts";

/** The formats of a report. */
export const reportFormats = ["text", "markdown", "github", "json"] as const;

/** The choices for a report. */
export interface ReportOptions {
  readonly format: (typeof reportFormats)[number];
  /** What the changes are compared with: `since the last release`. */
  readonly since: string;
  /** The least impact of a change that makes the run fail, if there is one. */
  readonly failingFrom: Impact | undefined;
  /** Whether the text lists patch changes too. */
  readonly isFull: boolean;
  /** The URL of the folder with the sources, for links in Markdown. */
  readonly sourceUrl: string | undefined;
  readonly style: TextStyle;
  /** The next step, which the text has above its verdict. */
  readonly advice: string | undefined;
}

/** Formats changes as text, as Markdown for a comment, as annotations of GitHub, or as JSON. */
export function formatChanges(changes: readonly Change[], options: ReportOptions): string {
  const { format, since, isFull, sourceUrl, style, advice } = options;
  if (format === "json") return formatAsJson(changes);
  if (format === "markdown") return formatAsMarkdown(changes, verdictOf(changes, "for consumers"), sourceUrl);
  const verdict = `${verdictOf(changes, since)}${countOthers(changes)}.`;
  if (format === "github") return [...annotateChanges(changes, options), verdict].join("\n");
  const color = changesOf(changes, "major").length > 0 ? "red" : "green";
  const lines = wrapText(verdict, style).map((line) => style.paint(color, line));
  const next = advice === undefined ? [] : [advice, ""];
  return [...formatAsText(changes, style, isFull), ...next, ...lines].join("\n");
}

function formatAsJson(changes: readonly Change[]): string {
  const summary = Object.fromEntries(impacts.map((impact) => [impact, changesOf(changes, impact).length]));
  // The message has the words, and JSON has no undefined members.
  const members = changes.map((change) => ({
    ...change,
    words: undefined,
    operation: change.operations[0] ?? null,
  }));
  return JSON.stringify({ summary, changes: members }, null, 2);
}

/** Whether there are breaking changes, and how many. */
function verdictOf(changes: readonly Change[], end: string): string {
  if (changes.length === 0) return `No change ${end}`;
  const breaking = changesOf(changes, "major").length;
  return `${breaking === 0 ? "No breaking change" : countOf(breaking, "breaking change")} ${end}`;
}

/** The number of changes that aren't breaking: `, and 25 minor and 143 patch changes`. Empty if there are none. */
function countOthers(changes: readonly Change[]): string {
  const others = changes.filter(({ impact }) => impact !== "major");
  if (others.length === 0) return "";
  const noun = others.length === 1 ? "change" : "changes";
  return `, ${others.length === changes.length ? "only" : "and"} ${listInWords(countByImpact(others))} ${noun}`;
}

/**
 * Annotations on the lines of the sources. A change that makes the run fail is an error, any other breaking change
 * is a warning, and a minor one is a notice. Patch changes have none.
 */
function annotateChanges(changes: readonly Change[], { failingFrom }: ReportOptions): readonly string[] {
  const severities = { major: "warning", minor: "notice", patch: undefined } as const;
  return changes.flatMap((change) => {
    const { impact, message: sentence, operations, advice } = change;
    const isFailing = failingFrom !== undefined && impacts.indexOf(impact) <= impacts.indexOf(failingFrom);
    const severity = isFailing ? "error" : severities[impact];
    if (severity === undefined) return [];
    const title = impact === "major" ? "Breaking change" : `${capitalize(impact)} change`;
    const actions = impact === "major" ? [`Over HTTP: ${advice.http}`, `In TypeScript: ${advice.types}`] : [];
    const where = operations.length === 0 ? [] : [`Operations: ${operations.join(", ")}`];
    return [annotation({ ...change, severity, title, sentence, details: [...where, ...actions] })];
  });
}

/** The number of changes of each impact, in words: `3 changes for consumers: 1 major, 2 patch`. */
export function countChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return "no change for consumers";
  return `${countOf(changes.length, "change")} for consumers: ${countByImpact(changes).join(", ")}`;
}

/** The number of changes of each impact: `1 major` and `2 patch`. */
function countByImpact(changes: readonly Change[]): readonly string[] {
  const counts = impacts.map((impact) => [changesOf(changes, impact).length, impact] as const);
  return counts.flatMap(([count, impact]) => (count === 0 ? [] : [`${count} ${impact}`]));
}
