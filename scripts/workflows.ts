import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { Permission } from "./exchange/dataChanges.ts";
import type { ArazzoFile, WorkflowOfFile } from "./workflows/arazzoFiles.ts";
import type { GivenValues } from "./workflows/readWorkflows.ts";
import type { StepChange } from "./workflows/run/planRuns.ts";
import type { WorkflowResult } from "./workflows/run/runWorkflows.ts";

enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { listen, printLine, printProgress, readServers, runCommand, serversOption, untilStopped, wrapLine } =
  await import("./command/commandLine.ts");
const { terminalStyle } = await import("./command/terminal.ts");
const { credentialVariables } = await import("./contract/security.ts");
const { defaultMockUrl } = await import("./contract/defaultAddress.ts");
const { UserError } = await import("./contract/failures.ts");
const { readResources } = await import("./contract/resources.ts");
const { suggestNames } = await import("./values/similarName.ts");
const { countOf } = await import("./values/text.ts");
const { wrapParagraph } = await import("./report/textReport.ts");
const { readArazzoFiles, workflowsFolder } = await import("./workflows/arazzoFiles.ts");
const { describeChange, planForMock, planForServers } = await import("./workflows/run/planRuns.ts");
const { runWorkflows } = await import("./workflows/run/runWorkflows.ts");
const { parseJson } = await import("./values/json.ts");
const { missingPermissions, readPermissions } = await import("./exchange/dataChanges.ts");
const { createSender } = await import("./exchange/sender.ts");

// The help needs them too, for the names of variables. If there are none, the command says why.
const variables = credentialVariables(await readBuiltGenerations().catch(() => []));

await runCommand({
  name: "npm run workflows",
  summary:
    "Runs the workflows in openapi/workflows/, or only the given ones, each against a separate mock, or against a " +
    "server. On a server, they change nothing unless you allow it.\n\n" +
    "On a remote server, inputs have no defaults, and steps don't change resources that they find: give both\n" +
    "with --input.\n\n" +
    `Credentials for a server come from the environment:\n${variables.map((name) => `  ${name}`).join("\n")}\n` +
    "Without them, a server on this machine gets the contract's example credentials.",
  options: {
    server: serversOption,
    "allow-changes": { type: "boolean", description: "let the workflows change data on the server" },
    "allow-deletes": { type: "boolean", description: "also let them delete data" },
    input: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      description: "give an input a value, or STEP.OUTPUT=VALUE the output of a step; may be repeated",
    },
  },
  positionals: "[WORKFLOW...]",
  examples: [
    "npm run workflows",
    "npm run workflows -- reschedule-booking",
    `npm run workflows -- page-through-schedules --server ${defaultMockUrl} --input orgId=7`,
  ],
  run: async ({ server = [], input = [], ...given }, names) => {
    const generations = await readBuiltGenerations();
    const files = selectWorkflows(await readArazzoFiles(resolve(workflowsFolder), generations), names);
    const servers = readServers(server, generations);
    const workflows = files.flatMap((file) => file.workflows);
    const values = readInputs(input, workflows);
    const resources = readResources(generations);
    const runs = files.map((file) =>
      server.length === 0 ? planForMock(file, values) : planForServers(file, servers, values, resources),
    );
    refuseMissing(runs.flatMap(({ missing }) => missing));
    const changes = runs.flatMap((run) => run.changes);
    refuseChanges(changes, readPermissions(given));
    const tell = (line: string) => {
      printProgress(wrapLine(line, terminalStyle(process.stderr)).join("\n"));
    };
    for (const line of new Set(changes.map((change) => `Will change: ${describeChange(change)}`))) tell(line);
    const stop = new AbortController();
    void untilStopped().then(() => {
      stop.abort();
    });
    await using mocks = new AsyncDisposableStack();
    const send = createSender({ rate: Infinity, callTime: 30_000 });
    const ran = await Array.fromAsync(runs, async ({ servers: given, ...run }) => {
      const url = given === undefined ? mocks.use(await listen({ generations })).url : "";
      const servers = given ?? new Map(generations.map(({ name }) => [name, url]));
      const onChange = (request: string) => {
        if (given !== undefined) tell(`Changing ${request}`);
      };
      return runWorkflows({ ...run, servers, onChange }, send, stop.signal);
    });
    const results = ran.flat();
    if (stop.signal.aborted) throw new UserError("stopped before the workflows were finished");
    refuseSilence(results);
    for (const result of results) printLine(formatResult(result));
    refuseFailures(results);
    printLine(`${countOf(results.length, "workflow")} succeeded`);
  },
});

