import { isDeepStrictEqual } from "node:util";
import {
  jsonContent,
  successResponses,
  type Generation,
  type Operation,
  type Response as DescribedResponse,
} from "../../scripts/contract/generation.ts";
import { exampleRequest, jsonBody, jsonValue, requestTo, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import { isObject, parseJson } from "../../scripts/values/json.ts";
import { contentOfType, isJson } from "../../scripts/spec/mediaTypes.ts";
import { responseOf } from "../../scripts/spec/openapi.ts";
import { firstStatus, isDefaultStatus } from "../../scripts/spec/statusKeys.ts";
import { createExchangeCheck } from "../../scripts/exchange/checkExchange.ts";
import type { Exchange } from "../../scripts/exchange/exchange.ts";
import {
  absentMethod,
  byMediaType,
  fieldsOf,
  hasField,
  insufficientSchemes,
  listedAnswers,
  namesOf,
  requestSchema,
  responseExamples,
  rightParameters,
  variantsOf,
  wrongFields,
  wrongFormFields,
  wrongParameters,
  type ListedAnswer,
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
  /** Says what is wrong with a response that the contract lists; `undefined` for a refusal, which has to be in words. */
  readonly validate?: ((response: Response, text: string) => string | undefined) | undefined;
  /** The whole body of the response: the value of JSON, or else the text. */
  readonly body?: unknown;
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
    const generated = withHeaders(request, { prefer: "dynamic=true, seed=1" });
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
      ...variantsOf(operation, requestSchema(operation), jsonValue(request.body)).map(({ pointer, values }) => ({
        subject,
        title: `judges values of "${pointer}"`,
        expectations: values.map((value) => judged(operation, validator, value)),
      })),
    ];
  });
}

function withHeaders(request: ExampleRequest, headers: ExampleRequest["headers"]): ExampleRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

function checksOfOperation(operation: Operation, validator: Validator): readonly Check[] {
  const request = exampleRequest(operation);
  const success = successOf(operation, validator);
  const check = (title: string, ...expectations: readonly Expectation[]): Check => {
    return { subject: nameOf(operation), title, expectations };
  };
  return [
    ...listedAnswers(operation).map((answer) => {
      const { status, value, mediaType = "no body", example = mediaType } = answer;
      const asked = { request: requestFor(answer, operation), status, body: value, validate: success.validate };
      return check(`answers ${status} with ${example === mediaType ? mediaType : `the example ${example}`}`, asked);
    }),
    ...(operation.responses.some(({ status }) => isDefaultStatus(status))
      ? [
          check("fails when asked to", {
            request: withHeaders(request, { prefer: "code=500" }),
            ...{ ...success, status: 500 },
          }),
        ]
      : []),
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
    ...checksOfBody(operation, validator),
  ];
}

/** What an operation says of the body of a request. */
function checksOfBody(operation: Operation, validator: Validator): readonly Check[] {
  const request = exampleRequest(operation);
  const success = successOf(operation, validator);
  const check = (title: string, ...expectations: readonly Expectation[]): Check => {
    return { subject: nameOf(operation), title, expectations };
  };
  if (operation.requestBody === undefined) return [check("takes its example", { request, ...success })];
  return [
    ...byMediaType(operation).flatMap(({ mediaType, examples, operation: sending }) =>
      (examples.length === 0 ? [{ name: undefined }] : examples).map(({ name }) =>
        check(`takes ${name === undefined ? mediaType : `the example ${name} of its body`}`, {
          request: exampleRequest(sending, { body: name }),
          ...success,
        }),
      ),
    ),
    ...(operation.requestBody.required
      ? [check("refuses to be without its body", { request: { ...request, body: undefined }, status: 422 })]
      : []),
    check("refuses a body of another media type", {
      request: {
        ...withHeaders(request, { "content-type": "application/x-other" }),
        body: { kind: "text", text: "other" },
      },
      status: 415,
      named: "application/x-other",
    }),
    ...wrongFormFields(operation).map(({ fault, named, request: sent }) =>
      check(`refuses ${fault}`, { request: sent, status: 422, named }),
    ),
    ...wrongFields(operation).map(({ fault, named, request: { body } }) =>
      // A field may have any type only where an alternative of the body is open.
      check(`judges ${fault}`, { ...judged(operation, validator, jsonValue(body)), named: `"pointer":"${named}"` }),
    ),
  ];
}

/** A request that prefers one of the responses that the contract lists. */
function requestFor({ code, status, mediaType, example }: ListedAnswer, operation: Operation): ExampleRequest {
  const [success] = successResponses(operation);
  const preferences = [
    ...(code === success?.status ? [] : [`code=${status}`]),
    ...(example === undefined ? [] : [`example=${example}`]),
  ];
  return withHeaders(exampleRequest(operation), {
    ...(mediaType !== undefined && { accept: mediaType }),
    ...(preferences.length > 0 && { prefer: preferences.join(", ") }),
  });
}

/** The name by which checks and titles call an operation. */
export function nameOf({ operationId, name }: Operation): string {
  return operationId ?? name;
}

function successOf(operation: Operation, validator: Validator): Omit<Expectation, "request"> {
  return { status: undefined, validate: (response, text) => contradictionIn(operation, validator, response, text) };
}

