import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describePairs, markOf, pairs } from "../diff/pairs.ts";
import { syntheticDocument, writeSyntheticSources } from "../fixtures/syntheticContract.ts";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { compareGenerations } from "../../scripts/diff/compareGenerations.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { compare, type Benchmark } from "./figures.ts";
import { runRedoclyDiff } from "./runRedoclyDiff.ts";
import { compareCommands, temporaryFolder } from "./programs.ts";

/** Returns the places of breaking changes. */
type FindBreaks = (base: OpenApiDocument, next: OpenApiDocument) => readonly string[] | Promise<readonly string[]>;

/** Compares `npm run diff` with `redocly diff`, on pairs of documents with a known difference. */
export const benchDiff: Benchmark = async function* () {
  const ours: FindBreaks = (base, next) => {
    const changes = compareGenerations([readGeneration("api", base)], [readGeneration("api", next)]);
    return changes
      .filter(({ impact }) => impact === "major")
      .map(({ pointer, operations }) => pointer + operations.join());
  };
  yield await compare({
    title: `diff: ${pairs.length} kinds of change, each direction`,
    rounds: 1,
    metrics: {
      "breaks found": { unit: "%", better: "more", goal: { ours: 100 } },
      "false alarms": { unit: "", goal: { ours: 0 } },
    },
    measure: async (findBreaks: FindBreaks) => rateFindings(findBreaks),
    ours,
    others: { "redocly diff": runRedoclyDiff },
  });

  const project = await temporaryFolder();
  await writeSyntheticSources(project, 1_000);
  const document = JSON.stringify(syntheticDocument(1_000));
  await writeFile(join(project, "base.json"), document);
  await writeFile(join(project, "next.json"), document.replaceAll("Resource12", "Thing12"));
  const diff = [{ cwd: project, args: [resolve("scripts/diff.ts"), "base.json", "next.json"] }];
  const lint = { "npm run lint": [{ cwd: project, args: [resolve("scripts/lint.ts")] }] };
  yield await compareCommands("diff: bundles of 1,000 operations", diff, lint, [], { ratio: 0.5 });
};

async function rateFindings(findBreaks: FindBreaks) {
  const [before, after] = describePairs();
  const [forward, back] = [await findBreaks(before, after), await findBreaks(after, before)];
  const results = pairs.flatMap(([, , expected, expectedBack], index) => {
    const isFound = (places: readonly string[]) => places.some((place) => place.includes(markOf(index)));
    return [
      { isBreak: expected === "major", isFound: isFound(forward) },
      { isBreak: expectedBack === "major", isFound: isFound(back) },
    ];
  });
  const breaks = results.filter(({ isBreak }) => isBreak);
  const found = breaks.filter(({ isFound }) => isFound).length;
  const alarms = results.filter(({ isBreak, isFound }) => isFound && !isBreak).length;
  return { "breaks found": (100 * found) / breaks.length, "false alarms": alarms };
}
