import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ifAbsent } from "./failures.ts";

/** A changelog in Markdown, divided into its parts. */
export interface Changelog {
  /** The text before the first entry. */
  readonly introduction: string;
  /** The newest first. */
  readonly entries: readonly ChangelogEntry[];
}

/** The changes of a release, or of the next one. */
export interface ChangelogEntry {
  /** The heading as written: `0.2.0 (2026-12-01)`. */
  readonly heading: string;
  /** `undefined` if unreleased. */
  readonly version: string | undefined;
  /** The date of the release, as in RFC 3339. */
  readonly date: string | undefined;
  /** The text after the heading. */
  readonly text: string;
}

/** The changelog of the contract, relative to the project's folder. */
export const changelogFile = "openapi/CHANGELOG.md";

/** Reads the changelog of the project in the current folder. Resolves to `undefined` if it has none. */
export async function loadChangelog() {
  const text = await readFile(resolve(changelogFile), "utf8").catch(ifAbsent(undefined));
  return text === undefined ? undefined : { text, ...readChangelog(text) };
}

/**
 * Divides a changelog into its introduction and its entries. An entry is `## 0.2.0 (2026-12-01)`, or has no
 * version if unreleased.
 */
function readChangelog(text: string): Changelog {
  const parts: string[][] = [[]];
  let isCode = false;
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    if (line.startsWith("## ") && !isCode) parts.push([]);
    parts.at(-1)?.push(line);
  }
  const [introduction = [], ...entries] = parts;
  return {
    introduction: introduction.join("\n").trim(),
    entries: entries.map(([first = "", ...lines]) => {
      const heading = first.slice(3).trim();
      const [, version, date] = /^\[?v?(\d+\.\d+\.\d+[\w.+-]*)(?:.*?(\d{4}-\d\d-\d\d))?/.exec(heading) ?? [];
      return { heading, version, date, text: lines.join("\n").trim() };
    }),
  };
}

export function formatChangelog({ introduction, entries }: Changelog): string {
  const parts = entries.map(({ heading, text }) => [`## ${heading}`, text].filter((part) => part !== "").join("\n\n"));
  return `${[introduction, ...parts].join("\n\n")}\n`;
}

export function unreleasedEntry({ entries }: Pick<Changelog, "entries">): ChangelogEntry | undefined {
  return entries.find(({ heading }) => /^\[?unreleased\b/i.test(heading));
}
