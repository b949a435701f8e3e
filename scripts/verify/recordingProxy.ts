import { once } from "node:events";
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline } from "node:stream/promises";
import { errorCode, messageOf } from "../contract/failures.ts";
import { createHostCheck } from "../mock/http/servedHosts.ts";
import { withoutAuthority } from "../mock/secrets.ts";
import type { Exchange, HeaderField } from "./exchange.ts";

/** In bytes. Longer bodies are passed on, but not recorded. */
const longestBody = 2 ** 22;

const onlyForThisMachine = "This proxy serves this machine alone: request it as localhost or 127.0.0.1.\n";

/**
 * Listens on 127.0.0.1, passes requests on to a server, whose URL has no slash at its end, and its responses back as they
 * come, and calls a function with each exchange when it has ended. It follows no redirects. As with the mock, a web page
 * whose name leads to this machine is refused. Disposing of it ends what is in progress. Rejects with the system's error if
 * it cannot listen.
 */
export async function startRecordingProxy(server: string, port: number, onExchange: (exchange: Exchange) => void) {
  const address = "127.0.0.1";
  const checkHost = createHostCheck(address, []);
  const current = new Set<Promise<void>>();
  const proxy = createServer((incoming, outgoing) => {
    if (checkHost(incoming) !== undefined) {
      writeText(outgoing, 421, onlyForThisMachine);
      return;
    }
    const passing = passOn(server, incoming, outgoing).then(onExchange);
    current.add(passing);
    void passing.finally(() => current.delete(passing));
  });
  await once(proxy.listen(port, address), "listening");
  const bound = proxy.address();
  return {
    /** Without a slash at its end. */
    url: `http://${address}:${typeof bound === "object" ? (bound?.port ?? port) : port}`,
    [Symbol.asyncDispose]: async () => {
      proxy.close().closeAllConnections();
      await Promise.all(current);
    },
  };
}

async function passOn(server: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<Exchange> {
  const { method = "", rawHeaders } = incoming;
  const target = withoutAuthority(incoming.url ?? "").replace(/^(?!\/)/, "/");
  const { protocol, pathname, host } = new URL(server);
  const kept = Object.fromEntries(Object.entries(incoming.headersDistinct).filter(isEndToEnd));
  const send = protocol === "https:" ? requestHttps : requestHttp;
  const upstream = send(server, {
    method,
    path: pathname.replace(/\/$/, "") + target,
    // A body in a content coding could not be validated.
    headers: { ...kept, host, "accept-encoding": "identity" },
    // Each on a connection of its own, or a connection that the server has just closed would be a failure.
    agent: false,
  });
  const sent = collect(incoming);
  let response: Exchange["response"];
  let failure: string | undefined;
  try {
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      upstream.on("response", resolve).on("error", reject);
    });
    // After its end, a request can be destroyed without a trace.
    outgoing.once("close", () => upstream.destroy(new Error("the client left before the end of the response")));
    incoming.pipe(upstream);
    const answer = await answered;
    const { statusCode: status = 0, statusMessage } = answer;
    response = { status, headers: fieldsOf(answer.rawHeaders), body: undefined };
    outgoing.writeHead(status, statusMessage, response.headers.filter(isEndToEnd).flat());
    const received = collect(answer);
    await pipeline(answer, outgoing);
    response = { ...response, body: method === "HEAD" ? undefined : received() };
  } catch (error) {
    failure = errorCode(error) ?? messageOf(error);
    if (outgoing.headersSent) outgoing.destroy();
    else writeText(outgoing, 502, `No response from the server: ${failure}\n`);
  }
  return {
    ...{ method, url: server + target, response },
    request: { headers: fieldsOf(rawHeaders), body: sent() },
    ...(failure !== undefined && { failure }),
  };
}

function writeText(outgoing: ServerResponse, status: number, text: string): void {
  const headers = { "content-type": "text/plain", "content-length": Buffer.byteLength(text) };
  outgoing.writeHead(status, headers).end(text);
}

const hopByHop = /^(?:connection|expect|keep-alive|proxy-[\w-]+|te|trailer|upgrade)$/i;

/** Connections have fields of their own (RFC 9110, section 7.6.1). Node writes those for the length of what it sends. */
function isEndToEnd([name]: readonly [string, ...unknown[]]): boolean {
  return !hopByHop.test(name);
}

function fieldsOf(rawHeaders: readonly string[]): readonly HeaderField[] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : []));
}

/** Keeps what passes through a message, which something else must read. `undefined` if it is too much, or encoded. */
function collect(message: IncomingMessage): () => Buffer | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  message.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= longestBody) chunks.push(chunk);
  });
  const isEncoded = !/^(?:identity)?$/i.test(message.headers["content-encoding"] ?? "");
  return () => (size > longestBody || isEncoded ? undefined : Buffer.concat(chunks));
}
