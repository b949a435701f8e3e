import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { errorCode, UserError } from "../contract/failures.ts";
import { isObject, objectsOf, parseJson } from "../spec/json.ts";
import { valueAt } from "../spec/jsonPointer.ts";
import type { ArazzoFile } from "./arazzoFiles.ts";
import { evaluate } from "./expressions.ts";

/** Workflows to be run, and the URL that the requests go to, without a slash at its end. */
export type ArazzoRun = ArazzoFile & { readonly server: string };

export type WorkflowResult = ReturnType<typeof readReport>[number];

interface RunOptions {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/**
 * Runs workflows with `redocly respect` (@redocly/cli 2.77), one file after the other. `inputs` override the defaults of
 * the workflows' inputs. Once `signal` aborts, so does the run. Throws {@link UserError} if respect cannot run a file.
 */
export async function runWorkflows(
  runs: readonly ArazzoRun[],
  options: RunOptions,
): Promise<readonly WorkflowResult[]> {
  // Outside the project, so that the command does not lint once more with the rules in redocly.yaml.
  const folder = await mkdtemp(join(tmpdir(), "workflows-"));
  try {
    const files = runs.map((_, index) => join(folder, `${index}.arazzo.json`));
    await Promise.all(runs.map((run, index) => writeFile(files[index] ?? "", JSON.stringify(addressed(run)))));
    const log = join(folder, "log.json");
    const output = await runRespect(folder, [...files, "--json-output", log], options);
    if (options.signal.aborted) return [];
    const report = await readFile(log, "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") throw new UserError(`redocly respect failed:\n${output}`);
      throw error;
    });
    const results = readReport(parseJson(report), files);
    const ids = runs.flatMap(({ description }) => description.workflows.map(({ id }) => id));
    const missing = ids.filter((id) => !results.some((one) => one.id === id));
    if (missing.length === 0) return results;
    throw new UserError(`redocly respect did not run ${missing.join(", ")}:\n${output}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The description with only the workflows to run, absolute paths, and the server that each source is served at. */
function addressed({ file, document, description, server }: ArazzoRun): object {
  const ids = new Set<unknown>(description.workflows.map(({ id }) => id));
  return {
    ...document,
    sourceDescriptions: objectsOf(document["sourceDescriptions"]).map((source) => ({
      ...source,
      url: resolve(dirname(file), String(source["url"])),
      "x-serverUrl": server,
    })),
    workflows: objectsOf(document["workflows"]).filter(({ workflowId }) => ids.has(workflowId)),
  };
}

async function runRespect(cwd: string, args: readonly string[], { inputs, signal }: RunOptions): Promise<string> {
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
function readReport(report: unknown, files: readonly string[]) {
  return files
    .flatMap((file) => objectsOf(valueAt(report, ["files", file, "executedWorkflows"])))
    .map(({ workflowId, executedSteps }) => ({
      id: String(workflowId),
      steps: objectsOf(executedSteps).map(readStepResult),
    }));
}

function readStepResult({ stepId, request, response, checks }: Readonly<Record<string, unknown>>) {
  const { method, url } = isObject(request) ? request : {};
  const { statusCode, headers, body } = isObject(response) ? response : {};
  const status = typeof statusCode === "number" && statusCode > 0 ? statusCode : undefined;
  const answer = { statusCode: status, header: isObject(headers) ? headers : {}, body };
  const failed = objectsOf(checks).filter(({ passed, severity }) => passed !== true && severity !== "off");
  const criteria = failed.flatMap(({ condition }) =>
    typeof condition === "string" ? [`expected ${condition}`, `but ${describeAnswer(condition, answer)}`] : [],
  );
  const others = failed.map(({ name, message }) => `${String(name)}: ${String(message).trim()}`);
  const isAnswered = status !== undefined && typeof url === "string";
  return {
    id: String(stepId),
    /** `POST /path 201`: the request, and the status code of the response; empty if there was none. */
    exchange: isAnswered ? `${String(method).toUpperCase()} ${new URL(url).pathname} ${status}` : "",
    /**
     * Criteria that did not hold, each before what the response has instead, or else what went wrong: if a criterion does
     * not hold, outputs often cannot be read either. Secrets are masked.
     */
    failures: criteria.length > 0 ? criteria : others,
  };
}

type Answer = NonNullable<Parameters<typeof evaluate>[1]["response"]>;

/** The values of the expressions in a condition that concern the response, or else the response. */
export function describeAnswer(condition: string, { statusCode, header, body }: Answer): string {
  const expressions = new Set(condition.match(/\$(?:statusCode|response\.[^\s=<>!)&|]+)/g) ?? []);
  const values = [...expressions].map((expression) => {
    const value = evaluate(expression, { inputs: {}, steps: {}, response: { statusCode, header, body } });
    return `${expression} is ${value === undefined ? "not there" : shorten(value)}`;
  });
  const isEnough = values.length > 0 && statusCode !== undefined && statusCode < 400;
  // The report lacks the body if an output could not be read either.
  if (!isEnough && body !== undefined) {
    // Of problem details (RFC 9457), the explanation is enough.
    const detail = isObject(body) ? body["detail"] : undefined;
    values.push(typeof detail === "string" ? `the problem is: ${detail}` : `the body is ${shorten(body)}`);
  }
  return values.join(", ") || "the body is empty";
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
