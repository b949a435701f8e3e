import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { listBundles, readBundles } from "../../contract/bundles.ts";
import type { Generation } from "../../contract/generation.ts";

/**
 * Reads the bundles in the package that this module is in, as a part of a bundle in its mock/, the oldest version first.
 */
export async function readPackagedGenerations(): Promise<readonly Generation[]> {
  // A path and no URL object: jsdom replaces the global URL.
  const directory = dirname(dirname(fileURLToPath(import.meta.url)));
  return readBundles(directory, await listBundles(directory));
}
