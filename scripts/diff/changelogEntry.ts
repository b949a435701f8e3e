import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  changelogFile,
  formatChangelog,
  loadChangelog,
  unreleasedEntry,
  type ChangelogEntry,
} from "../contract/changelog.ts";
import { describePlace } from "../contract/gaps.ts";
import { countOf, onOneLine, withoutEnd } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import { codeList, codeOf, phrase, phraseText, type Phrase } from "../report/phrase.ts";
import { pointerKeys } from "../values/json.ts";
import type { Change, Listed } from "./changes.ts";

/** The breaking changes that the unreleased entry of the changelog in the current folder lacks. */
export async function unnamedChanges(changes: readonly Change[]): Promise<readonly Change[]> {
  const changelog = await loadChangelog();
  if (changelog === undefined) return [];
  const text = unreleasedEntry(changelog)?.text ?? "";
  return changes.filter((change) => change.impact === "major" && !isNamed(change, text));
}

/**
 * Completes the unreleased entry of the changelog in the current folder with an item for each change. Resolves to its text,
 * and to the whole changelog with it. `release`: what the entry becomes.
 */
export async function completeChangelog(
  changes: readonly Change[],
  release?: Omit<ChangelogEntry, "text">,
): Promise<{ readonly text: string; readonly content: string }> {
  const { introduction, entries } = (await loadChangelog()) ?? { introduction: "# Changelog", entries: [] };
  const unreleased = unreleasedEntry({ entries });
  const text = await formatEntry(completeEntry(unreleased?.text ?? "", changes));
  const heading = unreleased?.heading ?? "Unreleased";
  const entry = { ...(release ?? { heading, version: undefined, date: undefined }), text };
  const others = entries.filter((one) => one !== unreleased);
  return { text, content: formatChangelog({ introduction, entries: [entry, ...others] }) };
}

const formatter = join(dirname(createRequire(import.meta.url).resolve("oxfmt/package.json")), "bin/oxfmt");

/** Formats the text of an entry as `npm run format` does in the changelog of the current folder. */
async function formatEntry(text: string): Promise<string> {
  const run = promisify(execFile)(process.execPath, [formatter, "--stdin-filepath", changelogFile]);
  run.child.stdin?.end(text);
  return (await run).stdout.trim();
}

/** Headings below a generation's, in order. */
const sections = ["Breaking", "Added", "Changed", "Deprecated", "Clarified"] as const;

/** An item of a list in the changelog. */
interface Item {
  readonly generation: string;
  readonly section: (typeof sections)[number];
  readonly text: string;
}

/**
 * Adds items to an entry for the changes that it doesn't name, below the headings of their generations and
 * sections. Hand-written text stays unchanged.
 */
export function completeEntry(text: string, changes: readonly Change[]): string {
  const missing = changes.filter((change) => change.kind !== "reworded" && !isNamed(change, text));
  const groups = groupBy(missing, (one) =>
    JSON.stringify([one.generation, sectionOf(one), one.listed?.head ?? changeLine(one)]),
  );
  // Lists come last.
  const ordered = [...groups.values()].toSorted((a, b) => Number(hasHead(a[0])) - Number(hasHead(b[0])));
  const completed = ordered.flatMap(itemOf).reduce(addItem, text);
  const reworded = changes.filter(({ kind }) => kind === "reworded");
  const byGeneration = groupBy(reworded, ({ generation }) => generation);
  return [...byGeneration].reduce((entry, [name, own]) => countTexts(entry, name, own.length), completed);
}

function hasHead(change?: Change): boolean {
  return change?.listed?.head !== undefined;
}

/** The item for changes that are alike. */
function itemOf(changes: readonly Change[]): readonly Item[] {
  const [first] = changes;
  if (first === undefined) return [];
  const { generation, listed } = first;
  const text = listed?.head === undefined ? changeLine(first) : listItem(listed, changes.map(listedText));
  return [{ generation, section: sectionOf(first), text }];
}

/** Names alone share a line. If something is said of each of several, each has a line. */
function listItem({ head, text }: Listed, names: readonly string[]): string {
  const isOnOneLine = names.length === 1 || text.length === 0;
  return isOnOneLine ? `- ${head}: ${names.join(", ")}.` : [`- ${head}:`, ...names].join("\n  - ");
}

