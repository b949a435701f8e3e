import { isSafe, type Operation } from "../../contract/generation.ts";
import { joinFields } from "../../exchange/exchange.ts";
import { sampleRequest } from "../../samples/exampleRequest.ts";
import { serializeRequest } from "../../samples/serializeRequest.ts";
import { parseExactJson } from "../../values/json.ts";
import { fittingValues } from "../../exchange/dataChanges.ts";
import { describeId } from "../../exchange/describeValue.ts";
import { createExchangeCheck } from "../../exchange/checkExchange.ts";
import { faultKinds } from "../../exchange/observation.ts";
import type { Send } from "../../exchange/sender.ts";
import type { ArazzoFile } from "../arazzoFiles.ts";
import { followSteps, type GivenValues } from "../readWorkflows.ts";
import { describeAnswer, describeValues, type StepResponse } from "../stepValues.ts";

interface ArazzoRun extends ArazzoFile {
  /** The URLs of servers by generation, without trailing slashes. */
  readonly servers: ReadonlyMap<string, string>;
  /** The given values by workflow. */
  readonly given: ReadonlyMap<string, GivenValues>;
  /** Called with each request that may change data, before it is sent: `workflow, step: POST /path`. */
  readonly onChange: (request: string) => void;
}

export type WorkflowResult = Awaited<ReturnType<typeof runWorkflows>>[number];

interface StepResult {
  readonly id: string;
  /** `POST /path 201`: the request, and the status code of the response if there is one. */
  readonly exchange: string;
  /** How far it came. `unsent`: its request can't be sent. */
  readonly state: "unsent" | "unanswered" | "answered";
  /** Contract violations, and unmet expectations of the step with the actual values. */
  readonly failures: string[];
}

/** Runs the workflows of a file in turn. Each one stops at its first failed step. */
export async function runWorkflows(
  { generations, workflows, servers, given, onChange }: ArazzoRun,
  send: Send,
  stop: AbortSignal,
) {
  const checks = generations.map((generation) =>
    createExchangeCheck({ generation, server: servers.get(generation.name) }, true),
  );
  return Array.fromAsync(workflows, async (workflow) => {
    const steps: StepResult[] = [];
    const values = given.get(workflow.id) ?? { inputs: {}, outputs: {} };
    const following = followSteps(workflow, values, async ({ id, generation }, operation) => {
      const refusals = pathRefusals(operation);
      if (refusals.length > 0) {
        steps.push({ id, exchange: operation.name, state: "unsent", failures: refusals });
        return undefined;
      }
      const written = serializeRequest(sampleRequest(operation, servers.get(generation.name) ?? ""));
      const request = `${written.method} ${new URL(written.url).pathname}`;
      if (!isSafe(operation)) onChange(`${workflow.id}, ${id}: ${request}`);
      const sent = await send(written, stop);
      const { response, failure = "no response came" } = sent;
      if (response === undefined) {
        steps.push({ id, exchange: request, state: "unanswered", failures: [failure] });
        return undefined;
      }
      const contradictions = checks
        .flatMap((check) => check(sent)?.observations ?? [])
        .filter(({ kind }) => faultKinds.includes(kind))
        .map(({ message, received }) => (received === undefined ? message : `${message}; received ${received}`));
      steps.push({ id, exchange: `${request} ${response.status}`, state: "answered", failures: contradictions });
      const text = Buffer.from(response.body ?? []).toString();
      const body = text === "" ? undefined : (parseExactJson(text) ?? text);
      return { status: response.status, headers: joinFields(response.headers), body };
    });
    for await (const { lacks, response } of following) {
      const failures = steps.at(-1)?.failures ?? [];
      failures.push(
        ...lacks.flatMap(({ text }, index) => [`expected ${text}`, `but ${describeLack(text, response, index)}`]),
      );
      if (failures.length > 0) break;
    }
    return { id: workflow.id, steps };
  });
}

/** The values that a condition got. The first of several also has the reason for a failure, which they share. */
function describeLack(condition: string, response: StepResponse, index: number): string {
  const values = index === 0 ? [] : describeValues(condition, response);
  return values.length === 0 ? describeAnswer(condition, response) : values.join(", ");
}

/** Why a step's request can't be sent: values of path parameters that would lead to another path. */
function pathRefusals(operation: Operation): string[] {
  const inPath = operation.parameters.filter(({ in: place }) => place === "path");
  const fitting = fittingValues(operation, (name) => inPath.find((one) => one.name === name)?.example);
  return inPath
    .filter(({ name }) => !fitting.has(name))
    .map(({ name, example }) => {
      const shown = example === undefined ? "not there" : describeId(name, example);
      return `not sent: ${name} is ${shown}, which doesn't fit a path segment`;
    });
}
