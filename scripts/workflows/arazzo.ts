import { resolve } from "../spec/references.ts";
import { elementsOf, isObject } from "../spec/json.ts";

/** What an Arazzo 1.0 description says, with references to its components resolved and inherited values filled in. */
export interface ArazzoDescription {
  /** The URLs of the OpenAPI descriptions that it uses, by their names. */
  readonly sources: ReadonlyMap<string, string>;
  readonly workflows: readonly ArazzoWorkflow[];
}

export interface ArazzoWorkflow {
  readonly id: string;
  /** Its summary, or its ID if it has none. */
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly inputs: readonly WorkflowInput[];
  readonly steps: readonly ArazzoStep[];
}

export interface WorkflowInput {
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  /** A JSON Schema type; empty if any value is allowed. */
  readonly type: string;
  /** `undefined` if whoever runs the workflow must give it. */
  readonly default: unknown;
  readonly isSecret: boolean;
}

export interface ArazzoStep {
  readonly id: string;
  /** Markdown. */
  readonly description: string;
  /** One of these two names the operation; neither does if the step runs another workflow. */
  readonly operationId: string | undefined;
  readonly operationPath: string | undefined;
  /** Those of the workflow and of the step, which override the former. */
  readonly parameters: readonly StepParameter[];
  readonly requestBody: StepRequestBody | undefined;
  /** The credentials to send: what the `x-security` of the workflow and of the step says. */
  readonly credentials: readonly StepCredential[];
  readonly successCriteria: readonly Criterion[];
  readonly outputs: readonly StepOutput[];
}

/** A parameter of a step. Its value is a literal or a runtime expression (Arazzo 1.0.1, section 4.7). */
interface StepParameter {
  readonly name: string;
  readonly in: string;
  readonly value: unknown;
}

/** The body of a step's request, with literals and runtime expressions in it. */
export interface StepRequestBody {
  readonly contentType: string | undefined;
  readonly payload: unknown;
  readonly replacements: readonly { readonly target: string; readonly value: unknown }[];
}

interface StepCredential {
  /** The name of a security scheme; empty if `x-security` has the scheme itself. */
  readonly schemeName: string;
  /** The parts of the credential, such as `token`: literals or runtime expressions. */
  readonly values: Readonly<Record<string, unknown>>;
}

interface Criterion {
  readonly condition: string;
  /** What a condition that is no simple one is applied to. */
  readonly context: string | undefined;
}

export interface StepOutput {
  readonly name: string;
  readonly expression: string;
}

/** Tells whether a parsed value is an Arazzo 1.0 description. Only its outermost shape is checked. */
export function isArazzo(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && String(value["arazzo"]).startsWith("1.0.") && Array.isArray(value["workflows"]);
}

/** Reads an Arazzo description. What lint would refuse is left out, or empty. Throws for references that lead nowhere. */
export function readArazzo(document: Readonly<Record<string, unknown>>): ArazzoDescription {
  const sources = elementsOf(document["sourceDescriptions"]).filter(isObject);
  return {
    sources: new Map(
      sources.filter(({ type }) => type !== "arazzo").map(({ name, url }) => [textOf(name), textOf(url)]),
    ),
    workflows: elementsOf(document["workflows"])
      .filter(isObject)
      .map((workflow) => readWorkflow(document, workflow)),
  };
}

type Node = Readonly<Record<string, unknown>>;

function readWorkflow(document: Node, workflow: Node): ArazzoWorkflow {
  const id = textOf(workflow["workflowId"]);
  return {
    id,
    title: textOf(workflow["summary"]) || id,
    description: textOf(workflow["description"]),
    inputs: readInputs(document, workflow["inputs"]),
    steps: elementsOf(workflow["steps"])
      .filter(isObject)
      .map((step) => readStep(document, workflow, step)),
  };
}

function readInputs(document: Node, written: unknown): readonly WorkflowInput[] {
  if (!isObject(written)) return [];
  const { properties } = resolve(document, written);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, referenced]) => {
    const schema = isObject(referenced) ? resolve(document, referenced) : {};
    return {
      name,
      description: textOf(schema["description"]),
      type: [schema["type"]].flat().map(textOf).join(" or "),
      default: schema["default"],
      isSecret: schema["format"] === "password",
    };
  });
}

function readStep(document: Node, workflow: Node, step: Node): ArazzoStep {
  const { operationId, operationPath, outputs, requestBody } = step;
  const inherited = [...elementsOf(workflow["parameters"]), ...elementsOf(step["parameters"])];
  const parameters = inherited.filter(isObject).map((parameter) => readParameter(document, parameter));
  return {
    id: textOf(step["stepId"]),
    description: textOf(step["description"]),
    operationId: typeof operationId === "string" ? operationId : undefined,
    operationPath: typeof operationPath === "string" ? operationPath : undefined,
    parameters: [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()],
    requestBody: isObject(requestBody) ? readRequestBody(requestBody) : undefined,
    credentials: [...elementsOf(workflow["x-security"]), ...elementsOf(step["x-security"])]
      .filter(isObject)
      .map(({ schemeName, values }) => ({
        schemeName: textOf(schemeName).replace(/^\$sourceDescriptions\.[^.]+\./, ""),
        values: isObject(values) ? values : {},
      })),
    successCriteria: elementsOf(step["successCriteria"]).filter(isObject).map(readCriterion),
    outputs: Object.entries(isObject(outputs) ? outputs : {}).map(([name, expression]) => ({
      name,
      expression: textOf(expression),
    })),
  };
}

/** A parameter, or a reference to one among the components that may give it another value (Arazzo 1.0.1, 4.6.10). */
function readParameter(document: Node, parameter: Node): StepParameter {
  const { reference } = parameter;
  const [, key = ""] = /^\$components\.parameters\.(.+)$/.exec(textOf(reference)) ?? [];
  const components = isObject(document["components"]) ? document["components"]["parameters"] : undefined;
  const component = isObject(components) && isObject(components[key]) ? components[key] : {};
  const { name, in: place, value } = { ...component, ...parameter };
  return { name: textOf(name), in: textOf(place), value };
}

function readRequestBody({ contentType, payload, replacements }: Node): StepRequestBody {
  return {
    contentType: typeof contentType === "string" ? contentType : undefined,
    payload,
    replacements: elementsOf(replacements)
      .filter(isObject)
      .map(({ target, value }) => ({ target: textOf(target), value })),
  };
}

function readCriterion({ condition, context }: Node): Criterion {
  return {
    condition: textOf(condition),
    context: typeof context === "string" ? context : undefined,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
