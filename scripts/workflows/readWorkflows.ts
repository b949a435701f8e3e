import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { UserError } from "../contract/failures.ts";
import { jsonContent, type Generation, type Operation } from "../contract/generation.ts";
import type { SecurityScheme } from "../contract/security.ts";
import { isObject, parseJson, valueAt } from "../values/json.ts";
import { readArazzoFiles, type StepOfFile, type WorkflowOfFile } from "./arazzoFiles.ts";
import { fillExpressions, type ExpressionContext } from "./expressions.ts";
import { placeOf } from "./stepOperation.ts";
import { fillBody, fillCredential, readOutcome, type Fill, type StepResponse } from "./stepValues.ts";

/** A workflow with its operations, to follow from the first step to the last. */
export type Workflow = Awaited<ReturnType<typeof readWorkflows>>[number];
export type WorkflowStep = Workflow["steps"][number];

/** Starts a workflow. Returns a function that responds to its steps in turn. */
type StartWorkflow = (workflow: string) => RespondToStep;

/** Takes a step, and its operation with the request's values as the only examples. */
type RespondToStep = (step: StepOfFile, request: Operation) => Answer | Promise<Answer>;
type Answer = StepResponse | undefined;

/** Values given by the user. */
export interface GivenValues {
  /** Values of inputs by name, in place of defaults. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Values of outputs by step and name, in place of those in responses. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The file with the responses to the workflows, which `npm run build` writes. */
export const responsesFile = "responses.json";

/**
 * Reads the responses in a folder. The returned function throws {@link UserError} for a step without a
 * response.
 */
export async function readRecordedResponses(folder: string): Promise<StartWorkflow> {
  const file = join(folder, responsesFile);
  const responses = parseJson(await readFile(file, "utf8").catch(() => ""));
  return (workflow) =>
    ({ id }) => {
      const response = valueAt(responses, [workflow, id]);
      if (isResponse(response)) return response;
      const name = relative(process.cwd(), file);
      throw new UserError(`${name} has no response to step ${id} of workflow ${workflow}: run npm run build`);
    };
}

function isResponse(value: unknown): value is StepResponse {
  return isObject(value) && typeof value["status"] === "number" && isObject(value["headers"]);
}

/** Follows the workflows in a folder, file by file. `start` provides the responses to their steps. */
export async function readWorkflows(folder: string, generations: readonly Generation[], start: StartWorkflow) {
  const workflows = (await readArazzoFiles(folder, generations)).flatMap((file) => file.workflows);
  const read = [];
  for (const workflow of workflows) {
    const steps = [];
    for await (const step of followSteps(workflow, { inputs: {}, outputs: {} }, start(workflow.id))) steps.push(step);
    read.push({ ...workflow, steps });
  }
  return read;
}

/** The values of a workflow's inputs by name, given or default. */
export function inputsOf(workflow: WorkflowOfFile, given: GivenValues): ExpressionContext["inputs"] {
  return Object.fromEntries(workflow.inputs.map(({ name, default: value }) => [name, given.inputs[name] ?? value]));
}

/** Follows the steps of a workflow, until one gets no response. */
export async function* followSteps(workflow: WorkflowOfFile, given: GivenValues, respond: RespondToStep) {
  const inputs = inputsOf(workflow, given);
  const steps: Record<string, { outputs: Readonly<Record<string, unknown>> }> = {};
  for (const step of workflow.steps) {
    const context = { inputs, steps };
    const request = stepRequest(step, (literal) => fillExpressions(literal, context));
    const response = await respond(step, request);
    if (response === undefined) return;
    const { outputs, lacks } = readOutcome(step, context, response, given.outputs[step.id]);
    steps[step.id] = { outputs };
    yield {
      ...step,
      /** The operation with the request's values as its only examples, for samples. */
      example: request,
      response,
      lacks,
    };
  }
}

/** The operation with the values of a step's request as its only examples. `fill` puts values in the place of expressions. */
export function stepRequest({ operation, generation, ...step }: StepOfFile, fill: Fill): Operation {
  const { requestBody } = operation;
  const { content = [] } = requestBody ?? {};
  const sent = content.find(({ mediaType }) => mediaType === step.contentType) ?? jsonContent(content) ?? content[0];
  const value = step.payload === undefined ? sent?.examples[0]?.value : fillBody(step.payload, fill);
  const examples = [{ name: "step", summary: "The request of this step", description: "", value }];
  const credentials = step.credentials.flatMap(({ schemeName, values }): readonly SecurityScheme[] => {
    const scheme = generation.securitySchemes.get(schemeName);
    return scheme === undefined ? [] : [fillCredential(scheme, values, fill)];
  });
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) => {
      const given = step.parameters.find((one) => placeOf(one) === placeOf(parameter));
      return { ...parameter, example: given && fill(given.value) };
    }),
    requestBody:
      requestBody === undefined || sent === undefined
        ? undefined
        : { ...requestBody, content: [{ ...sent, examples }] },
    security: credentials.length === 0 ? [] : [credentials],
  };
}
