import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { styleText } from "node:util";
import type { ArazzoFile, WorkflowOfFile } from "./workflows/arazzoFiles.ts";
import type { WorkflowResult } from "./workflows/runWorkflows.ts";

enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { listen, printLine, readServers, runCommand, serversOption, untilStopped } =
  await import("./command/commandLine.ts");
const { credentialVariable, credentialVariables, readCredentials } = await import("./contract/security.ts");
const { defaultMockUrl } = await import("./contract/defaultAddress.ts");
const { UserError } = await import("./contract/failures.ts");
const { countOf } = await import("./contract/text.ts");
const { readArazzoFiles, workflowsFolder } = await import("./workflows/arazzoFiles.ts");
const { runWorkflows } = await import("./workflows/runWorkflows.ts");
const { parseJson } = await import("./spec/json.ts");
const { createSender } = await import("./verify/sender.ts");

// For the help, too, which names the variables. If there are none, the command says why.
const variables = credentialVariables(await readBuiltGenerations().catch(() => []));

await runCommand({
  name: "npm run workflows",
  summary:
    "Runs the workflows in openapi/workflows/, or only those that are named, each against a mock of its own, or against a " +
    "server: there, they change nothing unless you allow it.\n\n" +
    `Credentials for a server come from the environment:\n${variables.map((name) => `  ${name}`).join("\n")}\n` +
    "Without any, a server on this machine is sent the contract's example credentials.",
  options: {
    server: serversOption,
    "allow-changes": { type: "boolean", description: "let the workflows change data on the server" },
    input: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      description: "give an input a value other than its default; may be repeated",
    },
  },
  positionals: "[WORKFLOW...]",
  examples: [
    "npm run workflows",
    "npm run workflows -- reschedule-booking",
    `npm run workflows -- page-through-schedules --server ${defaultMockUrl} --input orgId=7`,
  ],
  run: async ({ server = [], input = [], "allow-changes": allowsChanges = false }, names) => {
    const generations = await readBuiltGenerations();
    const files = selectWorkflows(await readArazzoFiles(resolve(workflowsFolder), generations), names);
    const workflows = files.flatMap((file) => file.workflows);
    const servers = readServers(server, generations);
    const inputs = readInputs(input, workflows);
    if (server.length > 0 && !allowsChanges) refuseChanges(workflows);
    const stop = new AbortController();
    void untilStopped().then(() => {
      stop.abort();
    });
    await using mocks = new AsyncDisposableStack();
    const send = createSender({ rate: Infinity, callTime: 30_000 });
    const ran = await Array.fromAsync(files, async (file) => {
      const mock = server.length > 0 ? undefined : mocks.use(await listen({ generations })).url;
      const own = mock === undefined ? serversOf(file, servers) : new Map(generations.map(({ name }) => [name, mock]));
      const credentials = mock === undefined ? readCredentialInputs(file.workflows, own) : {};
      const run = { ...file, servers: own, inputs: { ...inputs, ...credentials } };
      return runWorkflows(run, send, stop.signal);
    });
    const results = ran.flat();
    if (stop.signal.aborted) throw new UserError("stopped before the workflows were through");
    for (const result of results) printLine(formatResult(result));
    const failed = results.filter(({ steps }) => steps.some(({ failures }) => failures.length > 0)).length;
    if (failed > 0) throw new UserError(`${failed} of ${countOf(results.length, "workflow")} failed`);
    printLine(`${countOf(results.length, "workflow")} succeeded`);
  },
});

/** The servers of the generations that a file is about. */
function serversOf({ generations }: ArazzoFile, servers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const missing = generations.find(({ name }) => !servers.has(name));
  if (missing === undefined) return servers;
  throw new UserError(`these workflows need a server for ${missing.name} too: add --server ${missing.name}=URL`);
}

/** The files with the named workflows and only those in them, or all if none is named. */
function selectWorkflows(files: readonly ArazzoFile[], names: readonly string[]): readonly ArazzoFile[] {
  const known = files.flatMap(({ workflows }) => workflows.map(({ id }) => id));
  if (known.length === 0) throw new UserError("there are no workflows: openapi/workflows/ has no *.arazzo.yaml");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UserError(`there is no workflow "${unknown}": there are ${known.join(", ")}`);
  return files
    .map((file) => ({
      ...file,
      workflows: file.workflows.filter(({ id }) => names.length === 0 || names.includes(id)),
    }))
    .filter(({ workflows }) => workflows.length > 0);
}

function readInputs(texts: readonly string[], workflows: readonly WorkflowOfFile[]): Readonly<Record<string, unknown>> {
  const inputs = new Map(workflows.flatMap((workflow) => workflow.inputs).map((input) => [input.name, input]));
  return Object.fromEntries(
    texts.map((text) => {
      // Only the name is shown: the value may be a credential.
      const [name = "", ...value] = text.split("=");
      const input = inputs.get(name);
      const advice = `they have ${[...inputs.keys()].join(", ")}`;
      if (value.length === 0) throw new UserError('--input must be NAME=VALUE: one has no "="');
      if (input === undefined) throw new UserError(`these workflows have no input "${name}": ${advice}`);
      const sent = value.join("=");
      // A number that is written otherwise, or that a program rounds, stays as it is.
      const parsed = input.isText ? sent : parseJson(sent);
      if (!input.isSecret) return [name, JSON.stringify(parsed) === sent ? parsed : sent];
      throw new UserError(`the input "${name}" is a credential: give it in the environment (see --help)`);
    }),
  );
}

/** Refuses workflows that change something. */
function refuseChanges(workflows: readonly WorkflowOfFile[]): void {
  const changes = workflows.flatMap(({ id, steps }) =>
    steps
      .filter(({ operation }) => !/^(?:get|head|options)$/.test(operation.method))
      .map(({ operation }) => `  ${id}: ${operation.name}`),
  );
  if (changes.length === 0) return;
  const listed = [...new Set(changes)].join("\n");
  throw new UserError(`these workflows would change what is there:\n${listed}\nIf they may, give --allow-changes.`);
}

/** The inputs that are credentials, from the environment, or for a server on this machine the contract's examples. */
function readCredentialInputs(workflows: readonly WorkflowOfFile[], servers: ReadonlyMap<string, string>) {
  const inputs: Record<string, string> = {};
  for (const { credentials, generation } of workflows.flatMap(({ steps }) => steps)) {
    const known = readCredentials(generation, servers.get(generation.name) ?? "", process.env);
    for (const { schemeName, values } of credentials) {
      for (const value of Object.values(values).map(String)) {
        if (!value.startsWith("$inputs.")) continue;
        const variable = credentialVariable(generation.name, schemeName);
        const credential = known.get(schemeName)?.example;
        if (credential === undefined) throw new UserError(`set ${variable} to the credential for ${generation.name}`);
        inputs[value.replace("$inputs.", "")] = credential;
      }
    }
  }
  return inputs;
}

/** A line for each step, and below it what did not hold. */
function formatResult({ id, steps }: WorkflowResult): string {
  const lines = steps.flatMap(({ id: step, exchange, failures }) => {
    const mark = failures.length === 0 ? styleText("green", "✓") : styleText("red", "✗");
    return [`  ${mark} ${step}: ${exchange}`, ...failures.map((line) => `      ${line}`)];
  });
  return [id, ...lines].join("\n");
}