function addItem(entry: string, { generation, section, text }: Item): string {
  return completePart(entry, `### ${generation}`, [], (own) => {
    const later = sections.slice(sections.indexOf(section) + 1).map((name) => `#### ${name}`);
    return completePart(own, `#### ${section}`, later, (part) =>
      [part, text].join(part.includes("\n") ? "\n" : "\n\n"),
    );
  });
}

/** Sets the number of changed texts and examples of a generation. */
function countTexts(entry: string, generation: string, count: number): string {
  const text = countLine(count);
  const parts = partsOf(entry, "### ");
  const isOld = (line: string) => line === countLine(Number(/\d+/.exec(line)?.[0]));
  const index = parts.findIndex((part) => firstLine(part) === `### ${generation}` && part.split("\n").some(isOld));
  if (index === -1) return addItem(entry, { generation, section: "Clarified", text });
  const lines = (part: string) => part.split("\n").map((line) => (isOld(line) ? text : line));
  return parts.map((part, at) => (at === index ? lines(part).join("\n") : part)).join("\n\n");
}

function countLine(count: number): string {
  return `- Texts and examples: ${countOf(count, "change")}.`;
}

/** Completes the part below a heading. A missing heading is added before those in `later`. */
function completePart(text: string, heading: string, later: readonly string[], complete: (part: string) => string) {
  const parts = partsOf(text, heading.replace(/\S+$/, ""));
  const index = parts.findIndex((part) => firstLine(part) === heading);
  const next = parts.findIndex((part) => later.includes(firstLine(part)));
  const place = index === -1 ? next : index;
  parts.splice(place === -1 ? parts.length : place, index === -1 ? 0 : 1, complete(parts[index] ?? heading));
  return parts.join("\n\n");
}

/** Returns whether an entry names a change, even if the item is wrapped or extended. */
export function isNamed(change: Change, text: string): boolean {
  const { generation, listed } = change;
  const own = partsOf(text, "### ").filter((part) => firstLine(part) === `### ${generation}`);
  if (listed?.head === undefined) {
    const line = withoutEnd(onOneLine(changeLine(change)), ".");
    return own.some((part) => onOneLine(part).includes(line));
  }
  const [start, name] = [`- ${listed.head}: `, onOneLine(listedText(change))];
  const items = own.flatMap((part) => partsOf(part, "- ")).map(onOneLine);
  return items.some((item) => item.startsWith(start) && item.includes(name));
}

/** The most operations that the item of a change that isn't breaking names. */
const maxOperations = 3;

/** A change as an item of a list in Markdown. */
export function changeLine({ impact, message, operations, subject, listed }: Change): string {
  const text = listed === undefined || listed.head !== undefined ? message : phraseText(listed.text);
  const [only, ...others] = operations;
  if (only === undefined || subject.type === "every operation") return `- ${text}`;
  if (subject.type === "operation" && others.length === 0) return `- ${phraseText([codeOf(only)])}: ${text}`;
  const shown = impact === "major" ? operations : operations.slice(0, maxOperations);
  const rest = operations.length - shown.length;
  return `- ${text} In ${phraseText(codeList(shown))}${rest === 0 ? "" : ` and ${countOf(rest, "other operation")}`}.`;
}

/** What an item that lists several changes says of one: its name, and what is said of it in parentheses. */
function listedText({ pointer, subject, operations, listed }: Change): string {
  const { text = [] } = listed ?? {};
  const keys = pointerKeys(pointer);
  // The texts of `info` are about the contract as a whole.
  if (keys[0] === "info") return phraseText(text);
  const names = codeList(operations.slice(0, 1));
  const where = subject.type !== "place" || keys[0] === "components" || names.length === 0 ? [] : phrase` in ${names}`;
  const name: Phrase = subject.type === "place" ? [codeOf(describePlace(subject))] : names;
  return phraseText([...name, ...where, ...(text.length === 0 ? [] : phrase` (${text})`)]);
}

function sectionOf({ impact, kind }: Change): (typeof sections)[number] {
  if (impact === "major") return "Breaking";
  if (kind === "added") return "Added";
  if (kind === "deprecated") return "Deprecated";
  return kind === "clarified" ? "Clarified" : "Changed";
}

/**
 * The parts of a text that begin with a heading or another mark. The text above the first one comes first, if there is
 * any.
 */
function partsOf(text: string, mark: string): string[] {
  const parts = text.split(new RegExp(`^(?=${mark})`, "m")).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").trim();
}
