import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeSyntheticSources } from "../../test/fixtures/syntheticContract.ts";
import { readSources } from "../pipeline/configuration.ts";
import { measureCommands, medianCost, type Command, type Cost } from "./commandCost.ts";
import { tableRow } from "./statistics.ts";

const projectRoot = resolve(import.meta.dirname, "../..");
const buildScript = join(projectRoot, "scripts/build.ts");
const redocly = join(projectRoot, "node_modules/@redocly/cli/bin/cli.js");
const openapiTypescript = join(projectRoot, "node_modules/openapi-typescript/bin/cli.js");

/**
 * Compares `npm run build` with the separate commands that do the same work: redocly lint, and for each generation
 * redocly bundle to YAML and to JSON and openapi-typescript. Both run in turn, after one round that does not count.
 */
export async function benchBuild(report: (line: string) => void): Promise<void> {
  report("contract            rounds   build wall      cpu   chain wall      cpu   build/chain wall    cpu");
  await compare("this project", 5, linkProject, report);
  await compare("1,000 operations", 3, (directory) => writeSyntheticSources(directory, 1000), report);
}

async function compare(
  title: string,
  rounds: number,
  prepare: (directory: string) => Promise<void>,
  report: (line: string) => void,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "bench-build-"));
  try {
    await prepare(directory);
    const names = (await readSources(join(directory, "redocly.yaml"))).map(({ name }) => name);
    const build = () => measureCommands([{ cwd: directory, args: [buildScript] }]);
    const chain = () => measureCommands(listChain(directory, names));
    const builds: Cost[] = [];
    const chains: Cost[] = [];
    for (let round = 0; round <= rounds; round++) {
      for (const output of ["generated", "chain"]) await rm(join(directory, output), { recursive: true, force: true });
      const [built, chained] = [await build(), await chain()];
      if (round === 0) continue;
      builds.push(built);
      chains.push(chained);
    }
    report(describeCosts(title, rounds, medianCost(builds), medianCost(chains)));
  } finally {
    await rm(directory, { recursive: true });
  }
}

function listChain(cwd: string, names: readonly string[]): Command[] {
  return [
    { cwd, args: [redocly, "lint"] },
    ...names.flatMap((name) => [
      // Bundled by one command, generations whose roots have the same file name would overwrite each other.
      { cwd, args: [redocly, "bundle", name, "--output", `chain/${name}.yaml`] },
      { cwd, args: [redocly, "bundle", name, "--output", `chain/${name}.json`] },
      // In a folder with a redocly.yaml, openapi-typescript would take its input from there.
      { cwd: join(cwd, "chain"), args: [openapiTypescript, `${name}.yaml`, "--output", `${name}.ts`] },
    ]),
  ];
}

/** A folder that reads this project's sources and writes beside them only. */
async function linkProject(directory: string): Promise<void> {
  for (const name of ["redocly.yaml", "openapi", "scripts", "node_modules"]) {
    await symlink(join(projectRoot, name), join(directory, name));
  }
}

function describeCosts(title: string, rounds: number, build: Cost, chain: Cost): string {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
  const ratio = (a: number, b: number) => (a / b).toFixed(2);
  return tableRow(
    [
      title,
      String(rounds),
      seconds(build.wall),
      seconds(build.cpu),
      seconds(chain.wall),
      seconds(chain.cpu),
      ratio(build.wall, chain.wall),
      ratio(build.cpu, chain.cpu),
    ],
    [18, 8, 13, 9, 13, 9, 19, 7],
  );
}
