import { enableCompileCache } from "node:module";
import manifest from "../package.json" with { type: "json" };

enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { runCommand } = await import("./command/commandLine.ts");
const { mcpOptions, mcpSummary, runMcp } = await import("./mcp/mcpCommand.ts");

// The help lists the variables. If there are no generations, the command says why.
const built = await readBuiltGenerations().catch(() => []);

await runCommand({
  name: "npm --silent run mcp",
  waits: true,
  summary: mcpSummary(built),
  options: mcpOptions,
  examples: ["npm --silent run mcp", "npm --silent run mcp -- --server https://api.example.com --allow-changes"],
  run: async (values) => {
    const generations = await readBuiltGenerations();
    const loadDocs = async () => {
      const { readTexts } = await import("./docs/site/writeSite.ts");
      const { files, index } = await readTexts(generations);
      const texts = new Map(files.map(({ path, content }) => [path, content]));
      return { index, readFile: (path: string) => texts.get(path) ?? "" };
    };
    await runMcp(values, manifest, generations, loadDocs);
  },
});
