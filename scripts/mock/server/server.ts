import { once } from "node:events";
import {
  createServer,
  maxHeaderSize,
  METHODS,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { inspect } from "node:util";
import { isControlTarget } from "../engine/controlApi.ts";
import type { RefusedRequest } from "../engine/answerRequest.ts";
import { withCors } from "../engine/cors.ts";
import { contentPieces, isReset, isWhole } from "../engine/delivery.ts";
import { createEngine, type Engine, type EngineOptions } from "./engine.ts";
import { fromConnection } from "./incomingRequest.ts";
import type { Mock } from "../mockTypes.ts";
import { keepStateFile } from "./stateFile.ts";
import { createHostCheck, createOriginCheck, isHost, isOrigin } from "./servedHosts.ts";
import { answerRefusal, type Answer } from "../content/answer.ts";
import { refusalOf, type Refusal } from "../../exchange/refusal.ts";

export interface ServerOptions extends EngineOptions {
  /** Gets each request first, and resolves to `true` if it answers. Serves other content next to the mock. */
  readonly site?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

export interface MockServer extends Mock, Pick<Engine, "replace"> {}

/** How long requests in progress may take when the mock stops, in milliseconds. */
const gracePeriod = 800;
/**
 * How long the server reads the rest of a refused body, in milliseconds, so that the client gets the response
 * first.
 */
const lingerPeriod = 300;

/**
 * Starts a mock server. Rejects with the errors of {@link createEngine}, and with the system's error if it
 * can't listen.
 */
export async function startServer(options: ServerOptions): Promise<MockServer> {
  const { host = "127.0.0.1", port = 0, allowedHosts = [], allowedOrigins = [] } = options;
  checkOptions({ host, port, allowedHosts, allowedOrigins });
  const engine = createEngine(options);
  const closeState = options.stateFile === undefined ? undefined : await keepStateFile(options.stateFile, engine);
  const current = new WeakMap<Duplex, Set<ServerResponse>>();

  const checkOrigin = createOriginCheck(allowedOrigins);
  let checkHost: ReturnType<typeof createHostCheck> = () => undefined;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isControl = isControlTarget(request.url ?? "");
    const refusal = checkHost(request) ?? (isControl ? checkOrigin(request) : undefined);
    // Links from other sites may lead to the docs.
    if (refusal === undefined && options.site !== undefined && (await options.site(request, response))) return;
    const refused = refusal ?? (options.upstream === undefined ? undefined : checkOrigin(request));
    if (refused !== undefined) {
      const answer = answerRefusal(refused);
      engine.logRefused(refusedRequest(request), answer);
      send(request, response, withCors(fromConnection(request), answer));
      return;
    }
    const answer = await engine.respond(fromConnection(request));
    if (answer !== undefined && !response.destroyed) await deliver(request, response, answer);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    track(current, request, response);
    // A failure in one request must not stop the mock.
    handle(request, response).catch(() => response.destroy());
  };
  // Node itself answers requests without Host, or with an unknown expectation, with an empty body.
  const server = createServer({ requireHostHeader: false }, onRequest).on("checkExpectation", onRequest);
  const answersOf = (socket: Duplex) => [...(current.get(socket) ?? [])];
  const tunnels = new Set<Duplex>();
  const refuseOn = (socket: Duplex, refusal: Refusal, refused: RefusedRequest) => {
    const answer = answerRefusal(refusal);
    engine.logRefused(refused, answer);
    endWith(socket, answer);
  };
  server.on("connect", (request, socket) => {
    // Node gives the socket away: nothing else handles its errors or ends it.
    tunnels.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => tunnels.delete(socket));
    void allSent(answersOf(socket)).then(() => {
      refuseOn(socket, noTunnel, refusedRequest(request));
    });
  });
  server.on("clientError", (error: UnreadableError, socket) => {
    const answers = answersOf(socket);
    const [broken] = answers.filter(({ req }) => !req.complete);
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    // Earlier pipelined requests are answered first.
    void allSent(answers.filter((answer) => answer !== broken)).then(() => {
      if (broken?.headersSent === true) end(socket);
      else refuseOn(socket, refuseUnreadable(error), broken ? refusedRequest(broken.req) : readRequestLine(error));
    });
  });
  const address = await listen(server, port, host).catch(async (error: unknown) => {
    await closeState?.();
    throw error;
  });
  checkHost = createHostCheck(address.address, [...allowedHosts, ...(host.includes(":") ? [] : [host])]);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
  let closed: Promise<void> | undefined;
  const close: Mock["close"] = ({ within = gracePeriod } = {}) =>
    (closed ??= closeServer(server, tunnels, within).then(closeState));
  return { ...engine.mock, replace: engine.replace, url, close, [Symbol.asyncDispose]: () => close() };
}

