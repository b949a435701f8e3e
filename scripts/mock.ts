import { enableCompileCache } from "node:module";
import { styleText } from "node:util";
import { readBuiltGenerations } from "./command/builtGenerations.ts";
import { printLine, runCommand, untilStopped } from "./command/commandLine.ts";
import { faultOptions, readFaultOptions } from "./command/faultOptions.ts";
import { listen, listenOptions, readPort } from "./command/listen.ts";
import { printRequests } from "./command/requestLog.ts";
import type { LoadedSources } from "./pipeline/sourceLoader.ts";
import { curlCommand, exampleRequest, type ExampleRequest } from "./contract/exampleRequest.ts";
import { messageOf, UserError } from "./contract/failures.ts";
import type { Generation } from "./contract/generation.ts";
import type { MockServer, ServerOptions } from "./mock/server.ts";

// Everything large is imported after this: compiled anew, it takes half as long again to the first response.
enableCompileCache();

await runCommand({
  name: "npm run mock",
  summary:
    "Runs a mock server until stopped: it responds with the contract's examples, and says why it rejects a request.",
  options: {
    ...listenOptions,
    generation: { type: "string", value: "NAME", description: "serve only this generation" },
    dynamic: { type: "boolean", description: "generate random responses from the schemas instead of using examples" },
    seed: { type: "string", value: "N", description: "make random responses and faults the same each time" },
    ...faultOptions,
    watch: { type: "boolean", description: "serve the sources, and reload them whenever one is saved" },
    quiet: { type: "boolean", description: "do not log requests" },
  },
  examples: ["npm run mock", "npm run mock -- --port 0 --generation v2", "npm run mock -- --watch"],
  run: async ({ port, host, generation, dynamic = false, seed, latency, fail, watch = false, quiet = false }) => {
    const options = {
      port: readPort(port),
      host,
      dynamic,
      seed,
      ...readFaultOptions({ latency, fail }),
      onRequest: printRequests(quiet),
    };
    const stopped = untilStopped();
    await (watch ? serveSources(options, generation, stopped) : serveBundles(options, generation, stopped));
  },
});

type Options = Omit<ServerOptions, "generations">;

async function serveBundles(options: Options, generation: string | undefined, stopped: Promise<void>): Promise<void> {
  const generations = await readBuiltGenerations(generation);
  await using mock = await listen({ ...options, generations });
  announce(mock, generations);
  await stopped;
}

async function serveSources(options: Options, generation: string | undefined, stopped: Promise<void>): Promise<void> {
  const [{ createSourceLoader }, { watchFiles }] = await Promise.all([
    import("./pipeline/sourceLoader.ts"),
    import("./command/watchFiles.ts"),
  ]);
  const load = createSourceLoader(generation);
  const first = await load(new Set());
  if (first.generations === undefined) throw new UserError(`the contract cannot be served\n\n${first.report}`);
  await using mock = await listen({ ...options, generations: first.generations });
  announce(mock, first.generations);
  using watcher = watchFiles(async (changed) => {
    const begin = performance.now();
    const next = await load(changed).catch(unusableSources);
    if (next.files.length > 0) watcher.follow(next.files);
    const refusal = next.generations === undefined ? next.report : replace(mock, next.generations);
    if (refusal !== undefined) {
      printError(`${refusal}\n\nThis change was not loaded: the last valid contract is still served.`);
      return;
    }
    if (next.report !== "") printError(next.report);
    const counts = (next.generations ?? []).map(countOperations);
    printLine(`Reloaded in ${(performance.now() - begin).toFixed(0)} ms: ${counts.join(", ")}`);
  });
  watcher.follow(first.files);
  await stopped;
}

/** Serves other generations, or returns the reason why that is not possible. */
function replace(mock: MockServer, generations: readonly Generation[]): string | undefined {
  try {
    mock.replace(generations);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function unusableSources(error: unknown): LoadedSources {
  return { generations: undefined, report: messageOf(error), files: [] };
}

/** Prints where the mock is, what it serves, and a request to try. */
function announce(mock: MockServer, generations: readonly Generation[]): void {
  printLine(`Listening on ${mock.url}`);
  for (const generation of generations) printLine(`  ${countOperations(generation)}`);
  const request = firstRequest(generations);
  if (request !== undefined) printLine(`Try it: ${curlCommand(mock.url, request).replaceAll(" \\\n  ", " ")}`);
}

/** A request that succeeds: a GET if there is one, and one that shows how credentials are sent. */
function firstRequest(generations: readonly Generation[]): ExampleRequest | undefined {
  const rank = ({ method, target, headers }: ExampleRequest) =>
    (method === "GET" ? 0 : 2) + (Object.keys(headers).length > 0 || target.includes("?") ? 0 : 1);
  return (
    generations
      .flatMap(({ operations }) => operations.filter(({ requestBody }) => requestBody === undefined))
      .map((operation) => exampleRequest(operation))
      // A parameter without an example leaves its name in the path.
      .filter(({ target }) => !target.includes("{"))
      .sort((a, b) => rank(a) - rank(b))[0]
  );
}

function countOperations({ name, operations }: Generation): string {
  return `${name}: ${operations.length} operations`;
}

function printError(text: string): void {
  process.stderr.write(`${styleText("red", text, { stream: process.stderr })}\n`);
}