/** Throws {@link UserError} if no request got a response. */
function refuseSilence(results: readonly WorkflowResult[]): void {
  const steps = results.flatMap((result) => result.steps);
  const failures = new Set(steps.filter(({ state }) => state === "unanswered").flatMap((step) => step.failures));
  if (failures.size === 0 || steps.some(({ state }) => state === "answered")) return;
  const reasons = [...failures].join(", ");
  const advice = "Check that the server runs, and its address in --server";
  throw new UserError(`could not tell: no request got a response (${reasons}). ${advice}`);
}

/** Throws {@link UserError} with the names of failed workflows, if there are any. */
function refuseFailures(results: readonly WorkflowResult[]): void {
  const failed = results.filter(({ steps }) => steps.some(({ failures }) => failures.length > 0));
  if (failed.length === 0) return;
  const names = failed.map(({ id }) => `\n  ${id}`).join("");
  throw new UserError(`${failed.length} of ${countOf(results.length, "workflow")} failed:${names}`);
}

/** Refuses workflows with missing values. */
function refuseMissing(missing: readonly string[]): void {
  if (missing.length === 0) return;
  const reason = "on a remote server, defaults of inputs and resources that steps find can't be used";
  throw new UserError(`${reason}. Give these with --input:\n${missing.map((line) => `  ${line}`).join("\n")}`);
}

/** The files with the named workflows, reduced to those, or all files if none is named. */
function selectWorkflows(files: readonly ArazzoFile[], names: readonly string[]): readonly ArazzoFile[] {
  const known = files.flatMap(({ workflows }) => workflows.map(({ id }) => id));
  if (known.length === 0) throw new UserError("there are no workflows: openapi/workflows/ has no *.arazzo.yaml");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UserError(`there is no workflow "${unknown}": ${suggestNames(unknown, known)}`);
  return files
    .map((file) => ({
      ...file,
      workflows: file.workflows.filter(({ id }) => names.length === 0 || names.includes(id)),
    }))
    .filter(({ workflows }) => workflows.length > 0);
}

/** Reads `--input`. `NAME=VALUE` is an input, and `STEP.OUTPUT=VALUE` an output of a step. */
function readInputs(texts: readonly string[], workflows: readonly WorkflowOfFile[]): GivenValues {
  const known = new Map(workflows.flatMap((workflow) => workflow.inputs).map((input) => [input.name, input]));
  const steps = workflows.flatMap((workflow) => workflow.steps);
  const inputs: Record<string, unknown> = {};
  const outputs: Record<string, Record<string, unknown>> = {};
  for (const text of texts) {
    // Only the name is shown, because the value may be a credential.
    const [name = "", ...rest] = text.split("=");
    const value = rest.join("=");
    if (rest.length === 0) throw new UserError('--input must be NAME=VALUE: one has no "="');
    const input = known.get(name);
    const [step = "", ...output] = name.split(".");
    const found = steps.find(({ id }) => id === step)?.outputs.find((one) => one.name === output.join("."));
    if (input?.isSecret === true)
      throw new UserError(`the input "${name}" is a credential: give it in the environment (see --help)`);
    if (input !== undefined) inputs[name] = input.isText ? value : readNumber(value);
    else if (found !== undefined) outputs[step] = { ...outputs[step], [found.name]: readNumber(value) };
    else throw new UserError(`these workflows have no input "${name}": ${suggestNames(name, [...known.keys()])}`);
  }
  return { inputs, outputs };
}

/** Parses a JSON value. Text in any other form, such as a number that would be rounded, stays text. */
function readNumber(text: string): unknown {
  const parsed = parseJson(text);
  return JSON.stringify(parsed) === text ? parsed : text;
}

/** Refuses workflows that change or delete data, unless that is allowed. */
function refuseChanges(changes: readonly StepChange[], allowed: ReadonlySet<Permission>): void {
  const refused = changes.filter((change) => missingPermissions(change, allowed).length > 0);
  if (refused.length === 0) return;
  const missing = new Set(refused.flatMap((change) => missingPermissions(change, allowed)));
  const listed = [...new Set(refused.map((change) => `  ${describeChange(change)}`))].join("\n");
  const verb = missing.has("allow-changes") ? "change" : "delete";
  const options = Array.from(missing, (name) => `--${name}`).join(" and ");
  throw new UserError(`these workflows would ${verb} existing data:\n${listed}\nTo allow that, add ${options}.`);
}

/** One line for each step, followed by its failures. */
function formatResult({ id, steps }: WorkflowResult): string {
  const style = terminalStyle(process.stdout);
  const lines = steps.flatMap(({ id: step, exchange, failures }) => {
    const mark = failures.length === 0 ? style.paint("green", "✓") : style.paint("red", "✗");
    const reasons = failures.flatMap((line) => wrapParagraph(line, style, "      "));
    return [`  ${mark} ${step}: ${exchange}`, ...reasons];
  });
  return [id, ...lines].join("\n");
}
