import { messageOf, UserError } from "../contract/failures.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { createEngine } from "../mock/server/engine.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { bodyInit, serializeRequest } from "../samples/serializeRequest.ts";
import { parseJson } from "../values/json.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { responseOf } from "../spec/openapi.ts";
import { readWorkflows, type Workflow } from "./readWorkflows.ts";
import { describeAnswer, type StepResponse } from "./stepValues.ts";

/**
 * Runs each workflow in a folder against a new mock. Returns the responses, and where they don't meet the
 * steps' expectations.
 */
export async function recordResponses(folder: string, generations: readonly Generation[]) {
  const { fetch, reset } = createEngine({ generations });
  const workflows = await readWorkflows(folder, generations, (workflow) => {
    reset();
    return async ({ id }, operation) => {
      const { url, method, headers, body } = serializeRequest(sampleRequest(operation, "http://localhost"));
      const response = await fetch(url, { method, headers, ...(body && { body: bodyInit(body) }) }).catch(
        (error: unknown) => {
          throw new UserError(`step ${id} of workflow ${workflow} cannot be sent: ${messageOf(error)}`);
        },
      );
      return readResponse(operation, response);
    };
  });
  return {
    responses: Object.fromEntries(
      workflows.map(({ id, steps }) => [id, Object.fromEntries(steps.map((step) => [step.id, step.response]))]),
    ),
    problems: workflows.flatMap(findLacks),
  };
}

/** The problems of the first step of a workflow that has any. Later problems may follow from it. */
function findLacks({ file, index: workflow, steps }: Workflow) {
  const index = steps.findIndex(({ lacks }) => lacks.length > 0);
  const step = steps[index];
  if (step === undefined) return [];
  return step.lacks.map(({ keys, text }) => ({
    file,
    keys: ["workflows", String(workflow), "steps", String(index), ...keys],
    message: `The mock's response does not agree with this: ${describeAnswer(text, step.response)}`,
    suggestion: "Correct this, the step's request, or the contract.",
  }));
}

async function readResponse({ responses }: Operation, response: Response): Promise<StepResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const described = (responseOf(responses, status)?.headers ?? []).filter(({ name }) => headers.has(name));
  const recorded = Object.fromEntries(described.map(({ name }) => [name.toLowerCase(), headers.get(name) ?? ""]));
  if (text === "") return { status, headers: recorded };
  const body = isJson(headers.get("content-type") ?? "") ? parseJson(text) : text;
  return { status, headers: recorded, body };
}
