import type { Middleware } from "./openapiFetch.ts";
import type { Call } from "./request.ts";

/**
 * Sends a request through middleware, by the rules of openapi-fetch (0.17). The first to see a request is the
 * last to see its response. A response returned in place of a request is final.
 */
export async function sendThrough(
  middleware: readonly Middleware[],
  { request: first, context }: Call,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  let request = first;
  for (const each of middleware) {
    const changed = await each.onRequest?.({ ...context, request });
    // In Jest, responses of the platform are not instances of the global Response. An error may have a
    // `status` too.
    if (changed && "ok" in changed) return changed;
    request = changed || request;
  }
  const outwards = [...middleware].reverse();
  let response = await send(request).catch(async (thrown: unknown) => {
    let error = thrown;
    for (const each of outwards) {
      const changed = await each.onError?.({ ...context, request, error });
      if (changed && "ok" in changed) return changed;
      error = changed || error;
    }
    throw error;
  });
  for (const each of outwards) response = (await each.onResponse?.({ ...context, request, response })) || response;
  return response;
}
