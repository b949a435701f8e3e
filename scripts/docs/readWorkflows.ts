import { relative } from "node:path";
import {
  jsonContent,
  successResponses,
  type Generation,
  type Operation,
  type Parameter,
  type Response,
} from "../contract/generation.ts";
import { elementsOf, isObject } from "../contract/openapi.ts";
import type { SecurityScheme } from "../contract/security.ts";
import { parseJson } from "../contract/text.ts";
import { pointerKeys } from "../contract/jsonPointer.ts";
import {
  type ArazzoStep,
  type ArazzoWorkflow,
  type StepOutput,
  type StepParameter,
  type StepRequestBody,
  type WorkflowInput,
} from "../workflows/arazzo.ts";
import { fileError, readArazzoFiles } from "../workflows/arazzoFiles.ts";
import {
  comparisonsOf,
  evaluate,
  fillBody,
  fillExpressions,
  holds,
  isExpression,
  withValueAt,
  type ExpressionContext,
} from "../workflows/expressions.ts";
import { findStepOperation } from "../workflows/stepOperation.ts";

/** A workflow to follow from the first step to the last, with the operations that it names. */
export interface Workflow {
  /** Unique among all workflows: letters, digits, `_` and `-`. */
  readonly id: string;
  /** The task. */
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly inputs: readonly WorkflowInput[];
  readonly steps: readonly WorkflowStep[];
}

export interface WorkflowStep {
  /** Unique in its workflow. */
  readonly id: string;
  /** Markdown. */
  readonly description: string;
  readonly generation: Generation;
  readonly operation: Operation;
  /** With literals and runtime expressions, as they are written. */
  readonly parameters: readonly StepParameter[];
  readonly requestBody: StepRequestBody | undefined;
  /** Conditions as text. */
  readonly successCriteria: readonly string[];
  readonly outputs: readonly StepOutput[];
  readonly request: StepRequest;
  /** The operation with the values of {@link request} as its only examples, so that samples can be made of it. */
  readonly example: Operation;
  /** What the contract's example answers; `undefined` if the step expects a failure, or there is no example. */
  readonly response: StepResponse | undefined;
}

/** The request of a step with values instead of expressions: inputs have their defaults, and outputs come from examples. */
export interface StepRequest {
  /** By place (`path`, `query`, `header`, `cookie`) and name. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** `undefined` if there is none. */
  readonly body: unknown;
  /** Credentials that are sent together, with their values as examples. */
  readonly credentials: readonly SecurityScheme[];
}

/** A successful example response. Where a success criterion says what a field has, the field has that. */
export interface StepResponse {
  /** A status code, or a range such as `2XX`. */
  readonly status: string;
  readonly body: unknown;
}

/**
 * Reads the workflows in a folder's `*.arazzo.yaml` files, in the order of the files' names; none if there is no such
 * folder. A source description has the name of the generation that it stands for. Throws {@link UserError} with the file if
 * one cannot be read, or a step names an operation that is not there.
 */
export async function readWorkflows(folder: string, generations: readonly Generation[]): Promise<readonly Workflow[]> {
  const seen = new Map<string, string>();
  return (await readArazzoFiles(folder)).flatMap(({ file, description: { sources, workflows } }) =>
    workflows.map((workflow) => {
      const { id, title, description, inputs } = workflow;
      const other = seen.get(id);
      if (other !== undefined) throw fileError(file, `the workflow ${id} is in ${relative(process.cwd(), other)} too`);
      seen.set(id, file);
      return { id, title, description, inputs, steps: readSteps(file, workflow, [...sources.keys()], generations) };
    }),
  );
}

function readSteps(
  file: string,
  workflow: ArazzoWorkflow,
  sources: readonly string[],
  generations: readonly Generation[],
): readonly WorkflowStep[] {
  const inputs = Object.fromEntries(workflow.inputs.map(({ name, default: value }) => [name, value]));
  const outputs: Record<string, Readonly<Record<string, unknown>>> = {};
  return workflow.steps.map((step) => {
    const found = findStepOperation(step, sources, generations);
    if ("message" in found) {
      throw fileError(file, `step ${step.id} of workflow ${workflow.id}: ${found.message} ${found.suggestion}`);
    }
    const { read, results } = readStep(step, found.generation, found.operation, { inputs, steps: outputs });
    outputs[step.id] = results;
    return read;
  });
}

