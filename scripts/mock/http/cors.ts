import type { Answer } from "../response/answer.ts";
import type { Headers, MockRequest } from "../request/mockRequest.ts";

/** An answer with the headers that let pages of any origin read it. */
export function withCors(request: MockRequest, answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, ...corsHeaders(request, answer.headers) } };
}

/**
 * Headers by which a browser lets pages of any origin use the mock (https://fetch.spec.whatwg.org/#http-cors-protocol).
 * With credentials a wildcard has no meaning, so what the request names is repeated. Empty without an Origin.
 */
function corsHeaders({ method, headers }: MockRequest, answered: Headers): Headers {
  const { origin } = headers;
  if (origin === undefined) return {};
  const common = {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    vary: "Origin",
  };
  const requestedMethod = headers["access-control-request-method"];
  if (method !== "OPTIONS" || requestedMethod === undefined) {
    return { ...common, "access-control-expose-headers": Object.keys(answered).join(", ") };
  }
  const requestedHeaders = headers["access-control-request-headers"];
  return {
    ...common,
    "access-control-allow-methods": requestedMethod,
    ...(requestedHeaders !== undefined && { "access-control-allow-headers": requestedHeaders }),
  };
}
