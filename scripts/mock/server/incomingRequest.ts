import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { tooLarge } from "../engine/fetchRequest.ts";
import { refusalOf, wholeBody, type Refusal } from "../../exchange/refusal.ts";
import { stringMembersOf } from "../../values/json.ts";
import type { BodyLimits, MockRequest } from "../engine/mockRequest.ts";

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

/** Not an AbortSignal, because jsdom replaces AbortController, and Node 20 warns about more than 10 listeners. */
function whenClosed(socket: Socket, listener: () => void): () => void {
  if (socket.closed) listener();
  // Any number of pipelined requests can wait on one connection.
  socket.setMaxListeners(0).once("close", listener);
  return () => {
    socket.off("close", listener);
  };
}

function readConnection(request: IncomingMessage, limits: BodyLimits): Promise<Buffer | Refusal | undefined> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limits.size) return Promise.resolve(tooLarge(limits.size));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const most = Math.max(maxChunks, Math.ceil(limits.size / smallChunk));
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

/** Typical clients send 1 MiB in 200 chunks. A chunk of one byte takes a hundred times that in memory. */
const maxChunks = 5_000;
/** In bytes. The largest body may come in chunks of this size, since a network may split it. */
const smallChunk = 500;

function tooManyChunks(expected: number): Refusal {
  const message = `The body has more than ${expected} chunks: send larger chunks.`;
  return refusalOf(413, { code: "size", ...wholeBody, message, expected }, { connection: "close" });
}

function stalled({ stall }: BodyLimits, size: number, announced: number): Refusal {
  const end = announced > 0 ? `${announced} bytes, as Content-Length says` : "a last chunk";
  const message = `The body stopped after ${size} bytes, and nothing more arrived for ${stall / 1000} s; it should have ${end}.`;
  return refusalOf(408, { code: "time", ...wholeBody, message }, { connection: "close" });
}
