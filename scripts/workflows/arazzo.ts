import { resolve } from "../spec/openapi.ts";
import { isObject, mapMembers, membersOf, objectsOf, stringOf, valueAt } from "../values/json.ts";
import { typesOf } from "../spec/schemas.ts";

/** An Arazzo 1.0 description, with references to its components resolved and inherited values filled in. */
export interface ArazzoDescription {
  /** The URLs of its OpenAPI descriptions, by name. */
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
  /** `undefined` if the input is required. */
  readonly default: unknown;
  /** Whether the value must be masked. */
  readonly isSecret: boolean;
  /** Whether the value may be given as plain text. */
  readonly isText: boolean;
}

export interface ArazzoStep {
  /** Its `stepId`. */
  readonly id: string;
  readonly description: string;
  /** The operation's ID. A step without this or `operationPath` runs another workflow. */
  readonly operationId: string | undefined;
  readonly operationPath: string | undefined;
  /** The parameters of the step, and those of the workflow that it doesn't override. */
  readonly parameters: readonly StepParameter[];
  /** The body to send. Default: the contract's example. */
  readonly payload: unknown;
  /** The media type of the body. Default: JSON, or else the contract's first one. */
  readonly contentType: string | undefined;
  /** The credentials to send, from `x-security` of the workflow and the step. */
  readonly credentials: readonly StepCredential[];
  /** Criteria for its response. */
  readonly successCriteria: readonly Criterion[];
  /** Values for later steps. */
  readonly outputs: readonly StepOutput[];
}

export interface StepParameter {
  readonly name: string;
  readonly in: string;
  /** A literal or a runtime expression (Arazzo 1.0.1, section 4.7). */
  readonly value: unknown;
  /** Keys from the step to the parameter, or to all parameters if the workflow has it. */
  readonly keys: readonly string[];
}

export interface StepCredential {
  /** The name of a security scheme. Empty if `x-security` contains the scheme itself. */
  readonly schemeName: string;
  /** The parts of the credential, such as `token`, as literals or runtime expressions. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface StepOutput {
  readonly name: string;
  /** A runtime expression for its value. */
  readonly expression: string;
}

export interface Criterion {
  /** The condition in words. A condition that isn't simple comes after its context. */
  readonly text: string;
  readonly condition: string;
  /** The expression that the condition is applied to. `undefined` for a simple condition. */
  readonly context: string | undefined;
  /** The type of the condition: `simple`, `regex` or `jsonpath`. */
  readonly type: unknown;
}

type Node = Readonly<Record<string, unknown>>;

/** Returns whether a parsed value is an Arazzo 1.0 description. Checks only its top level. */
export function isArazzo(value: unknown): value is Node {
  return isObject(value) && String(value["arazzo"]).startsWith("1.0.") && Array.isArray(value["workflows"]);
}

/**
 * Reads an Arazzo description. Parts that lint would reject are left out or empty. Throws for references that
 * lead nowhere.
 */
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
  const shared = objectsOf(workflow["parameters"]).map((written) => ({ written, keys: ["parameters"] }));
  const own = objectsOf(step["parameters"]).map((written, index) => ({ written, keys: ["parameters", `${index}`] }));
  for (const { written, keys } of [...shared, ...own]) {
    const parameter = { ...readParameter(document, written), keys };
    parameters.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...parameters.values()];
}

/**
 * A parameter, or a reference to one among the components, possibly with another value (Arazzo 1.0.1,
 * 4.6.10).
 */
function readParameter(document: Node, parameter: Node): Omit<StepParameter, "keys"> {
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

/** The text after a prefix. `undefined` if the text has another prefix. */
function withoutStart(text: string, start: string): string | undefined {
  return text.startsWith(start) ? text.slice(start.length) : undefined;
}

function textOf(value: unknown): string {
  return stringOf(value) ?? "";
}