/** What in a response is not as the contract says of its status. */
export function contradictionIn(
  operation: Operation,
  validator: Validator,
  { status, headers }: Response,
  text: string,
): string | undefined {
  const declared = responseOf(operation.responses, status);
  if (declared === undefined) return `expected a status other than ${status}`;
  if (declared.content.length === 0) return text === "" ? undefined : "expected no body";
  const content = contentOfType(declared.content, headers.get("content-type") ?? "");
  if (content === undefined) return `expected ${declared.content.map(({ mediaType }) => mediaType).join(" or ")}`;
  return isJson(content.mediaType) ? validator.ofResponse(operation, declared.status)(parseJson(text)) : undefined;
}

/** A request with a JSON body that is valid or not. */
function judged(operation: Operation, validator: Validator, value: unknown): Expectation {
  const request = { ...exampleRequest(operation), body: jsonBody(value) };
  const isValid = validator.ofRequest(operation)(value) === undefined;
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
  if (status === undefined ? !response.ok : response.status !== status) {
    return `expected ${status ?? "success"}, but got ${response.status}`;
  }
  if (validate === undefined) return hasWords ? wordsMissing(response, parseJson(text), named) : undefined;
  const received = isJson(response.headers.get("content-type") ?? "") ? parseJson(text) : text;
  if (expected !== undefined && !isDeepStrictEqual(received, expected)) return "expected another body";
  return validate(response, text);
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
export async function responseChecksOf({ document, operations }: Generation): Promise<readonly ResponseCheck[]> {
  const validator = createValidator(document);
  const checks = await Promise.all(operations.map((operation) => responseChecksOfOperation(operation, validator)));
  return checks.flat();
}

async function responseChecksOfOperation(
  operation: Operation,
  validator: Validator,
): Promise<readonly ResponseCheck[]> {
  const { responses } = operation;
  const subject = nameOf(operation);
  const request = await sentRequest(operation);
  const exchange = (status: number, { headers, text }: Answer): Exchange => {
    return { ...request, response: { status, headers, body: Buffer.from(text) } };
  };
  const statuses = [200, 201, 202, 204, 299, 302, 400, 401, 404, 500].map((status) => {
    const declared = responseOf(responses, status);
    return { exchange: exchange(status, answerOf(declared)), isRight: declared !== undefined };
  });
  const mediaTypes = successResponses(operation).flatMap((success) =>
    mediaTypeAnswers(success).map(({ answer, isRight }) => {
      return { exchange: exchange(Number(firstStatus(success.status)), answer), isRight };
    }),
  );
  return [
    { subject, title: "judges statuses", exchanges: statuses },
    { subject, title: "judges media types", exchanges: mediaTypes },
    ...responseExamples(operation).flatMap(({ code, status, value }) => {
      const declared = responses.find((one) => one.status === code);
      const answer = answerOf(declared);
      return variantsOf(operation, jsonContent(declared?.content)?.schema, value).map(({ pointer, values }) => ({
        subject,
        title: `judges values of "${pointer}" in responses`,
        exchanges: values.map((variant) => ({
          exchange: exchange(status, { ...answer, text: JSON.stringify(variant) }),
          isRight: validator.ofResponse(operation, code)(variant) === undefined,
        })),
      }));
    }),
  ];
}

/** The example request of an operation as it arrives. */
async function sentRequest(operation: Operation): Promise<Pick<Exchange, "method" | "url" | "request">> {
  const request = requestTo("http://localhost", exampleRequest(operation));
  const { method, url, headers } = request;
  const body = request.body === null ? undefined : await request.bytes();
  return { method, url, request: { headers: [...headers], body } };
}

interface Answer {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/** Answers with each media type that the contract lists for a success, and with another one. */
function mediaTypeAnswers(success: DescribedResponse) {
  const { headers } = answerOf({ ...success, content: [] });
  const withType = (type: string, text: string): Answer => ({ headers: [...headers, ["content-type", type]], text });
  const right = success.content.flatMap((content) => {
    const { text } = answerOf({ ...success, content: [content] });
    return ["", "; charset=utf-8"].map((parameter) => withType(content.mediaType + parameter, text));
  });
  return [
    ...(right.length === 0 ? [{ headers, text: "" }] : right).map((answer) => ({ answer, isRight: true })),
    { answer: withType("application/x-other", "other"), isRight: false },
  ];
}

/** What the contract has for a response, if it lists it; or else any JSON. It is JSON if there is a choice. */
function answerOf(declared: DescribedResponse | undefined): Answer {
  const { headers = [], content } = declared ?? { content: undefined };
  const required = headers.flatMap(({ name, required: isRequired, example }) =>
    isRequired ? [[name, String(example)] as const] : [],
  );
  if (content?.length === 0) return { headers: required, text: "" };
  const chosen = jsonContent(content) ?? content?.[0];
  const { mediaType = "application/json", examples: [{ value } = { value: {} }] = [] } = chosen ?? {};
  const text = isJson(mediaType) ? JSON.stringify(value) : String(value);
  return { headers: [...required, ["content-type", mediaType]], text };
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
    // A missing field is only a doubt where a generation leaves presence open.
    const isAgainst = ({ kind, message }: (typeof found)[number]) =>
      kind === "contradiction" || message.endsWith("(presence isn't specified)");
    return found.filter(isAgainst).map(({ message }) => message);
  };
}
