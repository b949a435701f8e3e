import { resolve } from "node:path";
import { readBundles } from "../contract/bundles.ts";
import { UserError } from "../contract/failures.ts";
import type { Generation } from "../contract/generation.ts";
import { readYaml } from "./files.ts";
import { membersOf, valueAt } from "../values/json.ts";

/**
 * Reads the bundles of the generations in redocly.yaml. It works without Redocly, which takes longer to load
 * than the mock takes to start.
 */
export async function readBuiltGenerations(): Promise<readonly Generation[]> {
  const names = (await listGenerations(resolve("redocly.yaml"))).map(({ name }) => name);
  return readBundles(resolve("generated"), names);
}

/** Lists the generations in a redocly.yaml, and the files that describe them. */
export async function listGenerations(file: string) {
  const configuration = await readYaml(file);
  const listed = membersOf(valueAt(configuration, ["apis"])).map(([name, api]) => ({
    name,
    root: String(valueAt(api, ["root"])),
  }));
  if (listed.length === 0) throw new UserError(`${file} lists no generation: add one under "apis:"`);
  return listed;
}
