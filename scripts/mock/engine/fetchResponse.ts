import { splitOnce } from "../../values/text.ts";
import { reasonPhrase } from "../../spec/reasonPhrases.ts";
import { withoutContent } from "../../spec/statusKeys.ts";
import type { MockRequest } from "./mockRequest.ts";
import type { Answer } from "../content/answer.ts";
import { bytesOf, contentPieces, isReset, isWhole, pause, slowed } from "./delivery.ts";

/** In milliseconds. Node's `fetch` has the same limit. */
const maxWait = 300_000;

/** The response that `fetch` would return for an answer over a connection. Rejects where `fetch` would. */
export async function toFetchResponse(
  { method, url, redirect, signal }: Request,
  answer: Answer,
  incoming: MockRequest,
): Promise<Response> {
  const { status, headers, body, delivery, stream, isLengthUnknown = false } = answer;
  if (delivery === "none") {
    await pause(maxWait, incoming);
    signal.throwIfAborted();
    throw failedFetch(new Error("no response for five minutes"));
  }
  if (isReset(answer, method)) {
    throw failedFetch(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
  }
  if (redirect === "error" && [301, 302, 303, 307, 308].includes(status))
    throw failedFetch(new Error("unexpected redirect"));
  const bytes = bytesOf(body ?? "");
  const hasNoLength = status === 204 || status === 304 || isLengthUnknown;
  const length = hasNoLength ? {} : { "content-length": String(bytes.length) };
  const contentOf = () => {
    if (isWhole(answer, method)) return bytes;
    return stream === undefined ? streamOf(contentPieces(answer, incoming), signal) : slowed(stream, answer, incoming);
  };
  const hasContent = method !== "HEAD" && !withoutContent.has(status);
  const fields = Object.entries({ ...length, ...headers }).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const response = new Response(hasContent ? contentOf() : null, {
    status,
    statusText: reasonPhrase(status),
    headers: fields,
  });
  // A constructed response has no URL. Interceptors of fetch redefine it.
  Object.defineProperty(response, "url", { value: splitOnce(url, "#")[0], configurable: true });
  return response;
}

export function failedFetch(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}

/** Like `ReadableStream.from`, which not every runtime supports. Aborting the signal is an error. */
function streamOf<T>(pieces: AsyncGenerator<T, void>, signal: AbortSignal): ReadableStream<T> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      signal.throwIfAborted();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await pieces.return();
    },
  });
}
