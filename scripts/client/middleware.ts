import type { Middleware } from "openapi-fetch";
import type { Call } from "./request.ts";

/**
 * Sends a request through middleware, in the order and with the rules of openapi-fetch (0.17): those who see a request
 * first see its response last, and a response in place of a request is final.
 * Rejects with what middleware throws, and with what sending throws where no middleware makes a response of it.
 */
export async function sendThrough(
  middleware: readonly Middleware[],
  { request: first, context }: Call,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  let request = first;
  for (const each of middleware) {
    const changed = await each.onRequest?.({ ...context, request });
    if (!changed) continue;
    // In Jest, a response of the platform is no instance of the global Response. An error may have a `status` too.
    if ("ok" in changed) return changed;
    request = changed;
  }
  const outwards = [...middleware].reverse();
  let response;
  try {
    response = await send(request);
  } catch (thrown) {
    let error: unknown = thrown;
    for (const each of outwards) {
      const changed = await each.onError?.({ ...context, request, error });
      if (!changed) continue;
      if ("ok" in changed) {
        response = changed;
        break;
      }
      error = changed;
    }
    if (!response) throw error;
  }
  for (const each of outwards) response = (await each.onResponse?.({ ...context, request, response })) || response;
  return response;
}
