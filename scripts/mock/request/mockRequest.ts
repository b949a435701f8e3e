import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { stringMembersOf } from "../../spec/json.ts";
import { refusalOf, wholeBody, type Refusal } from "../response/refusal.ts";
import { takeBodyTurn } from "./turns.ts";

/** Header fields by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** A request, however it arrived. */
export interface MockRequest {
  readonly method: string;
  /** The request-target (RFC 9112, section 3.2). */
  readonly target: string;
  readonly headers: Headers;
  /** There may be a body: a chunked one may still be empty. */
  readonly hasBody: boolean;
  /** Reads the body to its end. `undefined` if the client went away. */
  readonly readBody: (limits: BodyLimits) => Promise<Buffer | Refusal | undefined>;
  /** Calls a function as soon as the client has gone away, until the function that it returns is called. */
  readonly whenGone: (listener: () => void) => () => void;
}

export interface BodyLimits {
  /** In bytes. */
  readonly size: number;
  /** Longest time without a byte, in milliseconds. */
  readonly stall: number;
}

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
  const bytes = collectBytes(limit);
  for (;;) {
    const chunk = await reader?.read();
    if (signal.aborted) return undefined;
    if (chunk?.value === undefined) break;
    if (!bytes.add(chunk.value)) {
      cancel();
      return tooLarge(limit);
    }
  }
  stop();
  return bytes.all();
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
    const bytes = collectBytes(limits.size);
    const timer = setTimeout(() => {
      finish(stalled(limits, bytes.size(), announced));
    }, limits.stall);
    const flow = slowDown(request);
    const finish = (result: Buffer | Refusal | undefined) => {
      clearTimeout(timer);
      flow.release();
      request.off("data", onData).off("end", onEnd).off("close", onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      timer.refresh();
      flow.count();
      if (!bytes.add(chunk)) finish(tooLarge(limits.size));
    };
    const onEnd = () => {
      finish(bytes.all());
    };
    const onClose = () => {
      finish(undefined);
    };
    request.on("data", onData).on("end", onEnd).on("close", onClose);
  });
}

/** Usual clients send 1 MiB in fewer chunks. */
const chunksPerTurn = 200;

/**
 * Lets a connection wait for its turn after many chunks, so that no request waits over 250 ms for another's body. Node (24)
 * reads up to 2 MiB from a connection before it looks at another, and hands over what it read chunk by chunk: two bodies
 * of 700,000 chunks kept others waiting for 2,400 ms without this, and 150 with it (two busy cores).
 */
function slowDown(request: IncomingMessage) {
  const { socket } = request;
  let chunks = 0;
  return {
    count: () => {
      chunks += 1;
      if (chunks !== chunksPerTurn) return;
      // Whenever a part was consumed, this would have the connection read on.
      request._read = () => undefined;
      socket.pause();
      void takeBodyTurn(async (pause) => {
        chunks = 0;
        socket.resume();
        await pause();
      });
    },
    release: () => {
      if (Object.hasOwn(request, "_read") && Reflect.deleteProperty(request, "_read")) socket.resume();
    },
  };
}

/** Bytes in one place, so that a heap of 256 MB survives chunks of one byte: as Buffers, they take a hundred times that. */
function collectBytes(limit: number) {
  let buffer = Buffer.alloc(0);
  let size = 0;
  return {
    size: () => size,
    /** `false` if that would be more than the limit. */
    add: (chunk: Uint8Array): boolean => {
      if (size + chunk.length > limit) return false;
      if (size + chunk.length > buffer.length) {
        const larger = Buffer.alloc(Math.max(size + chunk.length, buffer.length * 2, 1_024));
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      buffer.set(chunk, size);
      size += chunk.length;
      return true;
    },
    all: () => buffer.subarray(0, size),
  };
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
