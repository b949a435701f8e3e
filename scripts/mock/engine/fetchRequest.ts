import { refusalOf, wholeBody, type Refusal } from "../../exchange/refusal.ts";
import { joinBytes } from "../../spec/bytes.ts";
import type { MockRequest } from "../respond/mockRequest.ts";

/** A request that never leaves the process. `onFailure` is called if the stream of its body fails. */
export function fromFetch(request: Request, onFailure: (error: unknown) => void): MockRequest {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    target: pathname + search,
    // happy-dom (21) keeps names as they were written. The Fetch Standard (section 2.2.2) has them in lower
    // case.
    headers: Object.fromEntries([...request.headers].map(([name, value]) => [name.toLowerCase(), value])),
    hasBody: request.body !== null,
    readBody: ({ size }) =>
      readContent(request, size).catch((error: unknown) => {
        onFailure(error);
        return undefined;
      }),
    whenGone: (listener) => whenAborted(request.signal, listener),
  };
}

async function readContent(request: Request, limit: number): Promise<Uint8Array | Refusal | undefined> {
  if (streamOfRequest(request) !== undefined) return readStream(request, limit);
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (request.signal.aborted) return undefined;
  return bytes.length > limit ? tooLarge(limit) : bytes;
}

/** Firefox (140) doesn't support request streams. */
function streamOfRequest({ body }: Partial<Request>) {
  return body;
}

async function readStream({ body, signal }: Request, limit: number): Promise<Uint8Array | Refusal | undefined> {
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
  return joinBytes(chunks);
}

function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  signal.addEventListener("abort", listener, { once: true });
  return () => {
    signal.removeEventListener("abort", listener);
  };
}

/** Refuses a body that is larger than the limit. */
export function tooLarge(size: number): Refusal {
  const message = `The body is larger than ${size} bytes, the most that the mock reads.`;
  return refusalOf(413, { ...wholeBody, message, expected: size }, { connection: "close" });
}
