#!/usr/bin/env node
import module from "node:module";
import manifest from "../package.json" with { type: "json" };
import { ignoreOutputErrors, runCommand, untilStopped } from "./command/commandLine.ts";
import { mockSummary, serveGenerations } from "./command/mockCommand.ts";
import { mockOptions, readMockOptions } from "./command/mockOptions.ts";
import { UserError } from "./contract/failures.ts";
import { readPackagedGenerations } from "./mock/server/packagedGenerations.ts";

// Node has it since 22.8. All large modules are imported after this, as in mock.ts.
if ("enableCompileCache" in module) module.enableCompileCache();

const name = `npx ${manifest.name}`;

await runCommand({
  name,
  summary: mockSummary,
  options: mockOptions,
  positionals: "mock",
  examples: [`${name} mock`, `${name} mock --upstream https://api.example.com`],
  run: async (values, [command, ...others]) => {
    const unexpected = command === "mock" ? others[0] : command;
    if (command === undefined || unexpected !== undefined) {
      const what = unexpected === undefined ? "a command is missing" : `unexpected argument "${unexpected}"`;
      throw new UserError(`${what}: the only command is ${name} mock`);
    }
    ignoreOutputErrors();
    const options = readMockOptions(values);
    const stopped = untilStopped();
    const { generation } = values;
    await serveGenerations({ ...options, generation, generations: await readPackagedGenerations() }, stopped);
  },
});
