import { relative } from "node:path";
import { jsonContent, type Generation, type Operation, type Parameter } from "../contract/generation.ts";
import type { SecurityScheme } from "../contract/security.ts";
import { parseJson } from "../spec/json.ts";
import type { ArazzoStep, ArazzoWorkflow } from "./arazzo.ts";
import { fileError, readArazzoFiles } from "./arazzoFiles.ts";
import {
  evaluate,
  fillBody,
  fillExpressions,
  fillMembers,
  isExpression,
  type ExpressionContext,
} from "./expressions.ts";
import { holds } from "./conditions.ts";
import { requireOperation } from "./stepOperation.ts";

/** A workflow to follow from the first step to the last, with the operations that it names. */
export type Workflow = Awaited<ReturnType<typeof readWorkflows>>[number];
export type WorkflowStep = Workflow["steps"][number];

type StepRequest = ReturnType<typeof readRequest>;

/** The response to a step's request: plain data, which can be kept as JSON. */
export interface StepResponse {
  readonly status: number;
  /** Those that the contract describes, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of a body that is JSON, or the text of another; absent if there is none. */
  readonly body?: unknown;
}

/** Begins a workflow, and returns what responds to its steps, one after the other. */
export type StartWorkflow = (workflow: string) => RespondToStep<StepResponse>;

/** Gets a step's ID, its operation with the values of the request as the only examples, and the operation's generation. */
type RespondToStep<Answer> = (step: string, request: Operation, generation: Generation) => Answer | Promise<Answer>;

/**
 * Reads the workflows in a folder's `*.arazzo.yaml` files, in the order of the files' names; none if there is no such
 * folder. A source description has the name of the generation that it stands for. The values of later requests come from
 * what `start` gives as the responses to earlier ones. Throws {@link UserError} with the file if one cannot be read, or a
 * step names an operation that is not there.
 */
export async function readWorkflows(folder: string, generations: readonly Generation[], start: StartWorkflow) {
  const seen = new Map<string, string>();
  const read = [];
  for (const { file, description } of await readArazzoFiles(folder)) {
    for (const [index, workflow] of description.workflows.entries()) {
      const { id } = workflow;
      const other = seen.get(id);
      if (other !== undefined) throw fileError(file, `the workflow ${id} is in ${relative(process.cwd(), other)} too`);
      seen.set(id, file);
      const sources = generations.filter(({ name }) => description.sources.has(name));
      const steps = await Array.fromAsync(followSteps(file, workflow, sources, {}, start(id)));
      read.push({ ...workflow, file, index, steps });
    }
  }
  return read;
}

/**
 * Follows the steps of a workflow, one after the other, up to one that gets no response. `given` are values instead of the
 * defaults of its inputs.
 */
export async function* followSteps(
  file: string,
  workflow: ArazzoWorkflow,
  generations: readonly Generation[],
  given: ExpressionContext["inputs"],
  respond: RespondToStep<StepResponse | undefined>,
) {
  const inputs = Object.fromEntries(workflow.inputs.map(({ name, default: value }) => [name, given[name] ?? value]));
  const outputs: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const step of workflow.steps) {
    const { generation, operation } = requireOperation(file, workflow, step, generations);
    const before = { inputs, steps: outputs };
    const request = readRequest(step, generation, operation, before);
    // The operation with the values of the request as its only examples, so that samples can be made of it.
    const example = exampleOperation(operation, request);
    const response = await respond(step.id, example, generation);
    if (response === undefined) return;
    const after = contextAfter(request, response, before);
    const values = step.outputs.map(({ name, expression }) => [name, evaluate(expression, after)] as const);
    outputs[step.id] = Object.fromEntries(values);
    // Indices of the criteria that do not hold, and the names of outputs without a value.
    const unmet = step.successCriteria.flatMap((criterion, index) => (holds(criterion, after) ? [] : [index]));
    const missing = values.flatMap(([name, value]) => (value === undefined ? [name] : []));
    yield { ...step, generation, operation, request, example, response, unmet, missing };
  }
}

function contextAfter(
  { parameters, body }: StepRequest,
  response: StepResponse,
  before: ExpressionContext,
): ExpressionContext {
  const { path = {}, query = {}, header = {} } = parameters;
  const fields = Object.entries(header).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    ...before,
    request: { path, query, header: Object.fromEntries(fields), body },
    response: { statusCode: response.status, header: response.headers, body: response.body },
  };
}

/** The request of a step with values instead of expressions: inputs have their defaults, outputs come from responses. */
function readRequest(step: ArazzoStep, generation: Generation, operation: Operation, context: ExpressionContext) {
  const carried = operation.security.flat();
  /** By place (`path`, `query`, `header`, `cookie`) and name. */
  const parameters: Record<string, Record<string, unknown>> = {};
  /** Those that are sent together, with their values as examples. */
  const credentials: SecurityScheme[] = [];
  for (const { name, in: place, value } of step.parameters) {
    const filled = fillExpressions(value, context);
    const isSameName = (other: string) =>
      place === "header" ? other.toLowerCase() === name.toLowerCase() : other === name;
    const scheme = carried.find((candidate) => candidate.in === place && isSameName(candidate.parameter));
    if (scheme !== undefined) {
      credentials.push({ ...scheme, example: String(filled).replace(new RegExp(`^${scheme.prefix}`, "i"), "") });
      continue;
    }
    const described = operation.parameters.find((candidate) => candidate.in === place && isSameName(candidate.name));
    // What no response gives is as the contract's own example has it.
    const isUnknown = typeof filled === "string" && isExpression(filled);
    (parameters[place] ??= {})[described?.name ?? name] = isUnknown ? described?.example : filled;
  }
  for (const { schemeName, values } of step.credentials) {
    const scheme = generation.securitySchemes.get(schemeName);
    if (scheme === undefined) continue;
    const { username, password, ...others } = fillMembers(values, context);
    const [value = scheme.example] = Object.values(others);
    const pair = Buffer.from(`${String(username)}:${String(password)}`).toString("base64");
    credentials.push({ ...scheme, example: username === undefined ? String(value) : pair });
  }
  return { parameters, body: readBody(step, operation, context), credentials };
}

/** A step that has no body for an operation that takes one sends the contract's example. */
function readBody({ requestBody }: ArazzoStep, operation: Operation, context: ExpressionContext): unknown {
  if (requestBody === undefined) return jsonContent(operation.requestBody?.content)?.examples[0]?.value;
  const body = fillBody(requestBody, context);
  return typeof body === "string" ? (parseJson(body) ?? body) : body;
}

function exampleOperation(operation: Operation, { parameters, body, credentials }: StepRequest): Operation {
  const { requestBody } = operation;
  const sent = jsonContent(requestBody?.content) ?? requestBody?.content[0];
  const examples = [{ name: "step", summary: "The request of this step", description: "", value: body }];
  return {
    ...operation,
    parameters: operation.parameters.map((parameter): Parameter => ({
      ...parameter,
      example: parameters[parameter.in]?.[parameter.name],
    })),
    requestBody:
      requestBody === undefined || sent === undefined
        ? undefined
        : { ...requestBody, content: [{ ...sent, examples }] },
    security: credentials.length === 0 ? [] : [credentials],
  };
}
