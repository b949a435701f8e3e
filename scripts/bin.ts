#!/usr/bin/env node
import module from "node:module";
import manifest from "../package.json" with { type: "json" };
import { ignoreOutputErrors, runCommand, untilStopped } from "./command/commandLine.ts";
import { mockSummary, serveGenerations } from "./command/mockCommand.ts";
import { mockOptions, readMockOptions } from "./command/mockOptions.ts";
import { UserError } from "./contract/failures.ts";
import { mcpOptions, mcpSummary, runMcp } from "./mcp/mcpCommand.ts";
import { readPackagedDocs } from "./mcp/packagedDocs.ts";
import { readPackagedGenerations } from "./mock/server/packagedGenerations.ts";

// Node has it since 22.8. All large modules are imported after this, as in mock.ts.
if ("enableCompileCache" in module) module.enableCompileCache();

const name = `npx ${manifest.name}`;
const commands = `the commands are ${name} mock and ${name} mcp`;
const [, , command] = process.argv;

if (command === "mcp") {
  const generations = await readPackagedGenerations();
  await runCommand({
    name,
    waits: true,
    version: manifest.version,
    summary: mcpSummary(generations),
    options: mcpOptions,
    positionals: command,
    examples: [`${name} mcp`, `${name} mcp --server https://api.example.com --allow-changes`],
    run: async (values, [, ...others]) => {
      refuseOthers(others);
      await runMcp(values, manifest, generations, readPackagedDocs);
    },
  });
} else {
  await runCommand({
    name,
    waits: true,
    version: manifest.version,
    summary: `${mockSummary}\n\nThe other command is ${name} mcp, for agents: add --help to it.`,
    options: mockOptions,
    positionals: "mock",
    examples: [`${name} mock`, `${name} mock --upstream https://api.example.com`],
    run: async (values, positionals) => {
      const [first, ...others] = positionals;
      if (first === undefined) throw new UserError(`a command is missing: ${commands}`);
      refuseOthers(first === "mock" ? others : positionals);
      ignoreOutputErrors();
      const options = readMockOptions(values);
      const stopped = untilStopped();
      const { generation } = values;
      await serveGenerations({ ...options, generation, generations: await readPackagedGenerations() }, stopped);
    },
  });
}

function refuseOthers([unexpected]: readonly string[]): void {
  if (unexpected !== undefined) throw new UserError(`unexpected argument "${unexpected}": ${commands}`);
}
