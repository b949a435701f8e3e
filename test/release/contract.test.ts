import { expect, test } from "vitest";
import project from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { loadChangelog, unreleasedEntry } from "../../scripts/contract/changelog.ts";
import { readReleased } from "../../scripts/diff/baseGenerations.ts";
import { compareGenerations } from "../../scripts/diff/compareGenerations.ts";
import { lintSources } from "../../scripts/pipeline/buildGenerated.ts";
import { describeCalls } from "./affectedCalls.ts";
import { changeLine, isNamed } from "../../scripts/release/changelogEntry.ts";

test("the versions of the contract, the package and the newest release agree", async () => {
  const { entries = [] } = (await loadChangelog()) ?? {};
  const newest = entries.find(({ version }) => version !== undefined)?.version;
  const [sources, released] = [await lintSources(() => undefined), await readReleased()];
  const versions = [...sources, ...released].map(({ document }) => document.info?.version);
  expect(new Set([newest, project.version, lock.version, ...versions])).toEqual(new Set([project.version]));
});

test("the changelog's next entry names every change that breaks consumers", async () => {
  const [base, next] = [await readReleased(), await lintSources(() => undefined)];
  const text = unreleasedEntry((await loadChangelog()) ?? { entries: [] })?.text ?? "";
  const unnamed = compareGenerations(base, next)
    .filter((change) => change.impact === "major" && !isNamed(change, text))
    .map(
      (change) =>
        `### ${change.generation}\n#### Breaking\n${changeLine(change)}\n\n${describeCalls(change, base, next)}`,
    );
  expect(unnamed, 'put these lines into openapi/CHANGELOG.md, under "## Unreleased"').toEqual([]);
});
