import { enableCompileCache } from "node:module";

enableCompileCache();
const { printLine, readChoice, runCommand } = await import("./command/commandLine.ts");
const { terminalStyle } = await import("./command/terminal.ts");
const { UserError } = await import("./contract/failures.ts");
const { isGenerated, lintSources } = await import("./pipeline/buildGenerated.ts");
const { annotateFailure, reportProblems } = await import("./pipeline/formatProblems.ts");
const { writeReport } = await import("./report/writeReport.ts");

const formats = ["text", "github"] as const;

await runCommand({
  name: "npm run lint",
  summary:
    "Checks the contract and the workflows in openapi/ against their specifications and the rules in redocly.yaml.",
  options: {
    format: {
      type: "string",
      value: "FORMAT",
      default: "text",
      description: "text, or github for annotations in GitHub Actions",
    },
  },
  positionals: "[GENERATION]",
  examples: ["npm run lint", "npm run lint -- v2", "npm run lint -- --format github"],
  run: async (given, [generation, ...others]) => {
    if (others.length > 0) throw new UserError("give one generation, or none to check all of them");
    const format = readChoice("format", given.format, formats);
    try {
      const generations = await lintSources(printLine, generation, (warnings) =>
        writeReport(reportProblems(warnings), format, terminalStyle(process.stdout)),
      );
      if (!(await isGenerated(generations)))
        printLine("Next: npm run build, because generated/ does not match openapi/");
    } catch (error) {
      if (format !== "github") throw error;
      printLine(annotateFailure(error));
      process.exitCode = 1;
    }
  },
});
