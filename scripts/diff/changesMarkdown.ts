import { basename } from "node:path";
import { countOf, groupBy, listInWords } from "../contract/text.ts";
import { bulletList, folded, inlineText, tableRow } from "../report/markdown.ts";
import { codeOf } from "../report/phrase.ts";
import { reportedPlace } from "../report/reported.ts";
import { changesOf, groupChanges, titleOf, type ChangeGroup } from "./changeGroups.ts";
import type { Change, Impact } from "./changes.ts";

/**
 * The most characters of a list. A comment on GitHub has at most 65,536, and a report has up to four lists.
 */
const longestList = 15_000;

/**
 * Formats changes as Markdown for a comment: the breaking ones as a table, and the others folded. `verdict`
 * is the heading. `sourceUrl` is the URL of the folder with the sources, if places should be links. Changes
 * that would make the comment too long are only counted.
 */
export function formatAsMarkdown(changes: readonly Change[], verdict: string, sourceUrl?: string): string {
  const major = changesOf(changes, "major");
  const rows = major.map((change, index) => ({ text: changeRow(String(index + 1), change, sourceUrl), count: 1 }));
  const head = "| | Breaking change | Source |\n| --- | --- | --- |";
  return [
    `## ${inlineText([verdict])}`,
    ...(major.length === 0 ? [] : [`${head}\n${formatList(rows)}`, formatAdvice(major)]),
    ...(["minor", "patch"] as const).flatMap((impact) => formatChangesOf(impact, changes, sourceUrl)),
  ].join("\n\n");
}

/** What consumers do about breaking changes, by the numbers of their rows. */
function formatAdvice(changes: readonly Change[]): string {
  const numbered = changes.map(({ advice: { http, types } }, index) => ({ http, types, number: String(index + 1) }));
  const groups = groupBy(numbered, ({ http, types }) => `Over HTTP: ${http} In TypeScript: ${types}`);
  const items = Array.from(groups, ([advice, group]) => {
    const numbers = listInWords(group.map(({ number }) => number));
    return { text: bulletList([{ text: [numbers, ": ", { markdown: advice }] }]), count: group.length };
  });
  return folded("What consumers need to do", formatList(items));
}

/** The changes of one impact, if there are any, by their operations. */
function formatChangesOf(impact: Impact, all: readonly Change[], sourceUrl: string | undefined): readonly string[] {
  const changes = changesOf(all, impact);
  if (changes.length === 0) return [];
  const items = groupChanges(changes).map((group) => {
    return { text: listItem(group, sourceUrl), count: group.changes.length };
  });
  return [folded(countOf(changes.length, `${impact} change`), formatList(items))];
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

/** A numbered change with its generation and operations, and its place: only the name of its file, if that is a link. */
function changeRow(number: string, change: Change, sourceUrl: string | undefined): string {
  const { generation, words, operations } = change;
  const hidden = operations.length - mostOperations;
  const names = operations.slice(0, mostOperations).flatMap((name, index) => [index === 0 ? " " : ", ", codeOf(name)]);
  const where = [generation, ...names, ...(hidden > 0 ? [`, ${countOf(hidden, "other")}`] : [])];
  const place = reportedPlace(change);
  const shown = sourceUrl === undefined ? place : basename(place);
  return tableRow([[[number]], [words, where], [[linkedPlace(change, shown, sourceUrl) ?? codeOf(place)]]]);
}

/** Changes of the same operations in the same file. */
function listItem(group: ChangeGroup, sourceUrl: string | undefined): string {
  const items = group.changes.map((change) => {
    const { line, words } = change;
    const place = line === undefined ? reportedPlace(change) : `line ${line}`;
    const plain = line === undefined ? codeOf(place) : place;
    return { text: [...words, " (", linkedPlace(change, place, sourceUrl) ?? plain, ")"] };
  });
  return bulletList([{ text: [titleOf(group)], items }]);
}

/** A link to the line of a change. `undefined` if its file or the URL of the sources isn't known. */
function linkedPlace({ file, line = 1 }: Change, link: string, sourceUrl: string | undefined) {
  if (file === undefined || sourceUrl === undefined) return undefined;
  return { link, url: `${sourceUrl}/${file.split("/").map(encodeURIComponent).join("/")}#L${line}` };
}
