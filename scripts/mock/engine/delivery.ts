import type { MockRequest } from "./mockRequest.ts";
import type { Answer } from "../content/answer.ts";

const maxPieces = 20;

/** Waits for some milliseconds. Resolves to `false` at once if the client disconnects. */
export function pause(milliseconds: number, { whenGone }: MockRequest): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      stop();
      resolve(true);
    }, milliseconds);
    const stop = whenGone(() => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

/** Returns whether the connection breaks before a response. A response without content can't break within it. */
export function isReset({ delivery, body }: Answer, method: string): boolean {
  return delivery === "reset" || (delivery === "truncated" && (body === undefined || method === "HEAD"));
}

/** Returns whether a response is sent whole and at once. */
export function isWhole({ delivery, bytesPerSecond, body, stream }: Answer, method: string): boolean {
  if (method === "HEAD") return true;
  if (stream !== undefined) return false;
  return body === undefined || (delivery !== "truncated" && bytesPerSecond === undefined);
}

export function bytesOf(content: Uint8Array | string): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
}

/**
 * The content of an answer, sent slowly or cut off if a fault says so. Throws where the content ends too
 * early, and returns when the client disconnects.
 */
export async function* contentPieces(answer: Answer, request: MockRequest): AsyncGenerator<Uint8Array, void> {
  for await (const piece of answer.stream ?? divide(answer)) {
    if (!(await pauseBefore(piece, answer, request))) return;
    yield piece;
  }
  if (answer.delivery === "truncated") throw new TypeError("terminated");
}

/** Sends a stream slowly if a fault says so. The returned one can be cancelled while it waits for its next piece. */
export function slowed(
  stream: ReadableStream<Uint8Array>,
  answer: Answer,
  request: MockRequest,
): ReadableStream<Uint8Array> {
  if (answer.bytesPerSecond === undefined) return stream;
  const transform: Transformer<Uint8Array, Uint8Array>["transform"] = async (piece, controller) => {
    if (await pauseBefore(piece, answer, request)) controller.enqueue(piece);
  };
  return stream.pipeThrough(new TransformStream({ transform }));
}

/** Waits as long as a fault says before a piece is sent. Resolves to `false` if the client disconnects. */
async function pauseBefore(piece: Uint8Array, { bytesPerSecond }: Answer, request: MockRequest): Promise<boolean> {
  return bytesPerSecond === undefined || pause((piece.length * 1000) / bytesPerSecond, request);
}

/** The pieces of a body. */
function* divide({ body = "", delivery, bytesPerSecond }: Answer): Generator<Uint8Array<ArrayBuffer>, void> {
  const bytes = bytesOf(body);
  const end = delivery === "truncated" ? Math.floor(bytes.length / 2) : bytes.length;
  const size = bytesPerSecond === undefined ? end : Math.ceil(bytesPerSecond / maxPieces);
  for (let start = 0; start < end; start += size) yield bytes.slice(start, Math.min(start + size, end));
}
