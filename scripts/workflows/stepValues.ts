/* What a step sends, and what comes of it. Pages run steps too, so nothing here needs Node. */
import { base64 } from "../contract/security.ts";
import { countOf } from "../values/text.ts";
import { mapMembers, parseExactJson, stringOf, valueAt } from "../values/json.ts";
import { describeValue } from "../exchange/describeValue.ts";
import type { ArazzoStep } from "./arazzo.ts";
import { evaluate, readTest, type ExpressionContext } from "./expressions.ts";

/** Puts values in the place of the runtime expressions in a literal. */
export type Fill = (literal: unknown) => unknown;

/** The response to a step's request: plain data, which can be kept as JSON. */
export interface StepResponse {
  readonly status: number;
  /** Those that the contract describes, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of a body that is JSON, or the text of another; absent if there is none. */
  readonly body?: unknown;
}

/** The body of a step's request: a text may be JSON once it's filled. */
export function fillBody(payload: unknown, fill: Fill): unknown {
  const filled = fill(payload);
  return typeof filled === "string" ? (parseExactJson(filled) ?? filled) : filled;
}

/** A credential with the values that `x-security` has for its parts; without any, its example. */
export function fillCredential<Credential extends { readonly example: string }>(
  credential: Credential,
  values: Readonly<Record<string, unknown>>,
  fill: Fill,
): Credential {
  const { username, password, ...others } = mapMembers(values, (part) => fill(part));
  const [value = credential.example] = Object.values(others);
  const pair = base64(`${String(username)}:${String(password)}`);
  return { ...credential, example: username === undefined ? String(value) : pair };
}

/**
 * What comes of a step that was run with the values of its context: its outputs, of which some may be `given`, and what the response lacks: criteria that do not hold, or else
 * outputs without a value, with the keys that lead to them in the step.
 */
export function readOutcome(
  step: Pick<ArazzoStep, "successCriteria" | "outputs">,
  context: ExpressionContext,
  { status: statusCode, headers: header, body }: StepResponse,
  given: Readonly<Record<string, unknown>> = {},
) {
  const after = { ...context, statusCode, response: { header, body } };
  const outputs = Object.fromEntries(
    step.outputs.map(({ name, expression }) => [name, given[name] ?? evaluate(expression, after)]),
  );
  const unmet = step.successCriteria.flatMap((criterion, index) =>
    readTest(criterion)?.(after) === false
      ? [{ keys: ["successCriteria", String(index), "condition"], text: criterion.text }]
      : [],
  );
  const missing = step.outputs
    .filter(({ name }) => outputs[name] === undefined)
    .map(({ name, expression }) => ({ keys: ["outputs", name], text: expression }));
  return { outputs, lacks: unmet.length > 0 ? unmet : missing };
}

/** The values of the expressions in a condition that concern the response, or else the response. */
export function describeAnswer(condition: string, response: StepResponse): string {
  const { status, body } = response;
  const values = valuesIn(condition, response);
  const texts = values.map(inWords);
  // Of a body that is a long text, the summary says no more.
  const isShown = values.some(({ expression, value }) => expression === "$response.body" && isLong(value));
  if ((values.length === 0 || status >= 400) && body !== undefined && !isShown) texts.push(summaryOf(body));
  return texts.join(", ") || "the body is empty";
}

/** The values of the expressions in a condition that concern the response: each as `$statusCode is 404`. */
export function describeValues(condition: string, response: StepResponse): readonly string[] {
  return valuesIn(condition, response).map(inWords);
}

/** An expression that concerns a response, and its value there. */
interface ExpressionValue {
  readonly expression: string;
  readonly value: unknown;
}

function valuesIn(condition: string, { status, headers, body }: StepResponse): readonly ExpressionValue[] {
  const expressions = new Set(condition.match(/\$(?:statusCode|response\.[^\s=<>!)&|:]+)/g));
  const context = { inputs: {}, steps: {}, statusCode: status, response: { header: headers, body } };
  return Array.from(expressions, (expression) => ({ expression, value: evaluate(expression, context) }));
}

function inWords({ expression, value }: ExpressionValue): string {
  if (isLong(value)) return `${expression} is ${lengthOf(value)}`;
  return `${expression} is ${value === undefined ? "not there" : describeValue({ value, path: expression })}`;
}

function summaryOf(body: unknown): string {
  // Of problem details (RFC 9457), the explanation is enough.
  const detail = stringOf(valueAt(body, ["detail"]));
  if (detail !== undefined) return `the problem is: ${detail}`;
  return `the body is ${typeof body === "string" ? lengthOf(body) : describeValue({ value: body, path: "" })}`;
}

/** Longer texts, such as web pages, are only described. */
const maxTextLength = 200;

function isLong(value: unknown): value is string {
  return typeof value === "string" && value.length > maxTextLength;
}

function lengthOf(text: string): string {
  return `a text of ${countOf(text.length, "character")}`;
}
