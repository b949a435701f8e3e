import type { Generation } from "../contract/generation.ts";
import { countOf } from "../contract/text.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { writeRequest } from "../samples/writeRequest.ts";
import { isObject, parseJson } from "../spec/json.ts";
import { createExchangeCheck } from "../verify/checkExchange.ts";
import { joinFields } from "../mock/upstream/exchange.ts";
import type { Send } from "../verify/sender.ts";
import { describeValue } from "../verify/unlistedValues.ts";
import type { ArazzoFile } from "./arazzoFiles.ts";
import { evaluate } from "./expressions.ts";
import { followSteps, type StepResponse, type WorkflowStep } from "./readWorkflows.ts";

/** Workflows to be run. */
export interface ArazzoRun extends ArazzoFile {
  /** The URLs that requests go to, without a slash at their ends, by the names of the generations. */
  readonly servers: ReadonlyMap<string, string>;
  /** Values instead of the defaults of the workflows' inputs. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

export interface WorkflowResult {
  readonly id: string;
  readonly steps: readonly StepResult[];
}

interface StepResult {
  readonly id: string;
  /** `POST /path 201`: the request, and the status code of the response; without that if there was none. */
  readonly exchange: string;
  /** What contradicts the contract, what the step expects in vain, and what the response has instead. */
  readonly failures: readonly string[];
}

/**
 * Runs the workflows of a file, each up to its first step that fails. Throws {@link UserError} for a step that names no
 * operation.
 */
export async function runWorkflows(
  { file, description, servers, inputs }: ArazzoRun,
  generations: readonly Generation[],
  send: Send,
  stop: AbortSignal,
): Promise<readonly WorkflowResult[]> {
  const sources = generations.filter(({ name }) => description.sources.has(name));
  const checks = sources.map((generation) =>
    createExchangeCheck({ generation, server: servers.get(generation.name) }, true),
  );
  const results: WorkflowResult[] = [];
  for (const workflow of description.workflows) {
    const steps: StepResult[] = [];
    let exchange = "";
    let failures: readonly string[] = [];
    const following = followSteps(file, workflow, sources, inputs, async (_, operation, { name }) => {
      const sent = await send(writeRequest(sampleRequest(operation, servers.get(name) ?? "")), stop);
      exchange = `${sent.method} ${new URL(sent.url).pathname}`;
      if (sent.response === undefined) {
        failures = [sent.failure ?? "no response came"];
        return undefined;
      }
      const { status, headers, body = new Uint8Array() } = sent.response;
      exchange += ` ${status}`;
      failures = checks
        .flatMap((check) => check(sent)?.observations ?? [])
        .filter(({ kind }) => kind === "contradiction")
        .map(({ message, received }) => (received === undefined ? message : `${message}; received ${received}`));
      const text = Buffer.from(body).toString();
      return { status, headers: joinFields(headers), ...(text !== "" && { body: parseJson(text) ?? text }) };
    });
    for await (const step of following) {
      steps.push({ id: step.id, exchange, failures: [...failures, ...describeFailures(step)] });
      if (steps.at(-1)?.failures.length !== 0) break;
    }
    // Without a response, the step does not come.
    const [next] = workflow.steps.slice(steps.length);
    if (next !== undefined && steps.every((step) => step.failures.length === 0)) {
      steps.push({ id: next.id, exchange, failures });
    }
    results.push({ id: workflow.id, steps });
  }
  return results;
}

/** The criteria of a step that do not hold, or else its outputs without a value, each before what the response has. */
function describeFailures({ successCriteria, outputs, response, unmet, missing }: WorkflowStep): readonly string[] {
  const criteria = unmet.map((index) => successCriteria[index]?.text ?? "");
  const absent = outputs.filter(({ name }) => missing.includes(name)).map(({ expression }) => expression);
  return (criteria.length > 0 ? criteria : absent).flatMap((text) => [
    `expected ${text}`,
    `but ${describeAnswer(text, response)}`,
  ]);
}

/** The values of the expressions in a condition that concern the response, or else the response. */
export function describeAnswer(condition: string, { status, headers, body }: StepResponse): string {
  const expressions = new Set(condition.match(/\$(?:statusCode|response\.[^\s=<>!)&|:]+)/g) ?? []);
  const response = { statusCode: status, header: headers, body };
  const values = [...expressions].map((expression) => {
    const value = evaluate(expression, { inputs: {}, steps: {}, response });
    return `${expression} is ${value === undefined ? "not there" : describeValue({ value, path: expression })}`;
  });
  if (values.length === 0 || status >= 400) {
    // Of problem details (RFC 9457), the explanation is enough.
    const detail = isObject(body) ? body["detail"] : undefined;
    const isDetailed = typeof detail === "string";
    if (body !== undefined) values.push(isDetailed ? `the problem is: ${detail}` : `the body is ${summaryOf(body)}`);
  }
  return values.join(", ") || "the body is empty";
}

function summaryOf(body: unknown): string {
  return typeof body === "string"
    ? `a text of ${countOf(body.length, "character")}`
    : describeValue({ value: body, path: "" });
}
