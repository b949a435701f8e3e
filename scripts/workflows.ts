import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { styleText } from "node:util";
import type { RequestEntry } from "./mock/mockTypes.ts";
import type { ArazzoFile } from "./workflows/arazzoFiles.ts";
import type { ArazzoRun, WorkflowResult } from "./workflows/runWorkflows.ts";

// What is imported statically is compiled before the cache is there.
enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { printLine, readBaseUrl, runCommand, untilStopped } = await import("./command/commandLine.ts");
const { listen } = await import("./command/listen.ts");
const { defaultMockUrl } = await import("./contract/defaultAddress.ts");
const { UserError } = await import("./contract/failures.ts");
const { readArazzoFiles, workflowsFolder } = await import("./workflows/arazzoFiles.ts");
const { runWorkflows } = await import("./workflows/runWorkflows.ts");

await runCommand({
  name: "npm run workflows",
  summary:
    "Runs the workflows in openapi/workflows/, or only those that are named, each against a mock of its own. " +
    "Against another server, they change and delete what their inputs identify.",
  options: {
    target: { type: "string", value: "URL", description: "send the requests to this server instead of a mock" },
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
    `npm run workflows -- page-through-schedules --target ${defaultMockUrl} --input orgId=7`,
  ],
  run: async ({ target, input = [] }, names) => {
    const refusal = "--target must be an http or https URL, without a query or a password";
    const server = target === undefined ? undefined : readBaseUrl(target, refusal);
    const selected = selectWorkflows(await readArazzoFiles(resolve(workflowsFolder)), names);
    const inputs = readInputs(input, selected);
    const generations = server === undefined ? await readBuiltGenerations() : [];
    const stop = new AbortController();
    void untilStopped().then(() => {
      stop.abort();
    });
    await using mocks = new AsyncDisposableStack();
    const runs: ArazzoRun[] = [];
    const requests: RequestEntry[] = [];
    const onResponse = (entry: RequestEntry) => requests.push(entry);
    for (const file of selected) {
      runs.push({ ...file, server: server ?? mocks.use(await listen({ generations, onResponse })).url });
    }
    const results = await runWorkflows(runs, { inputs, signal: stop.signal });
    if (stop.signal.aborted) throw new UserError("stopped before the workflows were through");
    for (const result of results) printLine(formatResult(result, requests));
    const failed = results.filter(({ steps }) => steps.some(({ failures }) => failures.length > 0)).length;
    if (failed > 0) throw new UserError(`${failed} of ${results.length} workflows failed`);
    printLine(`${results.length} workflows succeeded`);
  },
});

/** The files with the named workflows and only those in them, or all if none is named. */
function selectWorkflows(files: readonly ArazzoFile[], names: readonly string[]): readonly ArazzoFile[] {
  const known = files.flatMap(({ description }) => description.workflows.map(({ id }) => id));
  if (known.length === 0) throw new UserError("there are no workflows: openapi/workflows/ has no *.arazzo.yaml");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UserError(`there is no workflow "${unknown}": there are ${known.join(", ")}`);
  return files.flatMap(({ description, ...file }) => {
    const workflows = description.workflows.filter(({ id }) => names.length === 0 || names.includes(id));
    return workflows.length === 0 ? [] : [{ ...file, description: { ...description, workflows } }];
  });
}

function readInputs(texts: readonly string[], files: readonly ArazzoFile[]): Readonly<Record<string, string>> {
  const workflows = files.flatMap(({ description }) => description.workflows);
  const known = new Set(workflows.flatMap(({ inputs }) => inputs.map(({ name }) => name)));
  return Object.fromEntries(
    texts.map((text) => {
      // Only the name is shown: the value may be a credential.
      const [name = "", ...value] = text.split("=");
      if (value.length === 0) throw new UserError('--input must be NAME=VALUE: one has no "="');
      if (known.has(name)) return [name, value.join("=")];
      throw new UserError(`these workflows have no input "${name}": they have ${[...known].join(", ")}`);
    }),
  );
}

/** A line for each step, below it what did not hold, and why the mock that the step was sent to has rejected it. */
function formatResult({ id, steps }: WorkflowResult, requests: readonly RequestEntry[]): string {
  const lines = steps.flatMap(({ id: step, exchange, failures }) => {
    const title = exchange === "" ? step : `${step}: ${exchange}`;
    if (failures.length === 0) return [`  ${styleText("green", "✓")} ${title}`];
    const rejected = requests.findLast(
      ({ method, target, status }) => `${method} ${target.replace(/\?.*/, "")} ${status}` === exchange,
    );
    const reason = rejected?.reason === undefined ? [] : [`the mock says: ${rejected.reason}`];
    return [`  ${styleText("red", "✗")} ${title}`, ...[...failures, ...reason].map((line) => `      ${line}`)];
  });
  return [id, ...lines].join("\n");
}