function readStep(
  step: ArazzoStep,
  generation: Generation,
  operation: Operation,
  before: ExpressionContext,
): { readonly read: WorkflowStep; readonly results: Readonly<Record<string, unknown>> } {
  const request = readRequest(step, generation, operation, before);
  const { parameters, body } = request;
  const { path = {}, query = {}, header = {} } = parameters;
  const sent = { ...before, request: { path, query, header: lowerCase(header), body } };
  const response = readResponse(step, operation, sent);
  const status = response === undefined ? undefined : statusCodeOf(response.status);
  const after = { ...sent, response: { statusCode: status, header: {}, body: response?.body } };
  return {
    read: {
      id: step.id,
      description: step.description,
      generation,
      operation,
      parameters: step.parameters,
      requestBody: step.requestBody,
      successCriteria: step.successCriteria.map(({ condition, context }) =>
        context === undefined ? condition : `${context}: ${condition}`,
      ),
      outputs: step.outputs,
      request,
      example: exampleOperation(operation, request),
      response,
    },
    results: Object.fromEntries(step.outputs.map(({ name, expression }) => [name, evaluate(expression, after)])),
  };
}

function readRequest(
  step: ArazzoStep,
  generation: Generation,
  operation: Operation,
  context: ExpressionContext,
): StepRequest {
  const carried = operation.security.flat();
  const parameters: Record<string, Record<string, unknown>> = {};
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
    // What no example gives is as the contract's own example has it.
    const isUnknown = typeof filled === "string" && isExpression(filled);
    (parameters[place] ??= {})[described?.name ?? name] = isUnknown ? described?.example : filled;
  }
  for (const { schemeName, values } of step.credentials) {
    const scheme = generation.securitySchemes.get(schemeName);
    if (scheme === undefined) continue;
    const { username, password, ...others } = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, fillExpressions(value, context)]),
    );
    const [value = scheme.example] = Object.values(others);
    const pair = Buffer.from(`${String(username)}:${String(password)}`).toString("base64");
    credentials.push({ ...scheme, example: username === undefined ? String(value) : pair });
  }
  return { parameters, body: readBody(step, operation, context), credentials };
}

/** A step that has no body for an operation that takes one sends the contract's example, as respect does. */
function readBody({ requestBody }: ArazzoStep, operation: Operation, context: ExpressionContext): unknown {
  if (requestBody === undefined) return jsonContent(operation.requestBody?.content)?.examples[0]?.value;
  const body = fillBody(requestBody, context);
  return typeof body === "string" ? (parseJson(body) ?? body) : body;
}

function exampleOperation(operation: Operation, { parameters, body, credentials }: StepRequest): Operation {
  const { requestBody } = operation;
  const sent = jsonContent(requestBody?.content) ?? requestBody?.content[0];
  const examples = [{ name: "step", summary: "The request of this step", value: body }];
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

/** The first success whose status and example meet the step's criteria, or, failing that, whose status does. */
function readResponse(
  { successCriteria }: ArazzoStep,
  operation: Operation,
  context: ExpressionContext,
): StepResponse | undefined {
  const comparisons = successCriteria.flatMap((criterion) => comparisonsOf(criterion, context));
  const meets = ({ status }: Response) =>
    comparisons
      .filter(({ left }) => left === "$statusCode")
      .every((comparison) => holds(comparison, statusCodeOf(status)));
  const response = successResponses(operation).find(meets);
  const examples = jsonContent(response?.content)?.examples.map(({ value }) => pageOf(value, operation, context)) ?? [];
  const onBody = comparisons.flatMap((comparison) => {
    const [, pointer] = /^\$response\.body#(.*)$/.exec(comparison.left) ?? [];
    return pointer === undefined ? [] : [{ ...comparison, keys: pointerKeys(`#${pointer}`) }];
  });
  const scores = examples.map(
    (body) =>
      onBody.filter((comparison) =>
        holds(comparison, evaluate(comparison.left, { ...context, response: { statusCode: 0, header: {}, body } })),
      ).length,
  );
  const best = examples[scores.indexOf(Math.max(...scores))];
  if (response === undefined || examples.length === 0) return undefined;
  const body = onBody
    .filter(({ operator, right }) => operator === "==" && right !== undefined)
    .reduce((value, { keys, right }) => withValueAt(value, keys, right), best);
  return { status: response.status, body };
}

/** The part of a list that a step asks for: the list is all of the example, or the one array in it. */
function pageOf(example: unknown, { pagination }: Operation, { request }: ExpressionContext): unknown {
  if (pagination === undefined) return example;
  const limit = request?.query[pagination.limit];
  const offset = Number(request?.query[pagination.offset] ?? 0);
  const end = limit === undefined ? undefined : offset + Number(limit);
  const cut = (value: unknown) => (Array.isArray(value) ? elementsOf(value).slice(offset, end) : value);
  return isObject(example)
    ? Object.fromEntries(Object.entries(example).map(([key, value]) => [key, cut(value)]))
    : cut(example);
}

/** The status code, or the first one of a range. */
function statusCodeOf(status: string): number {
  return Number(status.replaceAll(/x/gi, "0"));
}

function lowerCase(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
}
