import { readdir } from "node:fs/promises";
import { isObject } from "./contract/document.ts";
import { CommandError, runCommand } from "./command.ts";

type Benchmark = (report: (line: string) => void) => Promise<void>;

const folder = new URL("bench/", import.meta.url);
const names = (await readdir(folder))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length));

await runCommand({
  name: "npm run bench",
  summary: `Measures a part of this project on this machine: ${names.join(", ")}.`,
  options: {},
  positionals: "NAME",
  examples: names.map((name) => `npm run bench -- ${name}`),
  run: async (_, [name = "", ...others]) => {
    if (!names.includes(name) || others.length > 0) {
      throw new CommandError(`name one benchmark: ${names.join(", ")}`);
    }
    const benchmark = await loadBenchmark(name);
    await benchmark((line) => process.stdout.write(`${line}\n`));
    return 0;
  },
});

/** The function `bench<Name>` of bench/<name>.ts. */
async function loadBenchmark(name: string): Promise<Benchmark> {
  const module: unknown = await import(new URL(`${name}.ts`, folder).href);
  const exported = `bench${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const benchmark = isObject(module) ? module[exported] : undefined;
  if (!isBenchmark(benchmark)) throw new Error(`scripts/bench/${name}.ts does not export ${exported}`);
  return benchmark;
}

function isBenchmark(value: unknown): value is Benchmark {
  return typeof value === "function";
}
