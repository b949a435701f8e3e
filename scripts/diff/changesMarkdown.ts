import { basename } from "node:path";
import { codeSpan, escapeComment } from "../contract/escapeMarkdown.ts";
import { countOf, groupBy, listInWords, onOneLine } from "../contract/text.ts";
import { changesOf, groupChanges, changePlace, titleOf, type ChangeGroup } from "./changeGroups.ts";
import type { Change, Impact } from "./changes.ts";
import type { Phrase } from "./phrases.ts";

/**
 * The most characters of a list. A comment on GitHub has at most 65,536, and a report has up to four lists.
 */
const longestList = 15_000;

/**
 * Formats changes as Markdown for a comment: the breaking ones as a table, and the others folded. `heading`
 * is the verdict. `sourceUrl` is the URL of the folder with the sources, if places should be links. Changes
 * that would make the comment too long are only counted.
 */
export function formatAsMarkdown(changes: readonly Change[], heading: string, sourceUrl?: string): string {
  const major = changesOf(changes, "major");
  const rows = formatList(
    major.map((change, index) => ({ text: `| ${index + 1} ${tableRow(change, sourceUrl)}`, count: 1 })),
  );
  return [
    `## ${heading}`,
    ...(major.length === 0
      ? []
      : [`| | Breaking change | Source |\n| --- | --- | --- |\n${rows}`, ...formatAdvice(major)]),
    ...(["minor", "patch"] as const).flatMap((impact) => formatChangesOf(impact, changes, sourceUrl)),
  ].join("\n\n");
}

/** What consumers do about breaking changes, by the numbers of their rows. */
function formatAdvice(changes: readonly Change[]): readonly string[] {
  const numbered = changes.map(({ advice: { http, types } }, index) => ({ http, types, number: String(index + 1) }));
  const groups = groupBy(numbered, ({ http, types }) => `Over HTTP: ${http} In TypeScript: ${types}`);
  const items = Array.from(groups, ([advice, group]) => {
    const numbers = listInWords(group.map(({ number }) => number));
    return { text: `- ${numbers}: ${advice}`, count: group.length };
  });
  return fold("What consumers need to do", items);
}

/** The changes of one impact, if there are any, by their operations. */
function formatChangesOf(impact: Impact, all: readonly Change[], sourceUrl: string | undefined): readonly string[] {
  const changes = changesOf(all, impact);
  if (changes.length === 0) return [];
  const groups = groupChanges(changes);
  const items = groups.map((group) => ({ text: listItem(group, sourceUrl), count: group.changes.length }));
  return fold(countOf(changes.length, `${impact} change`), items);
}

/** A list that is shown when the reader opens its summary. */
function fold(summary: string, items: readonly Item[]): readonly string[] {
  return [`<details>\n<summary>${summary}</summary>`, formatList(items), "</details>"];
}

/** A part of a list, and the number of changes in it. */
interface Item {
  readonly text: string;
  readonly count: number;
}

/** The items that fit, and the number of other changes. */
function formatList(items: readonly Item[]): string {
  const shown: string[] = [];
  let room = longestList;
  let left = 0;
  for (const { text, count } of items) {
    room -= text.length + 1;
    if (room >= 0) shown.push(text);
    else left += count;
  }
  const rest = left === 0 ? [] : [`And ${countOf(left, "other")}: \`npm run diff\` with \`--all\` lists them.`];
  return [shown.join("\n"), ...rest].join("\n\n");
}

/** The most operations that a row names. */
const mostOperations = 3;

/**
 * A change with its generation and operations, and its place: only the name of its file, if that is a link.
 */
function tableRow(change: Change, sourceUrl: string | undefined): string {
  const { generation, words, operations } = change;
  const hidden = operations.length - mostOperations;
  const names = operations.slice(0, mostOperations).map(cellCode);
  const where = [...names, ...(hidden > 0 ? [countOf(hidden, "other")] : [])].join(", ");
  const place = changePlace(change);
  const text = writePhrase(words, (part) => escapePipes(escapeComment(part)), cellCode);
  const link = placeLink(change, sourceUrl === undefined ? place : basename(place), sourceUrl, cellCode);
  return `| ${`${text}<br>${generation} ${where}`.trimEnd()} | ${link} |`;
}

/** Changes of the same operations in the same file. */
function listItem(group: ChangeGroup, sourceUrl: string | undefined): string {
  const lines = group.changes.map((change) => {
    const { line, words } = change;
    const place = line === undefined ? changePlace(change) : `line ${line}`;
    const isPlain = line !== undefined && sourceUrl === undefined;
    return `  - ${writePhrase(words)} (${isPlain ? place : placeLink(change, place, sourceUrl)})`;
  });
  return [`- ${escapeComment(titleOf(group))}`, ...lines].join("\n");
}

/**
 * The place of a change, as a link to its line if the URL of the sources is known. `ofCode` writes code that
 * isn't a link.
 */
function placeLink({ file, line = 1 }: Change, text: string, sourceUrl: string | undefined, ofCode = codeSpan): string {
  if (file === undefined || sourceUrl === undefined) return ofCode(text);
  const path = file.split("/").map(encodeURIComponent).join("/");
  return `[${escapePipes(escapeComment(text))}](<${sourceUrl}/${path}#L${line}>)`;
}

/** Writes a sentence: its text escaped, and its code by `ofCode`. */
function writePhrase(words: Phrase, ofText = escapeComment, ofCode = codeSpan): string {
  return words.map((part) => (typeof part === "string" ? ofText(part) : ofCode(part.code))).join("");
}

/** Pipes would end a cell. */
function escapePipes(text: string): string {
  return text.replaceAll("|", String.raw`\|`);
}

/** Code in a cell. `\|` can't be written in a code span, so that becomes an element. */
function cellCode(code: string): string {
  return code.includes("|") ? codeElement(onOneLine(code)) : codeSpan(code);
}

/** Code as an element. No character of it is Markdown. */
function codeElement(code: string): string {
  return `<code>${code.replaceAll(/[^\w\s]/gu, (one) => `&#${one.codePointAt(0)};`)}</code>`;
}
