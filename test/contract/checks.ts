import { isDeepStrictEqual } from "node:util";
import { jsonContent, successResponses, type Generation, type Operation } from "../../scripts/contract/generation.ts";
import { exampleRequest, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import { isObject, parseJson } from "../../scripts/spec/json.ts";
import { createExchangeCheck } from "../../scripts/verify/checkExchange.ts";
import type { Exchange } from "../../scripts/exchange/exchange.ts";
import {
  absentMethod,
  fieldsOf,
  hasField,
  insufficientSchemes,
  namesOf,
  requestSchema,
  responseExamples,
  rightParameters,
  variantsOf,
  wrongFields,
  wrongParameters,
} from "./cases.ts";
import { createValidator, type Validator } from "./validator.ts";

/** A statement of the contract, and what shows that a server keeps it. */
export interface Check {
  /** The operation or path that it is about. */
  readonly subject: string;
  readonly title: string;
  readonly expectations: readonly Expectation[];
}

export interface Expectation {
  readonly request: ExampleRequest;
  /** Status of the response; `undefined` for any success. */
  readonly status: number | undefined;
  /** The whole body of the response. A refusal without it has to be in words. */
  readonly body?: unknown;
  /** Says what is wrong with the body of the response. */
  readonly validate?: (body: unknown) => string | undefined;
  /** What the words of a refusal have to name. */
  readonly named?: string;
}

export type Send = (request: ExampleRequest) => Promise<Response>;

/** What a generation says of its operations, as requests and what has to come back. */
export function checksOf(generation: Generation): readonly Check[] {
  const { document, operations } = generation;
  const validator = createValidator(document);
  return [
    ...operations.flatMap((operation) => checksOfOperation(operation, validator)),
    ...Object.keys(document.paths ?? {}).flatMap((path) => checksOfPath(path, operations)),
  ];
}

/**
 * What a generation says of the values in bodies: of requests, for each field, several that it allows or does not; of
 * responses, those that it is asked to generate.
 */
export function valueChecksOf({ document, operations }: Generation): readonly Check[] {
  const validator = createValidator(document);
  return operations.flatMap((operation) => {
    const subject = nameOf(operation);
    const request = exampleRequest(operation);
    // Fields that no example has: those of a booking that was cancelled, for instance.
    const isShown = (keys: readonly string[]) => responseExamples(operation).some(({ value }) => hasField(value, keys));
    const fields = successResponses(operation).flatMap(({ content }) =>
      fieldsOf(operation, jsonContent(content)?.schema),
    );
    const generated = withPreference(request, "dynamic=true, seed=1");
    return [
      ...(responseExamples(operation).length === 0 || fields.every(({ keys }) => isShown(keys))
        ? []
        : [
            {
              subject,
              title: "generates what its examples do not have",
              expectations: [{ request: generated, ...successOf(operation, validator) }],
            },
          ]),
      ...variantsOf(operation, requestSchema(operation), request.body).map(({ pointer, values }) => ({
        subject,
        title: `judges values of "${pointer}"`,
        expectations: values.map((value) => judged(operation, validator, value)),
      })),
    ];
  });
}

function withPreference(request: ExampleRequest, prefer: string): ExampleRequest {
  return { ...request, headers: { ...request.headers, prefer } };
}

function checksOfOperation(operation: Operation, validator: Validator): readonly Check[] {
  const request = exampleRequest(operation);
  const bodies = jsonContent(operation.requestBody?.content)?.examples ?? [{ name: "none" }];
  const success = successOf(operation, validator);
  const check = (title: string, ...expectations: readonly Expectation[]): Check => {
    return { subject: nameOf(operation), title, expectations };
  };
  return [
    ...responseExamples(operation).map(({ code, status, example, value }) =>
      check(`answers ${status} with the example ${example}`, {
        request: withPreference(request, `example=${example}`),
        ...{ status, body: value, validate: validator.ofResponse(operation, code) },
      }),
    ),
    ...(operation.responses.some(({ status }) => status === "default")
      ? [check("fails when asked to", { request: withPreference(request, "code=500"), status: 500, body: {} })]
      : []),
    ...bodies.map(({ name }) =>
      check(`takes the example ${name} of its body`, {
        request: exampleRequest(operation, { body: name }),
        ...success,
      }),
    ),
    ...operation.security.map((schemes) =>
      check(`opens with ${namesOf(schemes)}`, { request: exampleRequest(operation, { schemes }), ...success }),
    ),
    ...insufficientSchemes(operation).map((schemes) =>
      check(`refuses what has only ${namesOf(schemes)}`, {
        request: exampleRequest(operation, { schemes }),
        status: 401,
      }),
    ),
    ...wrongParameters(operation).map(({ fault, named, request: sent }) =>
      check(`refuses ${fault}`, { request: sent, status: 422, named: `"name":"${named}"` }),
    ),
    ...(operation.requestBody?.required === true
      ? [check("refuses to be without its body", { request: { ...request, body: undefined }, status: 422 })]
      : []),
    check(
      "takes any other value of its parameters",
      ...rightParameters(operation).map((sent) => ({ request: sent, ...success })),
    ),
    ...wrongFields(operation).map(({ fault, named, request: { body } }) =>
      // A field may have any type only where an alternative of the body is open.
      check(`judges ${fault}`, { ...judged(operation, validator, body), named: `"pointer":"${named}"` }),
    ),
  ];
}

function nameOf({ operationId, name }: Operation): string {
  return operationId ?? name;
}

function successOf(operation: Operation, validator: Validator): Omit<Expectation, "request"> {
  const [{ status } = { status: "" }] = successResponses(operation);
  return { status: undefined, validate: validator.ofResponse(operation, status) };
}

/** A request with a body that is valid or not. */
function judged(operation: Operation, validator: Validator, body: unknown): Expectation {
  const request = { ...exampleRequest(operation), body };
  const isValid = validator.ofRequest(operation)(body) === undefined;
  return isValid ? { request, ...successOf(operation, validator) } : { request, status: 422 };
}

function checksOfPath(path: string, operations: readonly Operation[]): readonly Check[] {
  const target = path.replaceAll(/\{[^}]+\}/g, "1");
  const send = (method: string, below = "") => ({ method, target: target + below, headers: {}, body: undefined });
  return [
    {
      subject: path,
      title: "refuses a method that it does not have",
      expectations: [{ request: send(absentMethod(operations, path)), status: 405 }],
    },
    {
      subject: path,
      title: "refuses what lies below it",
      expectations: [{ request: send("GET", "/nowhere/at/all"), status: 404 }],
    },
  ];
}

