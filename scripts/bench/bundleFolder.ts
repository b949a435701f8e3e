import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Generation } from "../contract/generation.ts";

/** Writes what a build would, and the first document alone for commands that take only one. */
export async function writeBundles(folder: string, generations: readonly Generation[]): Promise<void> {
  for (const { name, document } of generations) {
    await mkdir(join(folder, "generated", name), { recursive: true });
    await writeFile(join(folder, "generated", name, "openapi.json"), JSON.stringify(document));
  }
  const apis = generations.map(({ name }) => `  ${name}: {}`);
  await writeFile(join(folder, "redocly.yaml"), ["apis:", ...apis, ""].join("\n"));
  await writeFile(join(folder, "openapi.json"), JSON.stringify(generations[0]?.document));
}
