import { enableCompileCache } from "node:module";
import { styleText } from "node:util";
import type { ServerOptions } from "./mock/http/server.ts";

// What is imported statically is compiled before the cache is there.
enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { ignoreOutputErrors, printLine, runCommand, untilStopped } = await import("./command/commandLine.ts");
const { listen } = await import("./command/listen.ts");
const { announce, countOperations, mockSummary, serveGenerations } = await import("./command/mockCommand.ts");
const { mockOptions, readMockOptions } = await import("./command/mockOptions.ts");
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

async function serveSources(
  options: Omit<ServerOptions, "generations">,
  generation: string | undefined,
  stopped: Promise<void>,
): Promise<void> {
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
    try {
      const { generations, report, files } = await load(changed);
      await watcher.follow(files, begin);
      if (generations === undefined) throw new UserError(report);
      for (const dropped of mock.replace(generations)) printError(`Dropped from the state: ${dropped}`);
      if (report !== "") printError(report);
      printLine(`Reloaded in ${Date.now() - begin} ms: ${generations.map(countOperations).join(", ")}`);
    } catch (error) {
      printError(`${messageOf(error)}\n\nThis change was not loaded: the last valid contract is still served.`);
    }
  });
  await watcher.follow(first.files, begin);
  await stopped;
}

function printError(text: string): void {
  process.stderr.write(`${styleText("red", text, { stream: process.stderr })}\n`);
}
