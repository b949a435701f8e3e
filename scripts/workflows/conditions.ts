import { query, type JsonValue } from "jsonpath-rfc9535";
import { attempt } from "../contract/failures.ts";
import { parseJson } from "../spec/json.ts";
import type { ArazzoStep } from "./arazzo.ts";
import { evaluate, type ExpressionContext } from "./expressions.ts";

type Criterion = ArazzoStep["successCriteria"][number];
type Operand = (context: ExpressionContext) => unknown;

/** Operators, with how strongly they bind. */
const operators: ReadonlyMap<string, readonly [strength: number, apply: (left: unknown, right: unknown) => boolean]> =
  new Map([
    ["||", [1, (left, right) => Boolean(left) || Boolean(right)]],
    ["&&", [2, (left, right) => Boolean(left) && Boolean(right)]],
    ["==", [3, (left, right) => textOf(left) === textOf(right)]],
    ["!=", [3, (left, right) => textOf(left) !== textOf(right)]],
    ["<", [4, (left, right) => Number(left) < Number(right)]],
    ["<=", [4, (left, right) => Number(left) <= Number(right)]],
    [">", [4, (left, right) => Number(left) > Number(right)]],
    [">=", [4, (left, right) => Number(left) >= Number(right)]],
  ]);

/** Reads a simple condition (Arazzo 1.0.1, section 4.6.12), as a function of the values; `undefined` if it is none. */
export function readCondition(text: string): Operand | undefined {
  const tokens = text.match(/&&|\|\||[=!<>]=|[<>!()]|'(?:[^']|'')*'|[^\s=!<>&|()']+/g) ?? [];
  const isWhole = tokens.join("").replaceAll(/\s/g, "") === text.replaceAll(/\s/g, "");

  const next = () => operators.get(tokens[0] ?? "") ?? ([0, () => false] as const);
  const binary = (weakest = 1): Operand => {
    let operand = unary();
    for (let [strength, apply] = next(); strength >= weakest; [strength, apply] = next()) {
      tokens.shift();
      const [left, compute, right] = [operand, apply, binary(strength + 1)];
      operand = (context) => compute(left(context), right(context));
    }
    return operand;
  };
  const unary = (): Operand => {
    const first = tokens.shift() ?? "";
    if (first === "!") {
      const operand = unary();
      return (context) => !operand(context);
    }
    if (first !== "(") return readOperand(first);
    const inner = binary();
    if (tokens.shift() !== ")") throw new SyntaxError("a bracket is not closed");
    return inner;
  };
  const condition = isWhole && text.includes("$") ? attempt(() => binary()) : undefined;
  return tokens.length === 0 ? condition : undefined;
}

/** Tells whether a criterion holds. Those with XPath are taken to hold. */
export function holds({ condition, context, type }: Criterion, values: ExpressionContext): boolean {
  if (context === undefined) return Boolean(readCondition(condition)?.(values) ?? true);
  const value = evaluate(context, values);
  if (type === "regex") return new RegExp(condition).test(String(value));
  if (type !== "jsonpath") return true;
  // A filter at the root is meant for the value itself (Arazzo 1.0.1, section 4.6.12), not for its members (RFC 9535).
  const queried = condition.startsWith("$[?") ? [value] : value;
  return isJsonValue(queried) && query(queried, condition).length > 0;
}

/** What expressions stand for comes from JSON, if it is there. */
function isJsonValue(value: unknown): value is JsonValue {
  return value !== undefined;
}

/** An expression or a literal. Throws for anything else. */
function readOperand(text: string): Operand {
  if (text.startsWith("$")) return (context) => evaluate(text, context);
  // A quote in a text is doubled (Arazzo 1.0.1, section 4.6.12.1).
  const value = text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : parseJson(text);
  if (value === undefined) throw new SyntaxError("neither an expression nor a literal");
  return () => value;
}

/** Values are compared as texts, in any case (Arazzo 1.0.1, section 4.6.12.2): inputs may be given as texts. Times are not. */
function textOf(value: unknown): string {
  const instant = instantOf(value);
  if (instant !== undefined) return String(instant);
  return (typeof value === "string" ? value : JSON.stringify(value ?? null)).toLowerCase();
}

/** The instant of a date-time (RFC 3339, section 5.6), in milliseconds; `undefined` if a value is none. */
function instantOf(value: unknown): number | undefined {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(String(value));
  const instant = isTime ? Date.parse(String(value)) : NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
