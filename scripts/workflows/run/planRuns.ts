/* The plan of runs against servers: the values of their requests, and the data that they change. */
import { isOnThisMachine } from "../../contract/defaultAddress.ts";
import { UserError } from "../../contract/failures.ts";
import { isSafe, type Operation } from "../../contract/generation.ts";
import type { ResourceOperation } from "../../contract/resources.ts";
import { credentialVariable, readCredentials } from "../../contract/security.ts";
import { describeTarget, mayDelete, type DataChange } from "../../exchange/dataChanges.ts";
import { describeId } from "../../exchange/describeValue.ts";
import { pathParameters } from "../../spec/pathTemplate.ts";
import type { ArazzoFile, StepOfFile, WorkflowOfFile } from "../arazzoFiles.ts";
import { fillExpressions, neededValues, type ExpressionContext } from "../expressions.ts";
import { inputsOf, type GivenValues } from "../readWorkflows.ts";

/** The workflows of a file, prepared for a run. */
interface PlannedRun extends ArazzoFile {
  /** The URLs of servers by generation. `undefined` for a mock. */
  readonly servers: ReadonlyMap<string, string> | undefined;
  /** The given values by workflow. */
  readonly given: ReadonlyMap<string, GivenValues>;
  /** What the workflows change at a server. */
  readonly changes: readonly StepChange[];
  /** The missing values, one line for each workflow. */
  readonly missing: readonly string[];
}

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
export interface StepChange extends DataChange {
  readonly workflow: string;
  /** The values of the path parameters, or their sources if only an earlier step can provide them. */
  readonly path: ReadonlyMap<string, SentValue>;
  readonly outputs: readonly SentOutput[];
}

type SentValue = { readonly value: unknown } | { readonly from: SentOutput };

/** Plans workflows for a mock, which they may change freely. */
export function planForMock(file: ArazzoFile, given: GivenValues): PlannedRun {
  const givenByName = new Map(file.workflows.map(({ id }) => [id, given]));
  return { ...file, servers: undefined, given: givenByName, changes: [], missing: [] };
}

/** Plans workflows for servers. Throws {@link UserError} if a server or a credential is missing. */
export function planForServers(
  file: ArazzoFile,
  servers: ReadonlyMap<string, string>,
  given: GivenValues,
  resources: ReadonlyMap<Operation, ResourceOperation>,
): PlannedRun {
  const unserved = file.generations.find(({ name }) => !servers.has(name));
  if (unserved !== undefined)
    throw new UserError(`these workflows need a server for ${unserved.name} too: add --server ${unserved.name}=URL`);
  const all = { ...given, inputs: { ...given.inputs, ...readCredentialInputs(file.workflows, servers) } };
  const planned = file.workflows.map((workflow) => {
    const isHere = workflow.steps.every(({ generation }) => isOnThisMachine(servers.get(generation.name) ?? ""));
    const required = isHere
      ? { missing: [], given: all }
      : requireGiven(workflow, findChanges(workflow, resources, all), all);
    return { ...required, id: workflow.id, changes: findChanges(workflow, resources, required.given) };
  });
  return {
    ...{ ...file, servers },
    given: new Map(planned.map((one) => [one.id, one.given])),
    changes: planned.flatMap(({ changes }) => changes),
    missing: planned.flatMap(({ id, missing }) => (missing.length === 0 ? [] : [`${id}: ${missing.join(", ")}`])),
  };
}

/**
 * The inputs that are credentials. They come from the environment, or from the contract's examples for a
 * server on this machine.
 */
function readCredentialInputs(workflows: readonly WorkflowOfFile[], servers: ReadonlyMap<string, string>) {
  const inputs: Record<string, string> = {};
  for (const { credentials, generation } of workflows.flatMap(({ steps }) => steps)) {
    const known = readCredentials(generation, servers.get(generation.name), process.env);
    for (const { schemeName, values } of credentials) {
      for (const value of Object.values(values).map(String)) {
        if (!value.startsWith("$inputs.")) continue;
        const variable = credentialVariable(generation.name, schemeName);
        const credential = known.get(schemeName)?.example;
        if (credential === undefined) throw new UserError(`set ${variable} to the credential for ${generation.name}`);
        inputs[value.replace("$inputs.", "")] = credential;
      }
    }
  }
  return inputs;
}

/** Finds the requests of a workflow that may change data, with the facts known in advance. */
function findChanges(
  workflow: WorkflowOfFile,
  resources: ReadonlyMap<Operation, ResourceOperation>,
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
      const path = pathOf(step, creating, { inputs, steps });
      const outputs = outputsIn([...parameters.map(({ value }) => value), payload], creating);
      const needs = mayDelete(operation) ? (["allow-changes", "allow-deletes"] as const) : (["allow-changes"] as const);
      return { workflow: workflow.id, operation, needs, path, outputs };
    });
}

/**
 * Replaces the values in changes with the given ones: for the output of a step, or for an input with the same
 * name. `missing` lists inputs and outputs (`step.output`) without a given value. Defaults are for the mock
 * only, and a step may find any resource.
 */
function requireGiven(workflow: WorkflowOfFile, changes: readonly StepChange[], given: GivenValues) {
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
  const target = describeTarget(operation, path, (name, sent) => {
    if ("from" in sent) return `${name}: ${sent.from.isCreated ? "created" : "found"} by step ${sent.from.step}`;
    return sent.value === undefined ? `${name}: not given` : `${name} ${describeId(name, sent.value)}`;
  });
  return `${workflow}: ${target}`;
}
