import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { listBundles, readBundles, selectByName } from "../contract/bundles.ts";
import type { Generation } from "../contract/generation.ts";

/**
 * Reads the bundles in the package that this module is in, as a part of a bundle in its mock/, or only one of them, the
 * oldest version first. Throws {@link UserError} for an unknown generation.
 */
export async function readPackagedGenerations(only?: string): Promise<readonly Generation[]> {
  // A path and no URL object: jsdom replaces the global URL.
  const directory = dirname(dirname(fileURLToPath(import.meta.url)));
  return selectByName(await readBundles(directory, await listBundles(directory)), only);
}
