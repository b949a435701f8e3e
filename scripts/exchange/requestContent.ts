import { joinBytes } from "../values/bytes.ts";
import { refusalOf, wholeBody, type Refusal } from "./refusal.ts";

/**
 * Reads the whole body of a request, up to a limit in bytes. Resolves to `undefined` if the request is aborted. Rejects
 * with a `TypeError` if the body has already been read.
 */
export async function readContent(request: Request, limit: number): Promise<Uint8Array | "too large" | undefined> {
  if (request.bodyUsed) throw new TypeError("the body of the request has already been read");
  const stream = streamOfRequest(request);
  if (stream !== undefined) return readStream(stream, limit, request.signal);
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (request.signal.aborted) return undefined;
  return bytes.length > limit ? "too large" : bytes;
}

/** Firefox (140) doesn't support request streams. */
function streamOfRequest({ body }: Partial<Request>) {
  return body;
}

/** Reads all bytes of a stream, up to a limit. Resolves to `undefined` if the signal is aborted. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
  signal = new AbortController().signal,
): Promise<Uint8Array | "too large" | undefined> {
  const reader = stream?.getReader();
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
      return "too large";
    }
    chunks.push(chunk.value);
  }
  stop();
  return joinBytes(chunks);
}

/** Calls a function as soon as a signal is aborted. The returned function cancels that. */
export function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  signal.addEventListener("abort", listener, { once: true });
  return () => {
    signal.removeEventListener("abort", listener);
  };
}

/** Refuses a body that is larger than the limit. `reader` is who reads it. */
export function refuseSize(size: number, reader: string): Refusal {
  const message = `The body is larger than ${size} bytes, the most that ${reader} reads.`;
  return refusalOf(413, { code: "size", ...wholeBody, message, expected: size });
}