async function deliver(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, delivery } = answer;
  const { method = "" } = request;
  // Without an answer, the connection stays open until the client ends it or the mock closes.
  if (delivery === "none") return;
  if (isReset(answer, method)) request.socket.resetAndDestroy();
  else if (isWhole(answer, method)) send(request, response, answer);
  else {
    // `flushHeaders` of Node (24) writes them in UTF-8.
    response.writeHead(status, withLength(answer)).write(new Uint8Array());
    for await (const piece of contentPieces(answer, fromConnection(request))) {
      await new Promise((resolve) => response.write(piece, resolve));
    }
    response.end();
  }
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, headers, body = "" } = answer;
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, withLength(answer));
  if (headers["connection"] !== "close" || request.complete) {
    // Node (24) can write headers and text together, in half the time, but then in the encoding of the text.
    const isAscii = Object.values(headers).every((value) => /^[\x00-\x7f]*$/.test(String(value)));
    response.end(isAscii ? body : Buffer.from(body));
    return;
  }
  // Closing a connection with unread bytes resets it, and the client may lose the response.
  response.write(body);
  setTimeout(() => response.end(), lingerPeriod).unref();
  discardRest(request);
}

/** Content-Length is last, because Node (24) refuses a Content-Disposition with `filename="ü"` after it. */
function withLength({ headers, body = "", isLengthUnknown = false }: Answer) {
  const { "content-length": length, ...others } = headers;
  if (length === undefined && isLengthUnknown) return headers;
  return { ...others, "content-length": String(length ?? Buffer.byteLength(body)) };
}

/** Reads the rest of a request without parsing it, which takes much longer if it comes in tiny chunks. */
function discardRest({ socket }: IncomingMessage): void {
  // Node's parser listens for `data`.
  socket.removeAllListeners("data").on("data", () => undefined);
}

function endWith(socket: Duplex, { status, headers, body }: Answer): void {
  const fields = { ...headers, "content-length": String(Buffer.byteLength(body ?? "")), connection: "close" };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  end(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", body ?? ""].join("\r\n"));
}

function end(socket: Duplex, text = ""): void {
  socket.end(text);
  setTimeout(() => socket.destroy(), lingerPeriod).unref();
}

async function allSent(answers: readonly ServerResponse[]): Promise<void> {
  await Promise.all(answers.map((answer) => once(answer, "close")));
}

async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  await once(server.listen(port, host), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}

async function closeServer(server: Server, tunnels: ReadonlySet<Duplex>, within: number): Promise<void> {
  const timer = setTimeout(() => {
    server.closeAllConnections();
    for (const socket of tunnels) socket.destroy();
  }, within);
  await once(server.close(), "close");
  clearTimeout(timer);
}

/**
 * Throws `TypeError`. Node would take a non-numeric port for the name of a pipe, and a missing host for all
 * addresses.
 */
function checkOptions({ host, port, allowedHosts, allowedOrigins }: Readonly<Record<string, unknown>>) {
  if (!Number.isInteger(port) || Number(port) < 0 || Number(port) > 65_535)
    throw new TypeError(`port must be a whole number from 0 to 65535, not ${inspect(port)}`);
  if (host === "") throw new TypeError("host must be a name or an address of this machine");
  if (!Array.isArray(allowedHosts) || !allowedHosts.every(isHost))
    throw new TypeError(`allowedHosts must be an array of names or addresses, not ${inspect(allowedHosts)}`);
  if (!Array.isArray(allowedOrigins) || !allowedOrigins.every(isOrigin))
    throw new TypeError(`allowedOrigins must be an array of origins, not ${inspect(allowedOrigins)}`);
}

function track(current: WeakMap<Duplex, Set<ServerResponse>>, { socket }: IncomingMessage, response: ServerResponse) {
  const answers = current.get(socket) ?? new Set();
  current.set(socket, answers.add(response));
  response.once("close", () => answers.delete(response));
}

const noProxy = "The mock is not a proxy: it does not support CONNECT.";
const allow = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const noTunnel = refusalOf(405, { code: "method", in: "method", message: noProxy }, { allow });

function refusedRequest({ method = "", url = "" }: IncomingMessage): RefusedRequest {
  return { method, target: url };
}

/** An error of Node's parser, with the bytes that it was reading. */
interface UnreadableError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** The beginning of a request that can't be read, as far as its bytes begin with a request line. */
function readRequestLine({ rawPacket }: UnreadableError): RefusedRequest {
  const [method = "", target = ""] = (rawPacket?.toString("latin1") ?? "").split(/\r?\n/, 1).join().split(" ");
  return METHODS.includes(method) ? { method, target } : { method: "", target: "" };
}

/** Statuses for requests that Node's parser rejects, by error code. */
const unreadable = new Map([
  ["HPE_HEADER_OVERFLOW", 431],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", 413],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
]);

function refuseUnreadable({ message, code = "" }: NodeJS.ErrnoException): Refusal {
  const status = unreadable.get(code) ?? 400;
  const text =
    status === 431
      ? `The request target and the header fields must not have more than ${maxHeaderSize} bytes together.`
      : `This is not an HTTP/1.1 request: ${message}.`;
  return refusalOf(status, { code: "syntax", in: "header", message: text });
}
