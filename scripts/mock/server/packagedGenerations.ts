import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { listBundles, readBundles } from "../../contract/bundles.ts";
import type { Generation } from "../../contract/generation.ts";

/**
 * Reads the bundles in the package, the oldest version first. This module is part of a bundle in the
 * package's mock/.
 */
export async function readPackagedGenerations(): Promise<readonly Generation[]> {
  // Not a URL object, because jsdom replaces the global URL.
  const directory = dirname(dirname(fileURLToPath(import.meta.url)));
  return readBundles(directory, await listBundles(directory));
}
