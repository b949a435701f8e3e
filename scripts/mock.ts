import { enableCompileCache } from "node:module";
import { styleText } from "node:util";
import type { LoadedSources } from "./pipeline/sourceLoader.ts";
import type { Generation } from "./contract/generation.ts";
import type { MockServer, ServerOptions } from "./mock/http/server.ts";

// What is imported statically is compiled before the cache is there.
enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { ignoreOutputErrors, printLine, runCommand, untilStopped } = await import("./command/commandLine.ts");
const { listen } = await import("./command/listen.ts");
const { announce, countOperations, mockOptions, mockSummary, readMockOptions, serveGenerations } =
  await import("./command/mockCommand.ts");
const { messageOf, UserError } = await import("./contract/failures.ts");

await runCommand({
  name: "npm run mock",
  summary: mockSummary,
  options: {
    ...mockOptions,
    watch: { type: "boolean", description: "serve the sources, and reload them whenever one is saved" },
  },
  examples: ["npm run mock", "npm run mock -- --port 0 --generation v2", "npm run mock -- --watch"],
  run: async ({ watch = false, ...values }) => {
    ignoreOutputErrors();
    const options = readMockOptions(values);
    const stopped = untilStopped();
    if (watch) await serveSources(options, values.generation, stopped);
    else await serveGenerations({ ...options, generations: await readBuiltGenerations(values.generation) }, stopped);
  },
});

type Options = Omit<ServerOptions, "generations">;

async function serveSources(options: Options, generation: string | undefined, stopped: Promise<void>): Promise<void> {
  const [{ createSourceLoader }, { watchFiles }] = await Promise.all([
    import("./pipeline/sourceLoader.ts"),
    import("./command/watchFiles.ts"),
  ]);
  const load = createSourceLoader(generation);
  const begin = Date.now();
  const first = await load(new Set());
  if (first.generations === undefined) throw new UserError(`the contract cannot be served\n\n${first.report}`);
  await using mock = await listen({ ...options, generations: first.generations });
  announce(mock, first.generations);
  using watcher = watchFiles(async (changed) => {
    const begin = Date.now();
    const next = await load(changed).catch(unusableSources);
    if (next.files.length > 0) await watcher.follow(next.files, begin);
    const replaced = next.generations === undefined ? { refusal: next.report } : replace(mock, next.generations);
    if ("refusal" in replaced) {
      printError(`${replaced.refusal}\n\nThis change was not loaded: the last valid contract is still served.`);
      return;
    }
    for (const dropped of replaced.dropped) printError(`Dropped from the state: ${dropped}`);
    if (next.report !== "") printError(next.report);
    const counts = (next.generations ?? []).map(countOperations);
    printLine(`Reloaded in ${Date.now() - begin} ms: ${counts.join(", ")}`);
  });
  await watcher.follow(first.files, begin);
  await stopped;
}

/** Serves other generations and returns what of the state does not fit them, or the reason why that is not possible. */
function replace(
  mock: MockServer,
  generations: readonly Generation[],
): { readonly refusal: string } | { readonly dropped: readonly string[] } {
  try {
    return { dropped: mock.replace(generations) };
  } catch (error) {
    return { refusal: messageOf(error) };
  }
}

function unusableSources(error: unknown): LoadedSources {
  return { generations: undefined, report: messageOf(error), files: [] };
}

function printError(text: string): void {
  process.stderr.write(`${styleText("red", text, { stream: process.stderr })}\n`);
}
