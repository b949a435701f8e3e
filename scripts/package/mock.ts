/// <reference lib="esnext.disposable" preserve="true" />
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { errorCode } from "../command.ts";
import { isObject } from "../contract/document.ts";
import { readBundles, selectGeneration } from "../mock/bundles.ts";

/** What the published package's mock can be told. */
export interface MockOptions {
  /** Default 0, which takes a free port. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** The one generation to serve; all without it. */
  readonly generation?: string | undefined;
  /** Make responses from schemas, at random, instead of from examples. */
  readonly dynamic?: boolean | undefined;
  /** Makes random responses the same each time. */
  readonly seed?: string | undefined;
  /** Is told of each request when it has been answered. Credentials are masked. */
  readonly onRequest?: ((entry: RequestEntry) => void) | undefined;
}

export interface RequestEntry {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Why it was refused. */
  readonly reason?: string;
}

export interface Mock extends AsyncDisposable {
  /** Without a slash at its end: what a client takes for `baseUrl`. */
  readonly url: string;
  /** Answers what is in flight, and ends. */
  readonly close: () => Promise<void>;
}

// The package itself, by the name in its own package.json.
const manifest = import.meta.resolve("scheduling-service-api/package.json");

/**
 * Starts a mock of the generations in this package. Rejects where the packages are missing that only the mock needs,
 * with the command that installs them, and with the system's error where it cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { generation, ...rest } = options;
  const server = await import("../mock/server.ts").catch(explainMissingPackage);
  const bundles = await readBundles(fileURLToPath(new URL("generated/", manifest)));
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return server.startMock({ ...given, generations: selectGeneration(bundles, generation) });
}

async function explainMissingPackage(error: unknown): Promise<never> {
  if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
  const content: unknown = JSON.parse(await readFile(new URL(manifest), "utf8"));
  const peers = isObject(content) && isObject(content["peerDependencies"]) ? content["peerDependencies"] : {};
  const packages = Object.entries(peers).map(([name, range]) => `${name}@${String(range)}`);
  throw new Error(`The mock needs packages that are not installed: npm install --save-dev ${packages.join(" ")}`, {
    cause: error,
  });
}
