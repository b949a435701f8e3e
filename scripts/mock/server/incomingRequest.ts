import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { refusalOf, wholeBody, type Refusal } from "../../exchange/refusal.ts";
import { stringMembersOf } from "../../spec/json.ts";
import type { BodyLimits, MockRequest } from "../respond/mockRequest.ts";

/** A request that arrived over a connection. */
export function fromConnection(request: IncomingMessage): MockRequest {
  const { method = "", url = "", headers } = request;
  return {
    method,
    target: url,
    headers: stringMembersOf(headers),
    hasBody: headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0,
    readBody: (limits) => readConnection(request, limits),
    whenGone: (listener) => whenClosed(request.socket, listener),
  };
}

/** A request that never leaves the process. `onFailure` is called if the stream of its body fails. */
export function fromFetch(request: Request, onFailure: (error: unknown) => void): MockRequest {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    target: pathname + search,
    // happy-dom (21) leaves names as they were written (Fetch Standard, section 2.2.2, has them in lower case).
    headers: Object.fromEntries([...request.headers].map(([name, value]) => [name.toLowerCase(), value])),
    hasBody: request.body !== null,
    readBody: ({ size }) =>
      readStream(request, size).catch((error: unknown) => {
        onFailure(error);
        return undefined;
      }),
    whenGone: (listener) => whenAborted(request.signal, listener),
  };
}

async function readStream({ body, signal }: Request, limit: number): Promise<Buffer | Refusal | undefined> {
  const reader = body?.getReader();
  const cancel = () => {
    reader?.cancel(signal.reason).catch(() => undefined);
  };
  const stop = whenAborted(signal, cancel);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = await reader?.read();
    if (signal.aborted) return undefined;
    if (chunk?.value === undefined) break;
    size += chunk.value.length;
    if (size > limit) {
      cancel();
      return tooLarge(limit);
    }
    chunks.push(chunk.value);
  }
  stop();
  return Buffer.concat(chunks);
}

/** No signal, because jsdom replaces AbortController, and Node 20 warns of a signal with more than 10 listeners. */
function whenClosed(socket: Socket, listener: () => void): () => void {
  if (socket.closed) listener();
  // Pipelined requests wait on one connection, however many they are.
  socket.setMaxListeners(0).once("close", listener);
  return () => {
    socket.off("close", listener);
  };
}

function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  signal.addEventListener("abort", listener, { once: true });
  return () => {
    signal.removeEventListener("abort", listener);
  };
}

function readConnection(request: IncomingMessage, limits: BodyLimits): Promise<Buffer | Refusal | undefined> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limits.size) return Promise.resolve(tooLarge(limits.size));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const most = Math.max(mostChunks, Math.ceil(limits.size / smallChunk));
    let size = 0;
    const timer = setTimeout(() => {
      finish(stalled(limits, size, announced));
    }, limits.stall);
    const finish = (result: Buffer | Refusal | undefined) => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      timer.refresh();
      size += chunk.length;
      chunks.push(chunk);
      if (size > limits.size) finish(tooLarge(limits.size));
      else if (chunks.length > most) finish(tooManyChunks(most));
    };
    const onEnd = () => {
      finish(Buffer.concat(chunks));
    };
    const onClose = () => {
      finish(undefined);
    };
    request.on("data", onData).on("end", onEnd).on("close", onClose);
  });
}

/** Usual clients send 1 MiB in 200 chunks. Of chunks of one byte, each takes a hundred times that in memory. */
const mostChunks = 20_000;
/** In bytes. As many chunks of this size are taken as the largest body has: a network may part it so. */
const smallChunk = 500;

function tooManyChunks(expected: number): Refusal {
  const message = `The body has more than ${expected} chunks: send larger ones.`;
  return refusalOf(413, { ...wholeBody, message, expected }, { connection: "close" });
}

function tooLarge(size: number): Refusal {
  const message = `The body is larger than ${size} bytes, the most that the mock reads.`;
  return refusalOf(413, { ...wholeBody, message, expected: size }, { connection: "close" });
}

function stalled({ stall }: BodyLimits, size: number, announced: number): Refusal {
  const end = announced > 0 ? `${announced} bytes, as Content-Length says` : "a last chunk";
  const message = `The body stopped after ${size} bytes, and nothing more arrived for ${stall / 1000} s; it should have ${end}.`;
  return refusalOf(408, { ...wholeBody, message }, { connection: "close" });
}
