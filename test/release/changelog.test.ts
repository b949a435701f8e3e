import { describe, expect, test } from "vitest";
import { formatChangelog, loadChangelog } from "../../scripts/contract/changelog.ts";
import type { Change } from "../../scripts/diff/changes.ts";
import { changeLine, completeEntry, isNamed } from "../../scripts/diff/changelogEntry.ts";
import { copyProject } from "../pipeline/project.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const advice = { http: "Nothing.", types: "Nothing." };
const breaking: Change = {
  ...{ impact: "major", kind: "changed", generation: "v2", pointer: "/paths/~1rooms/get", advice },
  ...{ code: "response-status-changed", facts: { before: "200", after: "204" }, words: [] },
  subject: { type: "place", part: "response", name: "204" },
  ...{ operations: ["GET /rooms"], message: "Response `200` became `204`." },
};
const other: Change = { ...breaking, operations: ["GET /rooms/{id}"] };
const added: Change = { ...breaking, impact: "minor", kind: "added", message: "The operation was added." };

describe("an entry", () => {
  test("names a change only for its own operations, in its own generation", () => {
    const text = `### v2\n\n#### Breaking\n\n${changeLine(breaking)} See ticket 12.`;
    expect(isNamed(breaking, text)).toBe(true);
    expect(isNamed(other, text)).toBe(false);
    expect(isNamed(breaking, text.replace("v2", "v1"))).toBe(false);
    expect(isNamed(breaking, text.replace("became", "\n  became"))).toBe(true);
  });

  test("keeps all that a person wrote, wherever it stands and however often a heading comes", () => {
    const block = (change: Change, words: string) => `### v2\n\n#### Breaking\n\n${changeLine(change)} ${words}`;
    const written = [
      `Hello.`,
      block(breaking, "Sorry."),
      block(other, "Sorry, too.").replace("v2\n", "v2\n\nWords.\n"),
    ].join("\n\n");
    expect(completeEntry(written, [breaking, other])).toBe(written);
    const completed = completeEntry(written, [breaking, other, added]);
    expect(completed.replace(`\n\n#### Added\n\n${changeLine(added)}`, "")).toBe(written);
  });

  test("gets a heading for each generation and section that it lacks, in their order", () => {
    const headings = completeEntry("", [added, { ...breaking, generation: "v1" }, breaking]).match(/^#+ .*$/gm);
    expect(headings).toEqual(["### v2", "#### Breaking", "#### Added", "### v1", "#### Breaking"]);
  });
});

test("a changelog is reassembled unchanged, with any headings and code", async () => {
  await using project = await copyProject();
  const text = [
    ...["# Changelog", "Words.", "## Planned for spring", "More.", "## v0.2.2 (2026-11-22), the quiet one"],
    ...["```sh\n## a comment\n```", "## [0.1.0] - 2026-01-01", "The first."],
  ].join("\n\n");
  await writeFile(join(project.directory, "openapi/CHANGELOG.md"), `${text}\n`);
  const before = process.cwd();
  process.chdir(project.directory);
  const changelog = await loadChangelog().finally(() => {
    process.chdir(before);
  });
  if (changelog === undefined) throw new Error("no changelog");
  expect(formatChangelog(changelog)).toBe(`${text}\n`);
  expect(changelog.entries.map(({ version, date }) => [version, date])).toEqual([
    [undefined, undefined],
    ["0.2.2", "2026-11-22"],
    ["0.1.0", "2026-01-01"],
  ]);
});
