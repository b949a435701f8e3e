import { pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { elementsOf, isObject } from "../spec/json.ts";
import type { ArazzoStep } from "./arazzo.ts";

/** Values that runtime expressions of a step can refer to. */
export interface ExpressionContext {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The outputs of earlier steps, by step and name. */
  readonly steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly request?: ExpressionMessage & { readonly path: Values; readonly query: Values };
  readonly response?: ExpressionMessage & { readonly statusCode: number | undefined };
}

interface ExpressionMessage {
  /** By names in lower case. */
  readonly header: Values;
  readonly body: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The value of a runtime expression (Arazzo 1.0.1, section 4.7); `undefined` if the context does not have it.
 * Where `redocly respect` (@redocly/cli 2.77) writes `#/a/b` behind an output or an input too, so may the expression.
 */
export function evaluate(expression: string, { inputs, steps, request, response }: ExpressionContext): unknown {
  const [path = "", pointer] = expression.split("#", 2);
  const [source = "", ...names] = path.split(".");
  const [first = "", second = "", ...rest] = names;
  const messages: Readonly<Record<string, ExpressionMessage | undefined>> = { $request: request, $response: response };
  const value = (): unknown => {
    if (source === "$statusCode") return response?.statusCode;
    if (source === "$inputs") return inputs[names.join(".")];
    if (source === "$steps") return second === "outputs" ? steps[first]?.[rest.join(".")] : undefined;
    const name = names.slice(1).join(".");
    if (first === "body") return messages[source]?.body;
    return valueAt(messages[source], [first, first === "header" ? name.toLowerCase() : name]);
  };
  return pointer === undefined ? value() : valueAt(value(), pointerKeys(`#${pointer}`));
}

/** A literal with the values of its expressions, which may be all of a text or, in braces, parts of it. */
export function fillExpressions(literal: unknown, context: ExpressionContext): unknown {
  if (Array.isArray(literal)) return literal.map((element) => fillExpressions(element, context));
  if (isObject(literal)) return fillMembers(literal, context);
  if (typeof literal !== "string") return literal;
  if (isExpression(literal)) return evaluate(literal, context) ?? literal;
  return literal.replaceAll(/\{(\$[^{}]+)\}/g, (text, expression: string) => {
    const value = evaluate(expression, context);
    if (value === undefined) return text;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** The members of an object with the values of their expressions. */
export function fillMembers(members: Values, context: ExpressionContext): Values {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, fillExpressions(value, context)]));
}

export function isExpression(value: string): boolean {
  return /^\$(?:inputs|steps|request|response|statusCode|url|method)\b/.test(value);
}

/** The body that a step sends: its payload with the values of expressions, and with its replacements. */
export function fillBody(
  { payload, replacements }: NonNullable<ArazzoStep["requestBody"]>,
  context: ExpressionContext,
): unknown {
  return replacements.reduce(
    (body, { target, value }) => withValueAt(body, pointerKeys(target), fillExpressions(value, context)),
    fillExpressions(payload, context),
  );
}

/** A copy of a value in which another is at the place that some keys lead to. Without such a place, it is as it was. */
function withValueAt(target: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(target)) {
    const elements = elementsOf(target);
    return elements.map((element, index) => (String(index) === key ? withValueAt(element, rest, value) : element));
  }
  return isObject(target) ? { ...target, [key]: withValueAt(target[key], rest, value) } : target;
}
