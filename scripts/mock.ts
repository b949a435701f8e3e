import { enableCompileCache } from "node:module";
import type { ServerOptions } from "./mock/server/server.ts";

enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { ignoreOutputErrors, listen, runCommand, untilStopped } = await import("./command/commandLine.ts");
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
  },
  examples: ["npm run mock", "npm run mock -- --watch", "npm run mock -- --upstream https://api.example.com"],
  run: async ({ watch = false, ...values }) => {
    ignoreOutputErrors();
    const options = { ...readMockOptions(values), generation: values.generation };
    const stopped = untilStopped();
    if (watch) await serveSources(options, stopped);
    else await serveGenerations({ ...options, generations: await readBuiltGenerations() }, stopped);
  },
});

async function serveSources(options: Omit<ServerOptions, "generations">, stopped: Promise<void>): Promise<void> {
  const { followSources } = await import("./pipeline/followSources.ts");
  const { generation } = options;
  const { first, follow } = await followSources(generation);
  // They share resources with the served one.
  const built = generation === undefined ? [] : await readBuiltGenerations().catch(() => []);
  const others = built.filter(({ name }) => name !== generation);
  await using mock = await listen({ ...options, generations: [...first.generations, ...others] });
  announce(mock, first.generations);
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
