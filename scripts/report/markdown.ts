import { basename } from "node:path";
import { cellCode, codeFence, codeSpan, escapeCell, escapeComment } from "../values/markdown.ts";
import { countOf, listInWords } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import { codeList, plainText, type Phrase } from "./phrase.ts";
import {
  adviceText,
  commandBelow,
  reportedPlace,
  type CommandReport,
  type ReportedFinding,
  type ReportGroup,
  type ReportSection,
} from "./report.ts";

/** A part of a list, and the number of findings in it. */
interface Item {
  readonly text: string;
  readonly count: number;
}

/** Joins the items that fit, and counts the findings in the others. */
type Fit = (items: readonly Item[]) => string;

/** The most characters of all lists, and of each. A comment on GitHub has at most 65,536. */
const longest = { lists: 60_000, list: 15_000 };

/**
 * Writes a report as a comment on GitHub, whose text is escaped. The verdict is its heading. Findings that would make it
 * too long are only counted.
 */
export function markdownReport({
  causes,
  sections,
  notes = [],
  verdict,
  whole = [],
  sourceUrl,
}: CommandReport): string {
  let left = longest.lists;
  const fit: Fit = (items) => {
    let [room, hidden] = [Math.min(longest.list, left), 0];
    const shown = items.filter(({ text, count }) => {
      const isFitting = text.length < room;
      if (isFitting) [room, left] = [room - text.length - 1, left - text.length - 1];
      else hidden += count;
      return isFitting;
    });
    const rest = hidden === 0 ? [] : [`And ${countOf(hidden, "other")}: ${inlineText(whole)} lists them.`];
    return joined([
      shown
        .map(({ text }) => text)
        .join("\n")
        .trim(),
      ...rest,
    ]);
  };
  return joined([
    `## ${inlineText(verdict?.heading ?? "")}`,
    fit((causes?.texts ?? []).map((text) => ({ text: `- ${inlineText(text)}`, count: 1 }))),
    ...sections.flatMap((section) => sectionParts(section, fit, sourceUrl)),
    fit(notes.map((note) => ({ text: `\n${inlineText(note)}`, count: 1 }))),
  ]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

function sectionParts(section: ReportSection, fit: Fit, sourceUrl: string | undefined): readonly string[] {
  const { layout, groups, summary } = section;
  if (groups.length === 0) return [];
  if (layout === "table") return tableParts(section, fit, sourceUrl);
  const items = groups.flatMap((group): readonly Item[] => {
    const { title = [], names = [] } = group;
    if (layout !== "names") return groupItems(group, layout === "lines", sourceUrl);
    const list = names.map((name) => `- ${codeSpan(name)}`).join("\n");
    return [{ text: `\n${folded(plainText(title), list)}`, count: names.length }];
  });
  return [summary === undefined ? fit(items) : folded(summary, fit(items))];
}

/** A table of numbered findings, and the advice on them, by their numbers. */
function tableParts({ groups, summary = "" }: ReportSection, fit: Fit, sourceUrl: string | undefined) {
  const findings = groups.flatMap((group) => group.findings).map((one, index) => ({ ...one, number: `${index + 1}` }));
  const rows = findings.map((one) => ({ text: `| ${one.number} | ${findingCells(one, sourceUrl)} |`, count: 1 }));
  const advised = groupBy(findings, ({ advice = [] }) => advice.map(adviceText).join(" "));
  const items = Array.from(advised, ([advice, group]) => {
    return { text: `- ${listInWords(group.map(({ number }) => number))}: ${advice}`, count: group.length };
  });
  return [`| | ${findings[0]?.title ?? ""} | Source |\n| --- | --- | --- |\n${fit(rows)}`, folded(summary, fit(items))];
}

/** The most operations that a row names. */
const maxOperations = 3;

/** A finding with its generation and operations, and its place: only the name of its file, if that is a link. */
function findingCells(finding: ReportedFinding, sourceUrl: string | undefined): string {
  const { generation = "", operations = [], sentence, place } = finding;
  const hidden = operations.length - maxOperations;
  const names = operations.length === 0 ? [] : [" ", ...codeList(operations.slice(0, maxOperations))];
  const where = [generation, ...names, ...(hidden > 0 ? [`, ${countOf(hidden, "other")}`] : [])];
  const [what, concerned] = [sentence, where].map((text) => inlineText(text, escapeCell, cellCode));
  const source = linkedPlace(finding, escapeCell(basename(reportedPlace(place))), sourceUrl);
  return `${what}<br>${concerned} | ${source ?? cellCode(reportedPlace(place))}`;
}

/** The title of a group, and its findings below. `isLine`: the title names their file. */
function groupItems(group: ReportGroup, isLine: boolean, sourceUrl: string | undefined): readonly Item[] {
  const { kind, title = [], label = "", names = [], findings } = group;
  const start = kind === undefined ? "- " : `\n- **${kind.name}** `;
  const head = [start + inlineText(title), ...names.map((name) => `  - ${label}${codeSpan(name)}`)];
  const items = findings.map((one, index) => {
    const { place, sentence } = one;
    const command = commandBelow(group, index);
    const shown = isLine && place.line !== undefined ? `line ${place.line}` : undefined;
    const link = linkedPlace(one, shown ?? escapeComment(reportedPlace(place)), sourceUrl);
    const source = link ?? shown ?? codeSpan(reportedPlace(place));
    const fence = codeFence(command.join("\n"), "```");
    const lines = command.length === 0 ? [] : [`${fence}sh`, ...command, fence];
    const text = `  - ${inlineText(sentence)}${isLine ? ` (${source})` : `: ${source}`}`;
    return { text: [text, ...lines.map((line) => `    ${line}`)].join("\n"), count: 1 };
  });
  return [{ text: head.join("\n"), count: 0 }, ...items];
}

/** A text in Markdown. In a string, words that begin with a slash are code, such as JSON Pointers. */
function inlineText(text: Phrase | string, ofText = escapeComment, ofCode = codeSpan): string {
  if (typeof text !== "string")
    return text.map((part) => (typeof part === "string" ? ofText(part) : ofCode(part.code))).join("");
  return text
    .split(" ")
    .map((word) => (word.startsWith("/") ? ofCode(word) : ofText(word)))
    .join(" ");
}

/** What the reader sees after opening its summary. GitHub renders Markdown in HTML only after an empty line. */
function folded(summary: string, content: string): string {
  return `<details>\n<summary>${escapeComment(summary)}</summary>\n\n${content}\n\n</details>`;
}

/** A link to the line of a finding. `undefined` if its file or the URL of the sources isn't known. */
function linkedPlace({ place: { file, line = 1 } }: ReportedFinding, link: string, sourceUrl: string | undefined) {
  if (file === undefined || sourceUrl === undefined) return undefined;
  return `[${link}](<${sourceUrl}/${file.split("/").map(encodeURIComponent).join("/")}#L${line}>)`;
}
