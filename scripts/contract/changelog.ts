import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ifAbsent } from "./failures.ts";

export type Changelog = ReturnType<typeof readChangelog>;

/** The changelog of the contract, relative to the project's folder. */
export const changelogFile = "openapi/CHANGELOG.md";

/** Reads the changelog of the project in the current folder; `undefined` if it has none. */
export async function loadChangelog() {
  const text = await readFile(resolve(changelogFile), "utf8").catch(ifAbsent(undefined));
  return text === undefined ? undefined : { text, ...readChangelog(text) };
}

/** Parts a changelog into what stands before its entries, and those: `## 0.2.0 (2026-12-01)`, or without a version if unreleased. */
function readChangelog(text: string) {
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

export function formatChangelog({ introduction, entries }: Pick<Changelog, "introduction" | "entries">): string {
  const parts = entries.map(({ heading, text }) => [`## ${heading}`, text].filter((part) => part !== "").join("\n\n"));
  return `${[introduction, ...parts].join("\n\n")}\n`;
}

export function unreleasedEntry({ entries }: Pick<Changelog, "entries">) {
  return entries.find(({ heading }) => /^\[?unreleased\b/i.test(heading));
}
