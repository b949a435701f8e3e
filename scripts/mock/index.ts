import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { listBundles, readBundles, selectByName } from "../contract/bundles.ts";
import { errorCode } from "../contract/failures.ts";
import { isObject } from "../contract/openapi.ts";
import type { EngineOptions } from "./engine.ts";
import type { InProcessMock, Mock, MockOptions } from "./mockTypes.ts";

export type { InProcessMock, Mock, MockOptions, RequestEntry } from "./mockTypes.ts";

/**
 * Starts a mock of the generations in this package. Rejects if packages are missing that only the mock needs, with the
 * command that installs them; for an unknown generation; and with the system's error if it cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const manifest = findManifest(import.meta.url);
  const server = await import("./server.ts").catch((error: unknown) => explainMissingPackage(error, manifest));
  return server.startServer(await engineOptions(options, manifest));
}

/** Makes a mock without a port, for {@link InProcessMock.fetch}. Rejects as {@link startMock} does. */
export async function createMock(options: Omit<MockOptions, "host" | "port"> = {}): Promise<InProcessMock> {
  const manifest = findManifest(import.meta.url);
  const engine = await import("./engine.ts").catch((error: unknown) => explainMissingPackage(error, manifest));
  return engine.createEngine(await engineOptions(options, manifest));
}

async function engineOptions({ generation, ...options }: MockOptions, manifest: URL): Promise<EngineOptions> {
  const directory = fileURLToPath(new URL("generated/", manifest));
  const generations = selectByName(await readBundles(directory, await listBundles(directory)), generation);
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...given, generations };
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
