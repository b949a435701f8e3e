import { symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeSyntheticSources } from "../fixtures/syntheticContract.ts";
import { readConfiguration } from "../../scripts/pipeline/configuration.ts";
import type { Benchmark, MeasuredFigures, Figure } from "./figures.ts";
import { compareCommands, temporaryFolder, type Command } from "./programs.ts";

const redocly = resolve("node_modules/@redocly/cli/bin/cli.js");
const openapiTypescript = resolve("node_modules/openapi-typescript/bin/cli.js");

/**
 * Compares `npm run build` with the separate commands for the same work: redocly lint, and for each generation
 * redocly bundle to YAML and to JSON and openapi-typescript.
 */
export const benchBuild: Benchmark = async function* () {
  const project = await temporaryFolder();
  // It reads this project's sources, and writes only to generated/.
  for (const name of ["redocly.yaml", "openapi", "scripts", "node_modules"]) {
    await symlink(resolve(name), join(project, name));
  }
  const synthetic = await temporaryFolder();
  await writeSyntheticSources(synthetic, 1_000);
  yield await compareBuilds("build: this project", project);
  yield await compareBuilds("build: 1,000 operations", synthetic, { ratio: 0.9 });
};

async function compareBuilds(title: string, cwd: string, goal?: Figure["goal"]): Promise<MeasuredFigures> {
  const { sources } = await readConfiguration(join(cwd, "redocly.yaml"));
  const chain = sources.flatMap(({ name }): readonly Command[] => [
    // If one command bundled them, generations whose roots have the same file name would overwrite each
    // other.
    { cwd, args: [redocly, "bundle", name, "--output", `chain/${name}.yaml`] },
    { cwd, args: [redocly, "bundle", name, "--output", `chain/${name}.json`] },
    // In a folder with a redocly.yaml, openapi-typescript would take its input from that file.
    { cwd: join(cwd, "chain"), args: [openapiTypescript, `${name}.yaml`, "--output", `${name}.ts`] },
  ]);
  const others = { "separate commands": [{ cwd, args: [redocly, "lint"] }, ...chain] };
  const ours = [{ cwd, args: [resolve("scripts/build.ts")] }];
  return compareCommands(title, ours, others, [join(cwd, "generated"), join(cwd, "chain")], goal);
}
