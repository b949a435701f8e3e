import { resolve } from "../spec/openapi.ts";
import { isObject, mapMembers, membersOf, objectsOf, stringOf, valueAt } from "../spec/json.ts";
import { typesOf } from "../spec/schemas.ts";

/** An Arazzo 1.0 description, with references to its components resolved and inherited values filled in. */
export interface ArazzoDescription {
  /** The URLs of the OpenAPI descriptions that it uses, by their names. */
  readonly sources: ReadonlyMap<string, string>;
  readonly workflows: readonly ArazzoWorkflow[];
}

export interface ArazzoWorkflow {
  /** Its `workflowId`. */
  readonly id: string;
  /** Its summary, or else its ID. */
  readonly title: string;
  readonly description: string;
  readonly inputs: readonly WorkflowInput[];
  readonly steps: readonly ArazzoStep[];
}

export interface WorkflowInput {
  readonly name: string;
  readonly description: string;
  /** `undefined` if whoever runs the workflow must give it. */
  readonly default: unknown;
  /** Whether it must not be shown. */
  readonly isSecret: boolean;
  /** Whether it may be given as a text as it is. */
  readonly isText: boolean;
}

export interface ArazzoStep {
  /** Its `stepId`. */
  readonly id: string;
  readonly description: string;
  /** This or `operationPath` names the operation; neither does if the step runs another workflow. */
  readonly operationId: string | undefined;
  readonly operationPath: string | undefined;
  /** Those of the workflow and of the step, which override the former. */
  readonly parameters: readonly StepParameter[];
  /** The body to send; without one, the contract's example is sent. */
  readonly payload: unknown;
  /** The media type of the body; the contract's JSON or first one without it. */
  readonly contentType: string | undefined;
  /** The credentials to send: what the `x-security` of the workflow and of the step says. */
  readonly credentials: readonly StepCredential[];
  /** What its response must fulfil. */
  readonly successCriteria: readonly Criterion[];
  /** What later steps can refer to. */
  readonly outputs: readonly StepOutput[];
}

interface StepParameter {
  readonly name: string;
  readonly in: string;
  /** A literal or a runtime expression (Arazzo 1.0.1, section 4.7). */
  readonly value: unknown;
}

interface StepCredential {
  /** The name of a security scheme; empty if `x-security` has the scheme itself. */
  readonly schemeName: string;
  /** The parts of the credential, such as `token`: literals or runtime expressions. */
  readonly values: Readonly<Record<string, unknown>>;
}

interface StepOutput {
  readonly name: string;
  /** A runtime expression for its value. */
  readonly expression: string;
}

export interface Criterion {
  /** The condition in words: one that is no simple condition follows what it is applied to. */
  readonly text: string;
  readonly condition: string;
  /** The expression whose value the condition is applied to, unless it is simple. */
  readonly context: string | undefined;
  /** How the condition is written: `simple`, `regex` or `jsonpath`. */
  readonly type: unknown;
}

type Node = Readonly<Record<string, unknown>>;

/** Tells whether a parsed value is an Arazzo 1.0 description. Only its outermost shape is checked. */
export function isArazzo(value: unknown): value is Node {
  return isObject(value) && String(value["arazzo"]).startsWith("1.0.") && Array.isArray(value["workflows"]);
}

/** Reads an Arazzo description. What lint would refuse is left out, or empty. Throws for references that lead nowhere. */
export function readArazzo(document: Node): ArazzoDescription {
  const sources = objectsOf(document["sourceDescriptions"]).filter(({ type }) => type !== "arazzo");
  return {
    sources: new Map(sources.map(({ name, url }) => [textOf(name), textOf(url)])),
    workflows: objectsOf(document["workflows"]).map((workflow) => readWorkflow(document, workflow)),
  };
}

function readWorkflow(document: Node, workflow: Node): ArazzoWorkflow {
  const id = textOf(workflow["workflowId"]);
  return {
    id,
    title: textOf(workflow["summary"]) || id,
    description: textOf(workflow["description"]),
    inputs: readInputs(document, workflow["inputs"]),
    steps: objectsOf(workflow["steps"]).map((step) => readStep(document, workflow, step)),
  };
}

function readInputs(document: Node, written: unknown): readonly WorkflowInput[] {
  const schema = isObject(written) ? resolve(document, written) : {};
  return membersOf(schema["properties"]).map(([name, referenced]) => {
    const property = isObject(referenced) ? resolve(document, referenced) : {};
    return {
      name,
      description: textOf(property["description"]),
      default: property["default"],
      isSecret: property["format"] === "password",
      isText: property["type"] === undefined || typesOf(property).includes("string"),
    };
  });
}

function readStep(document: Node, workflow: Node, step: Node): ArazzoStep {
  const credentials = [...objectsOf(workflow["x-security"]), ...objectsOf(step["x-security"])];
  const requestBody = isObject(step["requestBody"]) ? step["requestBody"] : {};
  return {
    id: textOf(step["stepId"]),
    description: textOf(step["description"]),
    operationId: stringOf(step["operationId"]),
    operationPath: stringOf(step["operationPath"]),
    parameters: readParameters(document, workflow, step),
    payload: requestBody["payload"],
    contentType: stringOf(requestBody["contentType"]),
    credentials: credentials.map(readCredential),
    successCriteria: objectsOf(step["successCriteria"]).map(readCriterion),
    outputs: readOutputs(step["outputs"]),
  };
}

function readParameters(document: Node, workflow: Node, step: Node): readonly StepParameter[] {
  const parameters = new Map<string, StepParameter>();
  for (const written of [...objectsOf(workflow["parameters"]), ...objectsOf(step["parameters"])]) {
    const parameter = readParameter(document, written);
    parameters.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...parameters.values()];
}

/** A parameter, or a reference to one among the components that may give it another value (Arazzo 1.0.1, 4.6.10). */
function readParameter(document: Node, parameter: Node): StepParameter {
  const key = withoutStart(textOf(parameter["reference"]), "$components.parameters.") ?? "";
  const component = valueAt(document, ["components", "parameters", key]);
  const { name, in: place, value } = { ...(isObject(component) ? component : {}), ...parameter };
  return { name: textOf(name), in: textOf(place), value };
}

function readCredential({ schemeName, values }: Node): StepCredential {
  const written = textOf(schemeName);
  // `$sourceDescriptions.v2.apiKey`, with the name of a source, which has no dot.
  const inSource = withoutStart(written, "$sourceDescriptions.")?.split(".").slice(1).join(".");
  return { schemeName: inSource || written, values: mapMembers(values, (value) => value) };
}

function readOutputs(outputs: unknown): readonly StepOutput[] {
  return membersOf(outputs).map(([name, expression]) => ({ name, expression: textOf(expression) }));
}

export function readCriterion({ condition, context, type = "simple" }: Node): Criterion {
  const applied = stringOf(context);
  return {
    text: applied === undefined ? textOf(condition) : `${applied}: ${textOf(condition)}`,
    condition: textOf(condition),
    context: applied,
    type: isObject(type) ? type["type"] : type,
  };
}

/** What follows the start of a text; `undefined` if it starts otherwise. */
function withoutStart(text: string, start: string): string | undefined {
  return text.startsWith(start) ? text.slice(start.length) : undefined;
}

function textOf(value: unknown): string {
  return stringOf(value) ?? "";
}