/** What is wrong with the responses that a check gets, one after the other; `undefined` if nothing is. */
export async function failureOf({ expectations }: Check, send: Send, hasWords = true): Promise<string | undefined> {
  for (const expectation of expectations) {
    const response = await send(expectation.request);
    const text = await response.text();
    const failure = differenceOf(expectation, response, text, hasWords);
    if (failure !== undefined) return `${failure}, for ${JSON.stringify(expectation.request)}: ${text.slice(0, 500)}`;
  }
  return undefined;
}

function differenceOf(expectation: Expectation, response: Response, text: string, hasWords: boolean) {
  const { status, body: expected, validate, named } = expectation;
  const received = parseJson(text);
  if (status === undefined ? !response.ok : response.status !== status) {
    return `expected ${status ?? "success"}, but got ${response.status}`;
  }
  if (!response.ok && !hasWords) return undefined;
  if (!response.ok && expected === undefined) return wordsMissing(response, received, named);
  if (!(response.headers.get("content-type") ?? "").includes("application/json")) return "expected JSON";
  if (expected !== undefined && !isDeepStrictEqual(received, expected)) return "expected another body";
  return validate?.(received);
}

/** A refusal is in words (RFC 9457). */
function wordsMissing({ status, headers }: Response, problem: unknown, named = ""): string | undefined {
  const isProblem = headers.get("content-type")?.includes("application/problem+json") === true;
  if (!isProblem || !isObject(problem) || problem["status"] !== status) return "expected problem details";
  if (!/\w+ \w+/.test(String(problem["detail"]))) return "expected a detail in words";
  return JSON.stringify(problem).includes(named) ? undefined : `expected ${named} to be named`;
}

