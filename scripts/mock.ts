import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { styleText } from "node:util";
import { CommandError, runCommand, untilStopped } from "./command.ts";
import { listOperations, type Document } from "./contract/document.ts";
import { listen, readPort } from "./mock/listen.ts";
import { formatRequest } from "./mock/log.ts";
import type { Mock, MockOptions, RequestEntry } from "./mock/server.ts";
import type { Sources } from "./mock/sources.ts";

// Everything large is imported after this: compiled anew, it takes half as long again to the first answer.
enableCompileCache();

type Generations = Readonly<Record<string, Document>>;

await runCommand({
  name: "npm run mock",
  summary: "Serves the contract from a mock until stopped: examples as responses, and refusals that say what is wrong.",
  options: {
    port: { type: "string", value: "PORT", description: "where to listen; 0 takes a free port", default: "4010" },
    host: { type: "string", value: "HOST", description: "the address to listen on", default: "127.0.0.1" },
    generation: { type: "string", value: "NAME", description: "serve this generation alone" },
    dynamic: { type: "boolean", description: "make responses from the schemas, at random, instead of from examples" },
    seed: { type: "string", value: "N", description: "make the same random responses each time" },
    watch: { type: "boolean", description: "serve the sources, and take over each change of them that is saved" },
    quiet: { type: "boolean", description: "print no line for each request" },
  },
  examples: ["npm run mock", "npm run mock -- --port 0 --generation v2", "npm run mock -- --watch"],
  run: async ({ port, host, generation, dynamic, seed, watch, quiet }) => {
    const options = {
      port: readPort(port),
      host,
      dynamic,
      ...(seed !== undefined && { seed }),
      ...(!quiet && {
        onRequest: (entry: RequestEntry) => {
          print(formatRequest(entry, process.stdout));
        },
      }),
    };
    // A reader that took the first line and left must not end the mock.
    process.stdout.on("error", ignore);
    const stopped = untilStopped();
    await (watch ? serveSources(options, generation, stopped) : serveBundles(options, generation, stopped));
    return 0;
  },
});

type Options = Omit<MockOptions, "generations">;

async function serveBundles(options: Options, generation: string | undefined, stopped: Promise<void>): Promise<void> {
  const { readBundles, selectGeneration } = await import("./mock/bundles.ts");
  const generations = selectGeneration(await readBundles(resolve("generated")), generation);
  await using mock = await listen({ ...options, generations });
  await announce(mock, generations);
  await stopped;
}

async function serveSources(options: Options, generation: string | undefined, stopped: Promise<void>): Promise<void> {
  const [{ createSourceLoader }, { watchSources }] = await Promise.all([
    import("./mock/sources.ts"),
    import("./mock/watch.ts"),
  ]);
  const load = createSourceLoader(generation);
  const first = await load(new Set());
  if (first.generations === undefined) throw new CommandError(`the contract cannot be served\n\n${first.report}`);
  await using mock = await listen({ ...options, generations: first.generations });
  await announce(mock, first.generations);
  using watcher = watchSources(async (changed) => {
    const begin = performance.now();
    const next = await load(changed).catch(describeFailure);
    if (next.files.length > 0) watcher.follow(next.files);
    const refusal = next.generations === undefined ? next.report : takeOver(mock, next.generations);
    if (refusal !== undefined) {
      complain(`${refusal}\n\nThis change is not taken over: the last good contract still serves.`);
      return;
    }
    if (next.report !== "") complain(next.report);
    const counts = countOperations(next.generations ?? {});
    print(`Taken over in ${(performance.now() - begin).toFixed(0)} ms: ${counts.join(", ")}`);
  });
  watcher.follow(first.files);
  await stopped;
}

/** Serves another contract; says why where that cannot be done. */
function takeOver(mock: Mock, generations: Generations): string | undefined {
  try {
    mock.replace(generations);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function describeFailure(error: unknown): Sources {
  return { generations: undefined, report: messageOf(error), files: [] };
}

/** Says where the mock is, what it serves, and how to ask it. */
async function announce(mock: Mock, generations: Generations): Promise<void> {
  print(`Listening on ${mock.url}`);
  const [{ sampleCurl }, { indexRoutes }] = await Promise.all([import("./mock/curl.ts"), import("./mock/routes.ts")]);
  for (const line of countOperations(generations)) print(`  ${line}`);
  const curl = sampleCurl(mock.url, indexRoutes(generations).routes);
  if (curl !== undefined) print(`Try it: ${curl}`);
}

function countOperations(generations: Generations): string[] {
  return Object.entries(generations).map(
    ([name, document]) => `${name}: ${listOperations(document).length} operations`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function ignore(): void {
  // Nothing is to be done.
}

function complain(text: string): void {
  process.stderr.write(`${styleText("red", text, { stream: process.stderr })}\n`);
}
