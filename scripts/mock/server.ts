import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import type { Duplex } from "node:stream";
import type { Document } from "../contract/document.ts";
import { createContract } from "./contract.ts";
import { corsHeaders } from "./cors.ts";
import { answerRefusal, refusalOf, type Answer, type Refusal } from "./problem.ts";
import { respond } from "./respond.ts";
import { maskTarget } from "./target.ts";

export interface MockOptions {
  /** The bundles to serve, by generation. */
  readonly generations: Readonly<Record<string, Document>>;
  /** Default 0, which takes a free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Make responses from schemas, at random, instead of from examples. */
  readonly dynamic?: boolean;
  /** Makes random responses the same each time. */
  readonly seed?: string;
  /** The largest body that is read, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** How long a body may pause before it is given up, in milliseconds. Default 10 s. */
  readonly bodyTimeout?: number;
  /** Is asked about each request first; `true` says that it answers. For what is served beside the mock. */
  readonly site?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Is told of each request when it has been answered. */
  readonly onRequest?: (entry: RequestEntry) => void;
}

/** What is known of an answered request. */
export interface RequestEntry {
  readonly method: string;
  /** Path and query, credentials masked. */
  readonly target: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Why it was refused. */
  readonly reason?: string;
}

export interface Mock extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  /** Serves other bundles from the next request on. */
  readonly replace: (generations: Readonly<Record<string, Document>>) => void;
  /** Answers what is in flight, for at most 0.8 s, and ends. */
  readonly close: () => Promise<void>;
}

const grace = 800;
/** How long bytes of a refused body are still taken, so that the client reads the answer before the connection ends. */
const linger = 300;

/**
 * Starts a mock of the given bundles. Rejects with the system's error where it cannot listen, and with
 * `RouteConflictError` where two generations have the same operation.
 */
export async function startMock(options: MockOptions): Promise<Mock> {
  const { host = "127.0.0.1", port = 0, onRequest, dynamic = false, seed } = options;
  const limits = { size: options.bodyLimit ?? 2 ** 20, stall: options.bodyTimeout ?? 10_000 };
  let contract = createContract(options.generations);
  const current = new WeakMap<Duplex, ServerResponse>();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const start = performance.now();
    const served = contract;
    current.set(request.socket, response);
    const answer = await respond(request, served, { limits, dynamic, seed }).catch(unforeseen);
    if (answer === undefined || response.destroyed) return;
    send(request, response, answer);
    onRequest?.({
      method: request.method ?? "",
      target: maskTarget(request.url ?? "", served.isSecret),
      status: answer.status,
      milliseconds: performance.now() - start,
      ...(answer.reason !== undefined && { reason: answer.reason }),
    });
  };
  const refuse = (refusal: Refusal) => (request: IncomingMessage, response: ServerResponse) => {
    send(request, response, answerRefusal(refusal));
  };
  // Node answers a request without Host by itself, with an empty body.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    if (options.site?.(request, response) === true) return;
    if (request.httpVersion === "1.1" && request.headers.host === undefined) refuse(withoutHost)(request, response);
    // Whatever goes wrong with one request, the mock goes on.
    else handle(request, response).catch(() => response.destroy());
  });
  server.on("checkExpectation", refuse(unknownExpectation));
  server.on("connect", (_request, socket) => {
    endWith(socket, noTunnel);
  });
  server.on("clientError", (error: Error & { readonly code?: string }, socket) => {
    const response = current.get(socket);
    const isAnswering = response !== undefined && response.headersSent && !response.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering) socket.destroy();
    else endWith(socket, unreadable(error.code));
  });
  const address = await listen(server, port, host);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
  const close = () => closeServer(server);
  return {
    url,
    replace: (generations) => {
      contract = createContract(generations);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, body } = answer;
  const headers = { ...answer.headers, ...corsHeaders(request, answer.headers) };
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { ...headers, "content-length": body?.byteLength ?? 0 });
  if (answer.headers["connection"] !== "close" || request.complete) {
    response.end(body);
    return;
  }
  // Closing a connection with unread bytes resets it, and the client may lose the answer.
  response.write(body ?? "");
  const timer = setTimeout(() => response.end(), linger);
  response.once("close", () => {
    clearTimeout(timer);
  });
  request.once("end", () => response.end()).resume();
}

/** Answers on a connection whose request could not be read, and ends it. */
function endWith(socket: Duplex, refusal: Refusal): void {
  const { status, headers, body } = answerRefusal(refusal);
  const lines = Object.entries({ ...headers, "content-length": String(body?.byteLength ?? 0), connection: "close" });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");
  socket.end(Buffer.concat([Buffer.from(head), body ?? Buffer.alloc(0)]));
  setTimeout(() => socket.destroy(), linger).unref();
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("the server has no port"));
      else resolve(address);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) {
      resolve();
      return;
    }
    const timer = setTimeout(() => {
      server.closeAllConnections();
    }, grace);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The last resort: whatever the engine throws is about this request, and others must not suffer. */
function unforeseen(error: unknown): Answer {
  const message = `The mock cannot handle this request: ${error instanceof Error ? error.message : String(error)}.`;
  return answerRefusal(refusalOf(400, [{ in: "body", pointer: "", message }]));
}

const withoutHost = refusalOf(
  400,
  [{ in: "header", name: "Host", message: "An HTTP/1.1 request must have a header Host (RFC 9112, section 3.2)." }],
  { connection: "close" },
);

const unknownExpectation = refusalOf(
  417,
  [
    {
      in: "header",
      name: "Expect",
      message: "The mock knows no expectation but 100-continue.",
      expected: "100-continue",
    },
  ],
  { connection: "close" },
);

const noTunnel = refusalOf(405, [{ in: "method", message: "The mock is no proxy: it does not take CONNECT." }], {
  allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
});

/** Says why Node's parser gave up. */
function unreadable(code: string | undefined): Refusal {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return refusalOf(431, [
        { in: "header", message: "The request line and headers are larger than 16 KiB together." },
      ]);
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return refusalOf(413, [
        { in: "body", pointer: "", message: "The body's chunk extensions are larger than 16 KiB." },
      ]);
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refusalOf(408, [{ in: "header", message: "The request did not end in time." }]);
    case "HPE_INVALID_METHOD":
      return refusalOf(400, [
        { in: "method", message: "The method is none that HTTP knows, or is not in upper case." },
      ]);
    case "HPE_INVALID_URL":
      return refusalOf(400, [
        { in: "path", message: "The request-target has characters that must be percent-encoded." },
      ]);
    default:
      return refusalOf(400, [{ in: "header", message: `This is not an HTTP/1.1 request (${code ?? "unreadable"}).` }]);
  }
}
