import { isObject, mapMembers } from "../spec/json.ts";
import { pointerKeys, valueAt } from "../spec/jsonPointer.ts";

type Values = Readonly<Record<string, unknown>>;

/** Values that runtime expressions of a step can refer to. */
export interface ExpressionContext {
  readonly inputs: Values;
  /** Earlier steps, by their IDs. */
  readonly steps: Readonly<Record<string, { readonly outputs: Values }>>;
  readonly statusCode?: number;
  /** Its headers have names in lower case. */
  readonly response?: { readonly header: Values; readonly body: unknown };
}

const expressionPattern =
  /^\$(statusCode|inputs|steps\.[^.#]+\.outputs|response\.(?:header|body))(?:\.([^#]+))?(?:#(.*))?$/;

/** The value of a runtime expression (Arazzo 1.0.1, section 4.7), also with `#/a/b` behind an output or an input. */
export function evaluate(expression: string, context: ExpressionContext): unknown {
  const [, source, name, pointer = ""] = expressionPattern.exec(expression) ?? [];
  if (source === undefined) return undefined;
  const named = source === "response.header" ? name?.toLowerCase() : name;
  const keys = named === undefined ? source.split(".") : [...source.split("."), named];
  return valueAt(context, [...keys, ...pointerKeys(`#${pointer}`)]);
}

/** A literal with the values of its expressions, which may be all of a text or, in braces, parts of it. */
export function fillExpressions(literal: unknown, context: ExpressionContext): unknown {
  if (Array.isArray(literal)) return literal.map((element) => fillExpressions(element, context));
  if (isObject(literal)) return mapMembers(literal, (member) => fillExpressions(member, context));
  if (typeof literal !== "string") return literal;
  if (expressionPattern.test(literal)) return evaluate(literal, context);
  return literal.replaceAll(/\{(\$[^{}]+)\}/g, (text, expression: string) => {
    const value = evaluate(expression, context) ?? text;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
