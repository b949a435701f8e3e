import type { MockRequest } from "./mockRequest.ts";
import type { Answer } from "../content/answer.ts";

/**
 * Adds the headers that let pages of any origin read an answer
 * (https://fetch.spec.whatwg.org/#http-cors-protocol). Returns the answer unchanged if the request has no
 * Origin. Browsers ignore wildcards when a request has credentials, so the requested names are repeated.
 */
export function withCors({ method, headers }: MockRequest, answer: Answer): Answer {
  const { origin } = headers;
  if (origin === undefined) return answer;
  const added: Record<string, string | string[]> = {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    vary: [answer.headers["vary"] ?? [], "Origin"].flat().join(", "),
  };
  const requestedMethod = headers["access-control-request-method"];
  const requestedHeaders = headers["access-control-request-headers"];
  const isPreflight = method === "OPTIONS" && requestedMethod !== undefined;
  if (isPreflight) added["access-control-allow-methods"] = requestedMethod;
  if (isPreflight && requestedHeaders !== undefined) added["access-control-allow-headers"] = requestedHeaders;
  if (!isPreflight) added["access-control-expose-headers"] = Object.keys(answer.headers).join(", ");
  return { ...answer, headers: { ...answer.headers, ...added } };
}
