import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { listBundles, readBundles, selectByName } from "../contract/bundles.ts";
import { errorCode } from "../contract/failures.ts";
import { isObject } from "../contract/openapi.ts";
import type { Mock, MockOptions } from "./mockTypes.ts";

export type { Mock, MockOptions, RequestEntry } from "./mockTypes.ts";

/**
 * Starts a mock of the generations in this package. Rejects if packages are missing that only the mock needs, with the
 * command that installs them; for an unknown generation; and with the system's error if it cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { generation, ...rest } = options;
  const manifest = findManifest(import.meta.url);
  const server = await import("./server.ts").catch((error: unknown) => explainMissingPackage(error, manifest));
  const directory = fileURLToPath(new URL("generated/", manifest));
  const generations = selectByName(await readBundles(directory, await listBundles(directory)), generation);
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return server.startServer({ ...given, generations });
}

/** The package.json that a module belongs to. */
function findManifest(module: string): URL {
  let folder = new URL(".", module);
  while (!existsSync(new URL("package.json", folder))) folder = new URL("..", folder);
  return new URL("package.json", folder);
}

async function explainMissingPackage(error: unknown, manifest: URL): Promise<never> {
  if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
  const content: unknown = JSON.parse(await readFile(manifest, "utf8"));
  const peers = isObject(content) && isObject(content["peerDependencies"]) ? content["peerDependencies"] : {};
  const packages = Object.entries(peers).map(([name, range]) => `${name}@${String(range)}`);
  throw new Error(`The mock needs packages that are not installed: npm install --save-dev ${packages.join(" ")}`, {
    cause: error,
  });
}
