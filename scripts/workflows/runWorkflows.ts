import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { errorCode, UserError } from "../contract/failures.ts";
import { elementsOf, isObject, parseJson } from "../spec/json.ts";
import { valueAt } from "../spec/jsonPointer.ts";
import { evaluate } from "./expressions.ts";

/** An Arazzo description to be run. */
export interface ArazzoRun {
  /** Absolute path, which relative URLs in the description start from. */
  readonly file: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** The IDs of the workflows to run. */
  readonly workflows: readonly string[];
  /** Where the requests go: a URL without a slash at its end. */
  readonly server: string;
}

/** What came of a workflow. */
export interface WorkflowResult {
  readonly id: string;
  readonly steps: readonly StepResult[];
}

interface StepResult {
  readonly id: string;
  /** `POST /path 201`: the request, and the status code of the response; empty if there was none. */
  readonly exchange: string;
  /** What did not hold; empty if the step succeeded. */
  readonly failures: readonly StepFailure[];
}

interface StepFailure {
  /** The condition of a success criterion; `undefined` for what else was checked. */
  readonly condition: string | undefined;
  /** What the response has instead, or what else went wrong. Secrets are masked. */
  readonly reason: string;
}

/**
 * Runs workflows with `redocly respect` (@redocly/cli 2.77), one file after the other. `inputs` override the defaults of the workflows' inputs.
 * Once `signal` aborts, so does the run. Throws {@link UserError} if respect cannot run a file.
 */
export async function runWorkflows(
  runs: readonly ArazzoRun[],
  { inputs, signal }: { readonly inputs: Readonly<Record<string, unknown>>; readonly signal: AbortSignal },
): Promise<readonly WorkflowResult[]> {
  // Outside the project, so that the command does not lint once more with the rules in redocly.yaml.
  const folder = await mkdtemp(join(tmpdir(), "workflows-"));
  try {
    const files = runs.map((_, index) => join(folder, `${index}.arazzo.json`));
    await Promise.all(runs.map((run, index) => writeFile(files[index] ?? "", JSON.stringify(addressed(run)))));
    const log = join(folder, "log.json");
    const output = await runRespect(folder, [...files, "--json-output", log], { inputs, signal });
    if (signal.aborted) return [];
    const report = await readFile(log, "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") throw new UserError(`redocly respect failed:\n${output}`);
      throw error;
    });
    const results = readReport(parseJson(report), files);
    const missing = runs.flatMap(({ workflows }) => workflows).filter((id) => !results.some((one) => one.id === id));
    if (missing.length === 0) return results;
    throw new UserError(`redocly respect did not run ${missing.join(", ")}:\n${output}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The description with only the workflows to run, absolute paths, and the server that each source is served at. */
function addressed({ file, document, workflows, server }: ArazzoRun): object {
  return {
    ...document,
    sourceDescriptions: elementsOf(document["sourceDescriptions"])
      .filter(isObject)
      .map((source) => ({ ...source, url: resolve(dirname(file), String(source["url"])), "x-serverUrl": server })),
    workflows: elementsOf(document["workflows"]).filter(
      (workflow) => isObject(workflow) && workflows.includes(String(workflow["workflowId"])),
    ),
  };
}

/** Runs `redocly respect` and returns all that it prints. */
async function runRespect(
  cwd: string,
  args: readonly string[],
  { inputs, signal }: { readonly inputs: Readonly<Record<string, unknown>>; readonly signal: AbortSignal },
): Promise<string> {
  const cli = fileURLToPath(new URL("bin/cli.js", import.meta.resolve("@redocly/cli/package.json")));
  // Its own check (@redocly/cli 2.77) knows no ranges such as `2XX`: success criteria say what is expected.
  const severity = JSON.stringify({ STATUS_CODE_CHECK: "off" });
  const child = spawn(process.execPath, [cli, "respect", ...args, "--severity", severity], {
    cwd,
    // Inputs may be credentials, which everyone on this machine could read among the arguments.
    env: {
      ...process.env,
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      NO_COLOR: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  signal.removeEventListener("abort", stop);
  return `${out}${errors}`.trim();
}

/** Reads what `--json-output` wrote, in the order in which the files were run. */
function readReport(report: unknown, files: readonly string[]): readonly WorkflowResult[] {
  return files.flatMap((file) =>
    elementsOf(valueAt(report, ["files", file, "executedWorkflows"]))
      .filter(isObject)
      .map(({ workflowId, executedSteps }) => ({
        id: String(workflowId),
        steps: elementsOf(executedSteps).filter(isObject).map(readStepResult),
      })),
  );
}

function readStepResult({ stepId, request, response, checks }: Readonly<Record<string, unknown>>): StepResult {
  const { method, url } = isObject(request) ? request : {};
  const { statusCode, headers, body } = isObject(response) ? response : {};
  const status = typeof statusCode === "number" && statusCode > 0 ? statusCode : undefined;
  const answer = { statusCode: status, header: isObject(headers) ? headers : {}, body };
  const failures = elementsOf(checks)
    .filter(isObject)
    .filter(({ passed, severity }) => passed !== true && severity !== "off")
    .map(({ name, condition, message }) =>
      typeof condition === "string"
        ? { condition, reason: describe(condition, answer) }
        : { condition: undefined, reason: `${String(name)}: ${String(message).trim()}` },
    );
  const criteria = failures.filter(({ condition }) => condition !== undefined);
  return {
    id: String(stepId),
    exchange:
      status === undefined || typeof url !== "string"
        ? ""
        : `${String(method).toUpperCase()} ${new URL(url).pathname} ${status}`,
    // If a criterion does not hold, outputs often cannot be read either: that says nothing more.
    failures: criteria.length > 0 ? criteria : failures,
  };
}

type Answer = Parameters<typeof evaluate>[1]["response"];

/** What the expressions of a condition that concern the response have for values, or else the response. */
function describe(condition: string, answer: NonNullable<Answer>): string {
  const expressions = new Set(condition.match(/\$(?:statusCode|response\.[^\s=<>!)&|]+)/g) ?? []);
  const values = [...expressions].map((expression) => {
    const value = evaluate(expression, { inputs: {}, steps: {}, response: answer });
    return `${expression} is ${value === undefined ? "not there" : shorten(JSON.stringify(value))}`;
  });
  const isEnough = values.length > 0 && answer.statusCode !== undefined && answer.statusCode < 400;
  // The report lacks the body if an output could not be read either.
  const body = isEnough || answer.body === undefined ? [] : [describeBody(answer.body)];
  return [...values, ...body].join(", ") || "the body is empty";
}

/** The explanation, if the body is a problem (RFC 9457), or else all of the body. */
function describeBody(body: unknown): string {
  const detail = isObject(body) ? body["detail"] : undefined;
  return typeof detail === "string" ? `the problem is: ${detail}` : `the body is ${shorten(JSON.stringify(body))}`;
}

function shorten(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
