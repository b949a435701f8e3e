import { isSafe, type Operation } from "../../contract/generation.ts";
import type { ResourceOperation } from "../../contract/resources.ts";
import { describeId } from "../../exchange/describeValue.ts";
import { pathParameters } from "../../spec/pathTemplate.ts";
import type { StepOfFile, WorkflowOfFile } from "../arazzoFiles.ts";
import { fillExpressions, neededValues, type ExpressionContext } from "../expressions.ts";
import { inputsOf, type GivenValues } from "../readWorkflows.ts";

/** The effects of operations on resources. */
export type ResourceOperations = ReadonlyMap<Operation, ResourceOperation>;

/** An output of an earlier step that a step sends. */
interface SentOutput {
  readonly step: string;
  readonly output: string;
  /**
   * True if the earlier step creates the resource with this identifier. Otherwise, the resource existed
   * before.
   */
  readonly isCreated: boolean;
}

/** A request of a workflow that may change data. */
export interface StepChange {
  readonly workflow: string;
  readonly operation: Operation;
  readonly isDelete: boolean;
  /** The values of the path parameters, or their sources if only an earlier step can provide them. */
  readonly path: ReadonlyMap<string, SentValue>;
  readonly outputs: readonly SentOutput[];
}

type SentValue = { readonly value: unknown } | { readonly from: SentOutput };

/** Finds the requests of a workflow that may change data, with the facts known in advance. */
export function findChanges(
  workflow: WorkflowOfFile,
  resources: ResourceOperations,
  given: GivenValues,
): readonly StepChange[] {
  const creates = ({ operation }: StepOfFile) => resources.get(operation)?.effect === "create";
  const creating = new Set(workflow.steps.filter(creates).map(({ id }) => id));
  const inputs = inputsOf(workflow, given);
  const steps = Object.fromEntries(Object.entries(given.outputs).map(([id, outputs]) => [id, { outputs }]));
  return workflow.steps
    .filter(({ operation }) => !isSafe(operation))
    .map((step): StepChange => {
      const { operation, parameters, payload } = step;
      const isDelete = operation.method === "delete" || resources.get(operation)?.effect === "delete";
      const path = pathOf(step, creating, { inputs, steps });
      const outputs = outputsIn([...parameters.map(({ value }) => value), payload], creating);
      return { workflow: workflow.id, operation, isDelete, path, outputs };
    });
}

/**
 * Replaces the values in changes with the given ones: for the output of a step, or for an input with the same
 * name. `missing` lists inputs and outputs (`step.output`) without a given value. Defaults are for the mock
 * only, and a step may find any resource.
 */
export function requireGiven(workflow: WorkflowOfFile, changes: readonly StepChange[], given: GivenValues) {
  const open = workflow.inputs.filter(({ name, isSecret }) => !isSecret && given.inputs[name] === undefined);
  const missing = open.map(({ name }) => name);
  const outputs: Record<string, Record<string, unknown>> = {};
  for (const { step, output, isCreated } of changes.flatMap((change) => change.outputs)) {
    const isInput = workflow.inputs.some(({ name }) => name === output);
    const value = given.outputs[step]?.[output] ?? (isInput ? given.inputs[output] : undefined);
    if (!isCreated && value === undefined && !isInput) missing.push(`${step}.${output}`);
    if (!isCreated) outputs[step] = { ...outputs[step], [output]: value };
  }
  return { missing: [...new Set(missing)], given: { inputs: given.inputs, outputs: { ...given.outputs, ...outputs } } };
}

function pathOf(
  { operation, parameters }: StepOfFile,
  creating: ReadonlySet<string>,
  context: ExpressionContext,
): StepChange["path"] {
  const path = new Map<string, SentValue>();
  for (const name of pathParameters(operation.path)) {
    const written = parameters.find((parameter) => parameter.in === "path" && parameter.name === name)?.value;
    const [from] = outputsIn(written, creating);
    const value = fillExpressions(written, context);
    path.set(name, from === undefined || value !== undefined ? { value } : { from });
  }
  return path;
}

/** The outputs of earlier steps in the runtime expressions within a value. */
function outputsIn(value: unknown, creating: ReadonlySet<string>): readonly SentOutput[] {
  return neededValues(value).outputs.map((one) => ({ ...one, isCreated: creating.has(one.step) }));
}

/** Describes the change that a request would make. */
export function describeChange({ workflow, operation, path }: StepChange): string {
  const ids = Array.from(path, ([name, sent]) => {
    if ("value" in sent)
      return sent.value === undefined ? `${name}: not given` : `${name} ${describeId(name, sent.value)}`;
    return `${name}: ${sent.from.isCreated ? "created" : "found"} by step ${sent.from.step}`;
  });
  return `${workflow}: ${operation.name}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}`;
}
