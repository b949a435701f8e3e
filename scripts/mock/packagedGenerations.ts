import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { listBundles, readBundles, selectByName } from "../contract/bundles.ts";
import type { Generation } from "../contract/generation.ts";

/**
 * Reads the bundles in the package that this module belongs to, or only one of them, the oldest version first.
 * Throws {@link UserError} for an unknown generation.
 */
export async function readPackagedGenerations(only?: string): Promise<readonly Generation[]> {
  const directory = join(packageFolder(), "generated");
  return selectByName(await readBundles(directory, await listBundles(directory)), only);
}

/** Found by its package.json, because the bundled module is in another place than its source. */
function packageFolder(): string {
  // A path and no URL object: jsdom replaces the global URL.
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}
