import { sampleRequest } from "../samples/exampleRequest.ts";
import { messageOf, UserError } from "../contract/failures.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { responseOf } from "../spec/openapi.ts";
import { parseJson } from "../spec/json.ts";
import { bodyInit, writeRequest } from "../samples/writeRequest.ts";
import { createEngine } from "../mock/engine.ts";
import { readWorkflows, type StepResponse, type Workflow } from "./readWorkflows.ts";
import { describeAnswer } from "./runWorkflows.ts";

/**
 * Sends the requests of the workflows in a folder, with the defaults of their inputs, to a mock that forgets each
 * workflow before the next. Resolves to the responses by workflow and step, the same ones each time, and to what they do
 * not have of what a step expects. Throws as {@link readWorkflows} does, and {@link UserError} for a request that `fetch`
 * cannot send.
 */
export async function recordResponses(folder: string, generations: readonly Generation[]) {
  const { fetch, reset } = createEngine({ generations });
  const workflows = await readWorkflows(folder, generations, (workflow) => {
    reset();
    return async (step, operation) => {
      const { url, method, headers, body } = writeRequest(sampleRequest(operation, "http://localhost"));
      const response = await fetch(url, { method, headers, ...(body && { body: bodyInit(body) }) }).catch(
        (error: unknown) => {
          throw new UserError(`step ${step} of workflow ${workflow} cannot be sent: ${messageOf(error)}`);
        },
      );
      return readResponse(operation, response);
    };
  });
  return {
    responses: Object.fromEntries(
      workflows.map(({ id, steps }) => [id, Object.fromEntries(steps.map((step) => [step.id, step.response]))]),
    ),
    problems: workflows.flatMap(findUnmet),
  };
}

/** What the first step of a workflow lacks that lacks something: others may follow from that. */
function findUnmet({ file, index: workflow, steps }: Workflow) {
  const index = steps.findIndex(({ unmet, missing }) => unmet.length + missing.length > 0);
  const step = steps[index];
  if (step === undefined) return [];
  const report = (keys: readonly (string | number)[], expression: string) => ({
    file,
    keys: ["workflows", workflow, "steps", index, ...keys].map(String),
    message: `The mock's response does not agree with this: ${describeAnswer(expression, step.response)}`,
    suggestion: "Correct this, what the step sends, or the contract.",
  });
  return [
    ...step.unmet.map((one) => report(["successCriteria", one, "condition"], step.successCriteria[one]?.text ?? "")),
    ...(step.unmet.length > 0 ? [] : step.outputs)
      .filter(({ name }) => step.missing.includes(name))
      .map(({ name, expression }) => report(["outputs", name], expression)),
  ];
}

async function readResponse({ responses }: Operation, response: Response): Promise<StepResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const described = responseOf(responses, status)?.headers ?? [];
  return {
    status,
    headers: Object.fromEntries(
      described.flatMap(({ name }) => (headers.has(name) ? [[name.toLowerCase(), headers.get(name) ?? ""]] : [])),
    ),
    ...(text !== "" && { body: isJson(headers.get("content-type") ?? "") ? parseJson(text) : text }),
  };
}
