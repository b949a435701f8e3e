import { query, type JsonValue } from "jsonpath-rfc9535";
import { attempt } from "../contract/failures.ts";
import { readDateTime } from "../spec/dateTimes.ts";
import { isObject, mapMembers, parseJson, pointerKeys, valueAt } from "../spec/json.ts";
import type { ArazzoStep } from "./arazzo.ts";

type Values = Readonly<Record<string, unknown>>;
type Criterion = Pick<ArazzoStep["successCriteria"][number], "condition" | "context" | "type">;
type Test = (values: ExpressionContext) => boolean;

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

const operators: ReadonlyMap<string, (left: unknown, right: unknown) => boolean> = new Map([
  ["==", (left, right) => textOf(left) === textOf(right)],
  ["!=", (left, right) => textOf(left) !== textOf(right)],
  ["<", (left, right) => Number(left) < Number(right)],
  ["<=", (left, right) => Number(left) <= Number(right)],
  [">", (left, right) => Number(left) > Number(right)],
  [">=", (left, right) => Number(left) >= Number(right)],
]);

/** Reads a criterion as a function of the values (Arazzo 1.0.1, section 4.6.11); `undefined` if it is none. */
export function readTest({ condition, context, type }: Criterion): Test | undefined {
  if (type === "simple") return readCondition(condition);
  if (context === undefined) return undefined;
  if (type === "regex") {
    const pattern = attempt(() => new RegExp(condition));
    return pattern && ((values) => pattern.test(String(evaluate(context, values))));
  }
  if (type !== "jsonpath" || attempt(() => query(null, condition)) === undefined) return undefined;
  return (values) => {
    const value = evaluate(context, values);
    // A filter at the root is meant for the value itself (Arazzo 1.0.1, section 4.6.12), not for its members (RFC 9535).
    const queried = condition.startsWith("$[?") ? [value] : value;
    return isJsonValue(queried) && query(queried, condition).length > 0;
  };
}

/** What expressions stand for comes from JSON, if it is there. */
function isJsonValue(value: unknown): value is JsonValue {
  return value !== undefined;
}

/** A simple condition (Arazzo 1.0.1, section 4.6.12): comparisons, with `&&` between them. */
function readCondition(text: string): Test | undefined {
  const operand = String.raw`('(?:[^']|'')*'|[^\s=!<>&|()']+)`;
  const comparison = new RegExp(String.raw`\s*${operand}\s*([=!]=|[<>]=?)\s*${operand}\s*(&&(?=.)|$)`, "gy");
  const parts = [...text.matchAll(comparison)];
  const isWhole = parts.map(([part]) => part).join("") === text;
  const tests = parts.flatMap(([, left = "", operator = "", right = ""]): readonly Test[] => {
    const [first, second] = [readOperand(left), readOperand(right)];
    const compare = operators.get(operator);
    if (first === undefined || second === undefined || compare === undefined) return [];
    return [(values) => compare(first(values), second(values))];
  });
  const isUsable = isWhole && text.includes("$") && tests.length === parts.length;
  return isUsable ? (values) => tests.every((test) => test(values)) : undefined;
}

/** An expression or a literal. */
function readOperand(text: string): ((values: ExpressionContext) => unknown) | undefined {
  if (text.startsWith("$")) return (values) => evaluate(text, values);
  // A quote in a text is doubled (Arazzo 1.0.1, section 4.6.12.1).
  const value = text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : parseJson(text);
  return value === undefined ? undefined : () => value;
}

/** Values are compared as texts, in any case (Arazzo 1.0.1, section 4.6.12.2): inputs may be given as texts. Times are not. */
function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  const instant = readDateTime(text);
  return instant === undefined ? text.toLowerCase() : String(instant);
}
