import { errorCode, messageOf } from "../contract/failures.ts";
import { withoutEnd } from "../values/text.ts";
import { isObject } from "../values/json.ts";
import { essenceOf } from "../spec/mediaTypes.ts";
import type { Exchange, ExchangeMessage } from "./exchange.ts";
import { readStream } from "./requestContent.ts";

/** In MiB, after decoding. The rest of a larger body isn't read. */
const largestBody = 16;

/** Content codings that fetch decodes. */
const decodedCodings = new Set(["br", "deflate", "gzip", "x-gzip", "zstd"]);

/** The codes of errors of a connection that the server closed: those of Node.js, and that of fetch. */
const cutCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

// Read at import, since programs may replace it later with that of a mock.
const { fetch } = globalThis;

/** The content of an event stream, which may never end. */
export interface EventStream {
  readonly content: ReadableStream<Uint8Array>;
  /** Closes the connection. */
  readonly leave: () => void;
}

interface SentRequest extends Pick<Exchange, "method" | "url"> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyInit | undefined;
}

/**
 * Sends a request and reads the whole response, within `time` milliseconds. Doesn't follow redirects. Never
 * rejects: an exchange without a response has the reason. `takeStream` gets the content of an event stream, which then
 * isn't read here.
 */
export async function requestServer(
  { method, url, headers, body }: SentRequest,
  time: number,
  stop: AbortSignal,
  takeStream?: (stream: EventStream) => void,
): Promise<Exchange> {
  const start = performance.now();
  const durationNow = () => performance.now() - start;
  let request: ExchangeMessage = { headers: Object.entries(headers), body: undefined };
  // In Node 20.19, a signal of AbortSignal.any may be garbage-collected before its timeout.
  const abort = new AbortController();
  const end = () => {
    abort.abort(stop.reason);
  };
  const timer = setTimeout(end, Math.min(time, 2 ** 31 - 1));
  stop.addEventListener("abort", end);
  if (stop.aborted) end();
  try {
    const written = new Request(url, { method, headers, ...(body !== undefined && { body }) });
    const sent = body === undefined ? {} : { body: new Uint8Array(await written.arrayBuffer()) };
    request = { headers: [...written.headers], body: sent.body };
    const { signal } = abort;
    const response = await fetch(url, { method, headers: written.headers, redirect: "manual", signal, ...sent });
    const fields = [...response.headers].filter(([name, value]) => name !== "content-encoding" || !isDecoded(value));
    const isStream = essenceOf(response.headers.get("content-type") ?? "") === "text/event-stream";
    const stream = isStream && takeStream !== undefined ? response.body : null;
    if (stream !== null) takeStream?.({ content: stream, leave: end });
    const content = stream === null ? await readStream(response.body, largestBody * 2 ** 20) : undefined;
    if (content === "too large") throw new Error(`the body is larger than ${largestBody} MiB`);
    const received = { status: response.status, headers: fields, body: content };
    return { method, url, request, response: received, duration: durationNow() };
  } catch (error) {
    const isLate = abort.signal.aborted && !stop.aborted;
    const cause = isObject(error) && isObject(error["cause"]) ? error["cause"] : error;
    const failure = withoutEnd(messageOf(cause), ".") || (errorCode(cause) ?? "");
    const isCut = cutCodes.has(errorCode(cause) ?? "");
    const told = isLate ? `no whole response came within ${time / 1_000} s` : failure;
    return { method, url, request, response: undefined, failure: told, isLate, isCut, duration: durationNow() };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
}

/** Returns whether fetch has decoded all codings of a Content-Encoding header. */
function isDecoded(codings: string): boolean {
  return codings.split(",").every((coding) => decodedCodings.has(coding.trim().toLowerCase()));
}
