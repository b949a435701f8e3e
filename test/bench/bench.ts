import { formatTable, type Benchmark, type MeasuredFigures } from "./figures.ts";
import { printLine, printProgress, runCommand } from "../../scripts/command/commandLine.ts";
import { UserError } from "../../scripts/contract/failures.ts";
import { suggestNames } from "../../scripts/values/similarName.ts";

const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  build: async () => (await import("./buildTime.ts")).benchBuild,
  client: async () => (await import("./clientCost.ts")).benchClient,
  dev: async () => (await import("./saveToSight.ts")).benchDev,
  diff: async () => (await import("./diffRatings.ts")).benchDiff,
  docs: async () => (await import("./docsCost.ts")).benchDocs,
  mock: async () => (await import("./mockLoad.ts")).benchMock,
};
const names = Object.keys(benchmarks);

await runCommand({
  name: "npm run bench",
  summary: `Compares this project with other tools: ${names.join(", ")}, or only the given ones.`,
  options: {},
  positionals: "[NAME...]",
  examples: ["npm run bench", "npm run bench -- mock docs"],
  run: async (_, chosen) => {
    const unknown = chosen.find((name) => !names.includes(name));
    if (unknown !== undefined) throw new UserError(`"${unknown}" is not a benchmark: ${suggestNames(unknown, names)}`);
    // A regular exit ends the child processes and removes the temporary folders.
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
    const comparisons: MeasuredFigures[] = [];
    try {
      for (const [name, load] of Object.entries(benchmarks)) {
        if (chosen.length > 0 && !chosen.includes(name)) continue;
        for await (const comparison of (await load())()) {
          printProgress(comparison.title);
          comparisons.push(comparison);
        }
      }
    } finally {
      printLine(formatTable(comparisons));
    }
  },
});
