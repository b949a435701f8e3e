import { expect, test } from "vitest";
import project from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { loadChangelog } from "../../scripts/contract/changelog.ts";
import { readReleased } from "../../scripts/diff/baseGenerations.ts";
import { compareGenerations } from "../../scripts/diff/compareGenerations.ts";
import { lintSources } from "../../scripts/pipeline/buildGenerated.ts";
import { changeLine, unnamedChanges } from "../../scripts/diff/changelogEntry.ts";

test("the versions of the contract, the package and the newest release agree", async () => {
  const { entries = [] } = (await loadChangelog()) ?? {};
  const newest = entries.find(({ version }) => version !== undefined)?.version;
  const [sources, released] = [await lintSources(() => undefined), await readReleased()];
  const versions = [...sources, ...released].map(({ document }) => document.info?.version);
  expect(new Set([newest, project.version, lock.version, ...versions])).toEqual(new Set([project.version]));
});

test("the changelog's next entry names every change that breaks consumers", async () => {
  const [base, next] = [await readReleased(), await lintSources(() => undefined)];
  const unnamed = await unnamedChanges(compareGenerations(base, next));
  const advice = "npm run diff -- --write-changelog adds to the changelog:";
  if (unnamed.length > 0) expect.fail([advice, ...unnamed.map(changeLine)].join("\n"));
});
