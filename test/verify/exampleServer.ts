import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { successResponses, type Operation } from "../../scripts/contract/generation.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import type { SecurityAlternative } from "../../scripts/contract/security.ts";
import { isObject } from "../../scripts/spec/json.ts";
import { isJson } from "../../scripts/spec/mediaTypes.ts";
import { firstStatus } from "../../scripts/spec/statusKeys.ts";

/** A response of the example server, before it is sent. */
export interface ExampleAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Is sent as JSON, unless it is text or bytes. */
  readonly body: unknown;
}

/** A request to the example server. */
export interface ReceivedRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly target: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly isAuthorized: boolean;
}

/** Changes a response; with a function that takes over the connection, nothing else is sent. */
export type Deviation = (
  answer: ExampleAnswer,
  request: ReceivedRequest,
) => ExampleAnswer | ((response: ServerResponse) => void);

/** A server that does what the contract says, with its examples; it shares nothing with the mock. */
export interface ExampleServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

export const generations = await readBuiltGenerations();
const operations = generations.flatMap((generation) => generation.operations);

export async function startExampleServer(deviate: Deviation = (answer) => answer): Promise<ExampleServer> {
  const requests: ReceivedRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://localhost");
    const found = operations.find((operation) => isFor(operation, request.method ?? "", pathname));
    if (found === undefined) {
      response.writeHead(404).end();
      return;
    }
    const received: ReceivedRequest = {
      ...{ operation: found, method: request.method ?? "", target: request.url ?? "", query },
      ...{ headers: request.headers, body: String(await buffer(request)) },
      isAuthorized: accepts(found, request, query),
    };
    requests.push(received);
    const answer = deviate(answerOf(received), received);
    if (typeof answer === "function") answer(response);
    else {
      const { status, headers, body } = answer;
      const isRaw = typeof body === "string" || body instanceof Uint8Array || body === undefined;
      response.writeHead(status, headers).end(isRaw ? body : JSON.stringify(body));
    }
  };
  return { ...(await serveHttp((request, response) => void handle(request, response))), requests };
}

function isFor({ method, path }: Operation, sent: string, pathname: string): boolean {
  return method.toUpperCase() === sent && new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(pathname);
}

function accepts({ security }: Operation, { headers }: IncomingMessage, query: URLSearchParams): boolean {
  const isOpenedBy = (schemes: SecurityAlternative) =>
    schemes.every(({ in: place, parameter }) =>
      place === "query" ? query.has(parameter) : headers[parameter.toLowerCase()] !== undefined,
    );
  return security.length === 0 || security.some(isOpenedBy);
}

function answerOf({ operation, query, isAuthorized }: ReceivedRequest): ExampleAnswer {
  const json = { "content-type": "application/json; charset=utf-8" };
  if (!isAuthorized) return { status: 401, headers: json, body: { message: "no credentials" } };
  const [response] = successResponses(operation);
  const status = Number(firstStatus(response?.status ?? "200"));
  const described = response?.headers.map(({ name, example }) => [name, String(example)] as const) ?? [];
  const headers = Object.fromEntries(described.filter(([, text]) => text !== "undefined"));
  const [content] = response?.content ?? [];
  if (content === undefined) return { status, headers, body: undefined };
  const { mediaType, examples } = content;
  if (!isJson(mediaType)) {
    return { status, headers: { ...headers, "content-type": mediaType }, body: String(examples[0]?.value) };
  }
  const value: unknown = examples[0]?.value ?? {};
  const { limit, offset } = operation.pagination ?? { limit: "", offset: "" };
  const skipped = Number(query.get(offset) ?? 0);
  const page = (list: unknown) =>
    Array.isArray(list) ? list.slice(skipped, skipped + Number(query.get(limit) ?? list.length)) : list;
  // The list is the whole body, or a member of it.
  const pages = Object.entries(isObject(value) ? value : {}).map(([name, member]) => [name, page(member)] as const);
  const body = limit === "" ? value : isObject(value) ? Object.fromEntries(pages) : page(value);
  return { status, headers: { ...headers, ...json }, body };
}
