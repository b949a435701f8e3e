import type { Operation } from "../../contract/generation.ts";
import { evaluateSource, readExpression } from "../../contract/resourceExtension.ts";
import { createReader } from "../../exchange/valueReader.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import { elementsOf, mapStrings, membersOf } from "../../values/json.ts";
import type { ReceivedRequest } from "../mockTypes.ts";
import { violationAt } from "./rules.ts";

const beginning = "$request.";
const embedded = /\{(\$request\.[^{}]+)\}/g;

/** Returns whether a value contains runtime expressions for parts of the request. */
export function copiesRequest(value: unknown): boolean {
  return expressionsIn(value).length > 0;
}

/**
 * Fills in the runtime expressions (OpenAPI 3.1.1, section 4.8.20.4) in a value. A string that is an expression
 * becomes the part of the request, and a parameter has the type that the contract gives it. In other strings,
 * expressions are in braces. Members whose part the request lacks are left out.
 */
export function fillFromRequest(value: unknown, request: ReceivedRequest, operation: Operation): unknown {
  if (!copiesRequest(value)) return value;
  const filled = mapStrings(value, (text) => {
    if (text.startsWith(beginning)) return partOf(text, request, operation);
    return text.replaceAll(embedded, (_, expression: string) => {
      const part = partOf(expression, request, operation) ?? "";
      return typeof part === "string" ? part : JSON.stringify(part);
    });
  });
  return filled === undefined ? undefined : JSON.parse(JSON.stringify(filled));
}

/** Finds expressions for parts that requests for an operation never have. The value is at `pointer` in the rule. */
export function expressionViolations(value: unknown, pointer: string, operation: Operation): readonly FoundViolation[] {
  return expressionsIn(value).flatMap((expression) => {
    const part = readExpression(expression);
    const names = operation.parameters.filter((one) => one.in === part?.in).map(({ name }) => name);
    if (part?.in === "header" || (part?.in === "body" && operation.requestBody !== undefined)) return [];
    if (part !== undefined && part.in !== "body" && names.includes(part.name)) return [];
    const known = part !== undefined && names.length > 0 ? `: its ${part.in} has ${names.join(", ")}` : "";
    const message = `${pointer}: "${maskAndCut(expression)}" is not a part of this operation's requests${known}.`;
    return [violationAt(pointer, message, names)];
  });
}

function expressionsIn(value: unknown): readonly string[] {
  if (typeof value !== "string") {
    const members = Array.isArray(value) ? elementsOf(value) : membersOf(value).map(([, member]) => member);
    return members.flatMap(expressionsIn);
  }
  if (value.startsWith(beginning)) return [value];
  return Array.from(value.matchAll(embedded), ([, expression = ""]) => expression);
}

/** A part of a request. A parameter has the type that the contract gives it. */
function partOf(expression: string, received: ReceivedRequest, operation: Operation): unknown {
  const part = readExpression(expression);
  const sent = part && evaluateSource(expression, received);
  if (part === undefined || part.in === "body" || (typeof sent !== "string" && !Array.isArray(sent))) return sent;
  const parameter = operation.parameters.find((one) => one.in === part.in && one.name === part.name);
  return parameter?.isText === true ? createReader(parameter.schema, operation.document)(sent)?.value : sent;
}
