import { resolve } from "../spec/openapi.ts";
import { isObject, mapMembers, membersOf, objectsOf, stringOf, valueAt } from "../spec/json.ts";
import { typesOf } from "../spec/schemas.ts";

/** An Arazzo 1.0 description, with references to its components resolved and inherited values filled in. */
export type ArazzoDescription = ReturnType<typeof readArazzo>;
export type WorkflowInput = ReturnType<typeof readInputs>[number];
export type ArazzoStep = ReturnType<typeof readStep>;

type Node = Readonly<Record<string, unknown>>;

/** Tells whether a parsed value is an Arazzo 1.0 description. Only its outermost shape is checked. */
export function isArazzo(value: unknown): value is Node {
  return isObject(value) && String(value["arazzo"]).startsWith("1.0.") && Array.isArray(value["workflows"]);
}

/** Reads an Arazzo description. What lint would refuse is left out, or empty. Throws for references that lead nowhere. */
export function readArazzo(document: Node) {
  const sources = objectsOf(document["sourceDescriptions"]).filter(({ type }) => type !== "arazzo");
  return {
    /** The URLs of the OpenAPI descriptions that it uses, by their names. */
    sources: new Map(sources.map(({ name, url }) => [textOf(name), textOf(url)])),
    workflows: objectsOf(document["workflows"]).map((workflow) => readWorkflow(document, workflow)),
  };
}

function readWorkflow(document: Node, workflow: Node) {
  const id = textOf(workflow["workflowId"]);
  return {
    id,
    title: textOf(workflow["summary"]) || id,
    description: textOf(workflow["description"]),
    inputs: readInputs(document, workflow["inputs"]),
    steps: objectsOf(workflow["steps"]).map((step) => readStep(document, workflow, step)),
  };
}

function readInputs(document: Node, written: unknown) {
  const schema = isObject(written) ? resolve(document, written) : {};
  return membersOf(schema["properties"]).map(([name, referenced]) => {
    const property = isObject(referenced) ? resolve(document, referenced) : {};
    return {
      name,
      description: textOf(property["description"]),
      /** `undefined` if whoever runs the workflow must give it. */
      default: property["default"],
      isSecret: property["format"] === "password",
      isText: property["type"] === undefined || typesOf(property).includes("string"),
    };
  });
}

function readStep(document: Node, workflow: Node, step: Node) {
  const inBoth = (field: string) => [workflow, step].flatMap((one) => objectsOf(one[field]));
  const parameters = inBoth("parameters").map((parameter) => readParameter(document, parameter));
  return {
    id: textOf(step["stepId"]),
    description: textOf(step["description"]),
    /** One of these two names the operation; neither does if the step runs another workflow. */
    operationId: stringOf(step["operationId"]),
    operationPath: stringOf(step["operationPath"]),
    /** Those of the workflow and of the step, which override the former. */
    parameters: [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()],
    /** The body to send; without one, the contract's example is sent. */
    payload: valueAt(step, ["requestBody", "payload"]),
    /** The media type of the body; the contract's JSON or first one without it. */
    contentType: stringOf(valueAt(step, ["requestBody", "contentType"])),
    /** The credentials to send: what the `x-security` of the workflow and of the step says. */
    credentials: inBoth("x-security").map(({ schemeName, values }) => ({
      /** The name of a security scheme; empty if `x-security` has the scheme itself. */
      schemeName: textOf(schemeName).replace(/^\$sourceDescriptions\.[^.]+\./, ""),
      /** The parts of the credential, such as `token`: literals or runtime expressions. */
      values: mapMembers(values, (value) => value),
    })),
    successCriteria: objectsOf(step["successCriteria"]).map(readCriterion),
    outputs: membersOf(step["outputs"]).map(([name, expression]) => ({ name, expression: textOf(expression) })),
  };
}

/** A parameter, or a reference to one among the components that may give it another value (Arazzo 1.0.1, 4.6.10). */
function readParameter(document: Node, parameter: Node) {
  const [, key = ""] = /^\$components\.parameters\.(.+)$/.exec(textOf(parameter["reference"])) ?? [];
  const component = valueAt(document, ["components", "parameters", key]);
  const { name, in: place, value } = { ...(isObject(component) ? component : {}), ...parameter };
  // The value is a literal or a runtime expression (Arazzo 1.0.1, section 4.7).
  return { name: textOf(name), in: textOf(place), value };
}

export function readCriterion({ condition, context, type = "simple" }: Node) {
  const applied = stringOf(context);
  return {
    /** The condition; one that is no simple condition follows what it is applied to. */
    text: applied === undefined ? textOf(condition) : `${applied}: ${textOf(condition)}`,
    condition: textOf(condition),
    context: applied,
    type: isObject(type) ? type["type"] : type,
  };
}

function textOf(value: unknown): string {
  return stringOf(value) ?? "";
}
