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
import { instantOf, instantPattern } from "./instants.ts";

/** Workflows to be run. */
export interface ArazzoRun extends ArazzoFile {
  /** The URLs that requests go to, without a slash at their ends, by the names of the source descriptions. */
  readonly servers: ReadonlyMap<string, string>;
  /** Values instead of the defaults of the workflows' inputs. */
  readonly inputs: Readonly<Record<string, string>>;
}

export type WorkflowResult = ReturnType<typeof readReport>[number];

/**
 * Runs workflows with `redocly respect` (@redocly/cli 2.77), one file after the other. Once `signal` aborts, so does the
 * run. Throws {@link UserError} if respect cannot run a file.
 */
export async function runWorkflows(
  runs: readonly ArazzoRun[],
  signal: AbortSignal,
): Promise<readonly WorkflowResult[]> {
  // Outside the project, so that the command does not lint once more with the rules in redocly.yaml.
  const folder = await mkdtemp(join(tmpdir(), "workflows-"));
  try {
    const files = runs.map((_, index) => join(folder, `${index}.arazzo.json`));
    const written = new Map<string, string>();
    const texts = runs.map((run) => JSON.stringify(addressed(run, written)));
    await Promise.all(texts.map((text, index) => writeFile(files[index] ?? "", text)));
    const log = join(folder, "log.json");
    const output = await runRespect(folder, [...files, "--json-output", log], signal);
    if (signal.aborted) return [];
    const report = await readFile(log, "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") throw new UserError(`redocly respect failed:\n${output}`);
      throw error;
    });
    const results = readReport(parseJson(report), files, written);
    const ids = runs.flatMap(({ description }) => description.workflows.map(({ id }) => id));
    const missing = ids.filter((id) => !results.some((one) => one.id === id));
    if (missing.length === 0) return results;
    throw new UserError(`redocly respect did not run ${missing.join(", ")}:\n${output}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The description with only the workflows to run, their inputs, absolute paths, and the server of each source. Conditions
 * that were written otherwise are added to `written`, by what they are now.
 */
function addressed({ file, document, description, servers, inputs }: ArazzoRun, written: Map<string, string>): object {
  return {
    ...document,
    sourceDescriptions: objectsOf(document["sourceDescriptions"]).map((source) => ({
      ...source,
      url: resolve(dirname(file), String(source["url"])),
      "x-serverUrl": servers.get(String(source["name"])),
    })),
    workflows: objectsOf(document["workflows"]).flatMap((workflow) => {
      const read = description.workflows.find(({ id }) => id === workflow["workflowId"]);
      if (read === undefined) return [];
      const values = new Map(read.inputs.map((input) => [input.name, inputs[input.name] ?? input.default]));
      const properties = read.inputs.map(({ name, isSecret }) => {
        const secret = isSecret ? { type: "string", format: "password" } : {};
        return [name, { ...secret, default: values.get(name) }] as const;
      });
      const steps = objectsOf(workflow["steps"]).map(({ successCriteria, ...step }) => {
        const criteria = Array.isArray(successCriteria)
          ? objectsOf(successCriteria).map((criterion) => compareInstants(criterion, values, written))
          : undefined;
        return { ...step, successCriteria: criteria };
      });
      return [{ ...workflow, inputs: { type: "object", properties: Object.fromEntries(properties) }, steps }];
    }),
  };
}

const timeCriterion = /^(\$response\.body#\S+) == (?:\$inputs\.([\w-]+)|'([^']+)')$/;

/** A criterion on a time that is known holds however the response writes that time: respect compares texts. */
function compareInstants(
  criterion: Readonly<Record<string, unknown>>,
  inputs: ReadonlyMap<string, unknown>,
  written: Map<string, string>,
) {
  const [text, context = "", input = "", literal] = timeCriterion.exec(String(criterion["condition"])) ?? [];
  const instant = instantOf(literal ?? inputs.get(input));
  if (text === undefined || instant === undefined) return criterion;
  const condition = instantPattern(instant);
  written.set(condition, text);
  return { context, type: "regex", condition };
}

async function runRespect(cwd: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const cli = fileURLToPath(new URL("bin/cli.js", import.meta.resolve("@redocly/cli/package.json")));
  // Its own check (@redocly/cli 2.77) knows no ranges such as `2XX`: success criteria say what is expected.
  const severity = JSON.stringify({ STATUS_CODE_CHECK: "off" });
  const child = spawn(process.execPath, [cli, "respect", ...args, "--severity", severity], {
    cwd,
    env: {
      ...process.env,
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
function readReport(report: unknown, files: readonly string[], written: ReadonlyMap<string, string>) {
  return files
    .flatMap((file) => objectsOf(valueAt(report, ["files", file, "executedWorkflows"])))
    .map(({ workflowId, executedSteps }) => ({
      id: String(workflowId),
      steps: objectsOf(executedSteps).map((step) => readStepResult(step, written)),
    }));
}

function readStepResult(
  { stepId, request, response, checks }: Readonly<Record<string, unknown>>,
  written: ReadonlyMap<string, string>,
) {
  const { method, url } = isObject(request) ? request : {};
  const { statusCode, headers, body } = isObject(response) ? response : {};
  const status = typeof statusCode === "number" && statusCode > 0 ? statusCode : undefined;
  const answer = { statusCode: status, header: isObject(headers) ? headers : {}, body };
  const failed = objectsOf(checks).filter(({ passed, severity }) => passed !== true && severity !== "off");
  const criteria = failed.flatMap(({ condition }) => {
    if (typeof condition !== "string") return [];
    const text = written.get(condition) ?? condition;
    return [`expected ${text}`, `but ${describeAnswer(text, answer)}`];
  });
  const mediaTypes = failed.flatMap(({ name, message }) => {
    const [, type, known] = /^Content type (.+) for 2\d\d response [^]*types: (.+?)\.?$/.exec(String(message)) ?? [];
    return name === "content-type check" && known !== undefined
      ? [`the media type is ${type}: the contract has ${known}`]
      : [];
  });
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
    failures: mediaTypes.length + criteria.length > 0 ? [...mediaTypes, ...criteria] : others,
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
