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
    const loadDocs = async () => (await import("./docs/site/writeSite.ts")).readTexts(generations);
    await runMcp(values, manifest, generations, loadDocs);
  },
});
