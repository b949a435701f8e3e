import { enableCompileCache } from "node:module";
import type { ServerOptions } from "./mock/server/server.ts";

enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { folderOption, ignoreOutputErrors, listen, printProgress, runCommand, untilStopped } =
  await import("./command/commandLine.ts");
const command = await import("./command/mockCommand.ts");
const { announce, mockSummary, printMistake, printReady, printWarnings, reload, serveGenerations } = command;
const { mockOptions, readMockOptions } = await import("./command/mockOptions.ts");

await runCommand({
  name: "npm run mock",
  waits: true,
  summary: mockSummary,
  options: {
    ...mockOptions,
    watch: { type: "boolean", description: "serve the sources, and reload them when they are saved" },
    "allow-folder": folderOption,
  },
  positionals: "[FILE...]",
  examples: [
    "npm run mock",
    "npm run mock -- --watch",
    "npm run mock -- petstore.yaml",
    "npm run mock -- --upstream https://api.example.com",
  ],
  run: async ({ watch = false, "allow-folder": allowed, ...values }, files) => {
    ignoreOutputErrors();
    const options = { ...readMockOptions(values), generation: values.generation };
    const stopped = untilStopped();
    if (watch) await serveSources(options, { files, allowed }, stopped);
    else await serveGenerations({ ...options, generations: await readGenerations({ files, allowed }) }, stopped);
  },
});

/** The descriptions that the arguments name. */
interface Named {
  readonly files: readonly string[];
  readonly allowed: string | undefined;
}

async function readGenerations({ files, allowed }: Named) {
  if (files.length === 0) return readBuiltGenerations();
  const { readDescriptions } = await import("./pipeline/buildGenerated.ts");
  return readDescriptions(files, printProgress, allowed);
}

async function serveSources(
  options: Omit<ServerOptions, "generations">,
  { files, allowed }: Named,
  stopped: Promise<void>,
): Promise<void> {
  const { followSources } = await import("./pipeline/followSources.ts");
  const { configureFiles } = await import("./pipeline/configuration.ts");
  const { generation } = options;
  const configure = files.length > 0 ? () => configureFiles(files, allowed) : undefined;
  const { first, follow } = await followSources(generation, [], configure);
  // They share resources with the served one.
  const built = generation === undefined || files.length > 0 ? [] : await readBuiltGenerations().catch(() => []);
  const others = built.filter(({ name }) => name !== generation);
  await using mock = await listen({ ...options, generations: [...first.generations, ...others] });
  announce(mock, first.generations, options);
  printReady();
  using _following = await follow({
    onSave: (contract) => {
      reload({ replace: (generations) => mock.replace([...generations, ...others]) }, contract);
    },
    afterSave: printWarnings,
    onMistake: printMistake,
  });
  await stopped;
}
