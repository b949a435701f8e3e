import type { Refusal } from "../../exchange/refusal.ts";
import { readContent, refuseSize, whenAborted } from "../../exchange/requestContent.ts";
import type { MockRequest } from "./mockRequest.ts";

/** A request that never leaves the process. `onFailure` is called if the stream of its body fails. */
export function fromFetch(request: Request, onFailure: (error: unknown) => void): MockRequest {
  const { pathname, search } = new URL(request.url);
  // happy-dom (21) keeps names as they were written. The Fetch Standard (section 2.2.2) has them in lower case.
  const headers = Array.from(request.headers, ([name, value]) => [name.toLowerCase(), value] as const);
  return {
    method: request.method,
    target: pathname + search,
    headers: Object.fromEntries(headers),
    hasBody: request.body !== null,
    readBody: ({ size }) =>
      readContent(request, size).then(
        (content) => (content === "too large" ? tooLarge(size) : content),
        (error: unknown) => {
          onFailure(error);
          return undefined;
        },
      ),
    whenGone: (listener) => whenAborted(request.signal, listener),
  };
}

/** Refuses a body that is larger than the limit, and closes the connection. */
export function tooLarge(size: number): Refusal {
  return { ...refuseSize(size, "the mock"), headers: { connection: "close" } };
}
