import { query, type JsonValue } from "jsonpath-rfc9535";
import { attempt } from "../contract/failures.ts";
import { toText } from "../samples/parameterText.ts";
import { readDateTime } from "../values/dateTimes.ts";
import { elementsOf, isObject, mapStrings, membersOf, parseExactJson, pointerKeys, valueAt } from "../values/json.ts";
import { compilePattern, isMatching } from "../spec/patterns.ts";
import type { Criterion } from "./arazzo.ts";

type Values = Readonly<Record<string, unknown>>;
type Test = (values: ExpressionContext) => boolean;

/** The values for runtime expressions of a step. */
export interface ExpressionContext {
  readonly inputs: Values;
  /** Earlier steps by ID. */
  readonly steps: Readonly<Record<string, { readonly outputs: Values }>>;
  readonly statusCode?: number;
  /** Its headers have lower-case names. */
  readonly response?: { readonly header: Values; readonly body: unknown };
}

/**
 * The value of a runtime expression (Arazzo 1.0.1, section 4.7). An output or an input may be followed by
 * `#/a/b`.
 */
export function evaluate(expression: string, context: ExpressionContext): unknown {
  const keys = keysOfExpression(expression);
  return keys === undefined ? undefined : valueAt(context, keys);
}

/**
 * The keys in an {@link ExpressionContext} that a runtime expression leads to. `undefined` if the text isn't
 * an expression.
 */
export function keysOfExpression(text: string): readonly string[] | undefined {
  if (!text.startsWith("$")) return undefined;
  const end = text.indexOf("#");
  const [path, pointer] = end === -1 ? [text, "#"] : [text.slice(0, end), text.slice(end)];
  const words = path.slice(1).split(".");
  const source = words.slice(0, lengthOfSource(words));
  if (source.length === 0) return undefined;
  if (words.length === source.length) return [...source, ...pointerKeys(pointer)];
  // The rest after the source is one name, which may contain dots.
  const name = words.slice(source.length).join(".");
  if (name === "") return undefined;
  return [...source, source.at(-1) === "header" ? name.toLowerCase() : name, ...pointerKeys(pointer)];
}

/** How many words of an expression name its source, such as one for `inputs.name`. 0 if the source is unknown. */
function lengthOfSource([first, second = "", third]: readonly string[]): number {
  switch (first) {
    case "statusCode":
    case "inputs":
      return 1;
    case "response":
      return second === "header" || second === "body" ? 2 : 0;
    case "steps":
      return second !== "" && third === "outputs" ? 3 : 0;
    default:
      return 0;
  }
}

/**
 * Fills in the expressions in a literal. A text is either a whole expression, or contains expressions in
 * braces.
 */
export function fillExpressions(literal: unknown, context: ExpressionContext): unknown {
  return mapStrings(literal, (text) => {
    if (keysOfExpression(text) !== undefined) return evaluate(text, context);
    return text.replaceAll(/\{(\$[^{}]+)\}/g, (part, expression: string) => {
      return toText(evaluate(expression, context) ?? part);
    });
  });
}

/** The inputs, and the outputs of steps, that the runtime expressions in a literal need, each once. */
export function neededValues(literal: unknown) {
  const texts = textsIn(literal).join("{}");
  const inputs = Array.from(texts.matchAll(/\$inputs\.([^.#{}\s]+)/g), ([, name = ""]) => name);
  const outputs = Array.from(
    texts.matchAll(/\$steps\.([^.#{}\s]+)\.outputs\.([^.#{}\s]+)/g),
    ([key, step = "", output = ""]) => [key, { step, output }] as const,
  );
  return { inputs: [...new Set(inputs)], outputs: [...new Map(outputs).values()] };
}

/** The texts within a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  const members = isObject(value) ? membersOf(value).map(([, member]) => member) : elementsOf(value);
  return members.flatMap(textsIn);
}

/** Reads a criterion as a function of the values (Arazzo 1.0.1, section 4.6.11). Returns `undefined` if it isn't valid. */
export function readTest({ condition, context, type }: Omit<Criterion, "text">): Test | undefined {
  if (type === "simple") return readCondition(condition);
  if (context === undefined) return undefined;
  if (type === "regex")
    return compilePattern(condition) && ((values) => isMatching(condition, String(evaluate(context, values))));
  if (type !== "jsonpath" || attempt(() => query(null, condition)) === undefined) return undefined;
  return (values) => {
    const value = evaluate(context, values);
    // A filter at the root applies to an object itself, as in the example of Arazzo 1.0.1, section 4.6.11.4, and to the
    // items of a list (RFC 9535).
    const queried = condition.startsWith("$[?") && !Array.isArray(value) ? [value] : value;
    return isJsonValue(queried) && query(queried, condition).length > 0;
  };
}

/** Values of expressions come from JSON, unless they are missing. */
function isJsonValue(value: unknown): value is JsonValue {
  return value !== undefined;
}

/** A comparison in a simple condition, with its operands as written. */
interface Comparison {
  readonly left: string;
  readonly operator: string;
  readonly right: string;
}

/**
 * Reads a simple condition (Arazzo 1.0.1, section 4.6.12): comparisons joined by `&&`. Returns `undefined`
 * for anything else.
 */
export function readComparisons(text: string): readonly Comparison[] | undefined {
  const operand = String.raw`('(?:[^']|'')*'|[^\s=!<>&|()']+)`;
  const comparison = new RegExp(String.raw`\s*${operand}\s*([=!]=|[<>]=?)\s*${operand}\s*(&&(?=.)|$)`, "gy");
  const parts = [...text.matchAll(comparison)];
  const isWhole = parts.map(([part]) => part).join("") === text;
  if (!isWhole || !text.includes("$")) return undefined;
  return parts.map(([, left = "", operator = "", right = ""]) => ({ left, operator, right }));
}

function readCondition(text: string): Test | undefined {
  const tests: Test[] = [];
  for (const { left, operator, right } of readComparisons(text) ?? []) {
    const [first, second] = [readOperand(left), readOperand(right)];
    if (first === undefined || second === undefined) return undefined;
    tests.push((values) => compare(first(values), operator, second(values)));
  }
  return tests.length === 0 ? undefined : (values) => tests.every((test) => test(values));
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  const [first, second] = amountsOf(left, right);
  switch (operator) {
    case "==":
      return textOf(left) === textOf(right);
    case "!=":
      return textOf(left) !== textOf(right);
    case "<":
      return first < second;
    case "<=":
      return first <= second;
    case ">":
      return first > second;
    default:
      return first >= second;
  }
}

/** Two times, or two numbers, to compare. `NaN` for what is neither, which no comparison with `<` or `>` holds for. */
function amountsOf(left: unknown, right: unknown): readonly [number, number] {
  const [first, second] = [left, right].map((value) => (typeof value === "string" ? readDateTime(value) : undefined));
  return first === undefined || second === undefined ? [Number(left), Number(right)] : [first, second];
}

/** An expression or a literal. */
function readOperand(text: string): ((values: ExpressionContext) => unknown) | undefined {
  if (text.startsWith("$")) return (values) => evaluate(text, values);
  // A quote in a text is doubled (Arazzo 1.0.1, section 4.6.12.1).
  const value = text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : parseExactJson(text);
  return value === undefined ? undefined : () => value;
}

/**
 * Values are compared as texts, ignoring case (Arazzo 1.0.1, section 4.6.12.2), since inputs may be given as
 * texts. Times are compared as times.
 */
function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  const instant = readDateTime(text);
  return instant === undefined ? text.toLowerCase() : String(instant);
}
