import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ifAbsent } from "./failures.ts";

/** The changelog of the contract, as it is parted. */
export type Changelog = ReturnType<typeof readChangelog>;

/** The changelog of the contract, relative to the project's folder. */
export const changelogFile = "openapi/CHANGELOG.md";

/** Reads the changelog of the project in the current folder; `undefined` if it has none. */
export async function loadChangelog() {
  const text = await readFile(resolve(changelogFile), "utf8").catch(ifAbsent(undefined));
  return text === undefined ? undefined : { text, ...readChangelog(text) };
}

/**
 * Parts a changelog into what stands before its entries, and the entries in their order, the newest first: all that stands
 * below a heading, `## 0.2.0 (2026-12-01)`, or `## Unreleased`, which has no version.
 */
function readChangelog(text: string) {
  const [introduction = "", ...parts] = text.replaceAll("\r\n", "\n").split(/^## /m);
  const entries = parts.map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    const [, version, date] = /^(\d\S*)(?: \((\S+)\))?/.exec(heading) ?? [];
    return { version, date, text: lines.join("\n").trim() };
  });
  return { introduction: introduction.trim(), entries };
}

/** Puts a changelog together again. */
export function formatChangelog({ introduction, entries }: Changelog): string {
  const parts = entries.map(({ version, date, text }) => {
    const heading = version === undefined ? "Unreleased" : `${version}${date === undefined ? "" : ` (${date})`}`;
    return [`## ${heading}`, text].filter((line) => line !== "").join("\n\n");
  });
  return `${[introduction, ...parts].join("\n\n")}\n`;
}
