import { enableCompileCache } from "node:module";

enableCompileCache();
const { printLine, runCommand } = await import("./command/commandLine.ts");
const { UserError } = await import("./contract/failures.ts");
const { lintSources } = await import("./pipeline/buildGenerated.ts");

await runCommand({
  name: "npm run lint",
  summary:
    "Checks the contract and the workflows in openapi/ against their specifications and the rules in redocly.yaml.",
  options: {},
  positionals: "[GENERATION]",
  examples: ["npm run lint", "npm run lint -- v2"],
  run: async (_, [generation, ...others]) => {
    if (others.length > 0) throw new UserError("give one generation, or none to check all of them");
    await lintSources(printLine, generation);
  },
});
