import { printLine, runCommand } from "./command/commandLine.ts";
import { UserError } from "./contract/failures.ts";

type Benchmark = (report: (line: string) => void) => Promise<void>;

const benchmarks = new Map<string, () => Promise<Benchmark>>([
  ["build", async () => (await import("./bench/buildTime.ts")).benchBuild],
  ["client", async () => (await import("./bench/clientCost.ts")).benchClient],
  ["docs", async () => (await import("./bench/docsLoad.ts")).benchDocs],
  ["mock", async () => (await import("./bench/mockLoad.ts")).benchMock],
]);
const names = [...benchmarks.keys()];

await runCommand({
  name: "npm run bench",
  summary: `Measures a part of this project on this machine: ${names.join(", ")}.`,
  options: {},
  positionals: "NAME",
  examples: names.map((name) => `npm run bench -- ${name}`),
  run: async (_, [name = "", ...others]) => {
    const load = benchmarks.get(name);
    if (load === undefined || others.length > 0) throw new UserError(`name one benchmark: ${names.join(", ")}`);
    const benchmark = await load();
    await benchmark(printLine);
  },
});
