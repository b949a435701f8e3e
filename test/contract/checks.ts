import { isDeepStrictEqual } from "node:util";
import { jsonContent, successResponses, type Generation, type Operation } from "../../scripts/contract/generation.ts";
import { exampleRequest, type ExampleRequest } from "../../scripts/samples/exampleRequest.ts";
import { isObject, parseJson } from "../../scripts/spec/json.ts";
import {
  absentMethod,
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
  /** The whole body of the response. */
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

/** What a generation says of the bodies of requests: for each field, several values that it allows or does not. */
export function valueChecksOf({ document, operations }: Generation): readonly Check[] {
  const validator = createValidator(document);
  return operations.flatMap((operation) =>
    variantsOf(operation, requestSchema(operation), exampleRequest(operation).body).map(({ pointer, values }) => ({
      subject: nameOf(operation),
      title: `judges values of "${pointer}"`,
      expectations: values.map((value) => judged(operation, validator, value)),
    })),
  );
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
        request: { ...request, headers: { ...request.headers, prefer: `example=${example}` } },
        ...{ status, body: value, validate: validator.ofResponse(operation, code) },
      }),
    ),
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
  if (!response.ok) return hasWords ? wordsMissing(response, received, named) : undefined;
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