/** A statement of the contract on responses, and exchanges that keep it or not. */
export interface ResponseCheck extends Pick<Check, "subject" | "title"> {
  readonly exchanges: readonly { readonly exchange: Exchange; readonly isRight: boolean }[];
}

/** What a generation says of its responses: statuses, media types, and for each field what it allows or does not. */
export function responseChecksOf({ document, operations }: Generation): readonly ResponseCheck[] {
  const validator = createValidator(document);
  return operations.flatMap((operation) => {
    const { responses } = operation;
    const subject = nameOf(operation);
    const [first = { status: 0, value: {} }] = responseExamples(operation);
    const respond = (status: number, value: unknown, type = "application/json") =>
      exchangeOf(operation, status, value, type);
    const isDeclared = (status: number) =>
      responses.some((one) => one.status === String(status) || one.status === `${String(status).charAt(0)}XX`) ||
      (status >= 400 && responses.some((one) => one.status === "default"));
    const [success = 0] = [first.status, 200, 201].filter(isDeclared);
    return [
      {
        subject,
        title: "judges statuses",
        exchanges: [200, 201, 202, 299, 302, 400, 401, 404, 500].map((status) => ({
          exchange: respond(status, first.value),
          isRight: isDeclared(status),
        })),
      },
      {
        subject,
        title: "judges media types",
        exchanges: ["application/json", "application/json; charset=utf-8", "application/xml"].map((type) => ({
          exchange: respond(success, first.value, type),
          isRight: type !== "application/xml",
        })),
      },
      ...successResponses(operation).flatMap(({ status: code, content }) =>
        responseExamples(operation)
          .filter((example) => example.code === code)
          .flatMap(({ status, value }) =>
            variantsOf(operation, jsonContent(content)?.schema, value).map(({ pointer, values }) => ({
              subject,
              title: `judges values of "${pointer}" in responses`,
              exchanges: values.map((variant) => ({
                exchange: respond(status, variant),
                isRight: validator.ofResponse(operation, code)(variant) === undefined,
              })),
            })),
          ),
      ),
    ];
  });
}

function exchangeOf(operation: Operation, status: number, value: unknown, type: string): Exchange {
  const { method, target, headers, body } = exampleRequest(operation);
  return {
    ...{ method, url: `http://localhost${target}` },
    request: { headers: Object.entries(headers), body: body === undefined ? undefined : bytesOf(body) },
    response: { status, headers: [["content-type", type]], body: bytesOf(value) },
  };
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** The first exchange that is misjudged; `undefined` if none is. `judge` gives what contradicts the contract in one. */
export function misjudgedOf(
  { exchanges }: ResponseCheck,
  judge: (exchange: Exchange) => readonly string[],
): string | undefined {
  for (const { exchange, isRight } of exchanges) {
    const contradictions = judge(exchange);
    if (isRight === (contradictions.length === 0)) continue;
    const { status, body } = exchange.response ?? {};
    return `${isRight ? contradictions.join(", ") : "not noticed"}: ${status ?? ""} ${Buffer.from(body ?? [])
      .toString()
      .slice(0, 500)}`;
  }
  return undefined;
}

/** Makes what finds the contradictions in an exchange, as `npm run verify` does. */
export function createJudge(generation: Generation): (exchange: Exchange) => readonly string[] {
  const check = createExchangeCheck({ generation, server: undefined }, true);
  return (exchange) => {
    const found = check(exchange)?.observations ?? [
      { kind: "contradiction", message: "the contract has no such operation" },
    ];
    return found.filter(({ kind }) => kind === "contradiction").map(({ message }) => message);
  };
}
