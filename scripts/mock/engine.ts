import { performance } from "node:perf_hooks";
import type { Generation } from "../contract/generation.ts";
import { corsHeaders } from "./cors.ts";
import { fromFetch, type MockRequest } from "./mockRequest.ts";
import type { MockOptions } from "./mockTypes.ts";
import { answerException, answerRefusal, refusalOf, type Answer } from "./problemDetails.ts";
import { maskTarget } from "./requestTarget.ts";
import { respond } from "./respond.ts";
import { serveContract } from "./servedContract.ts";
import { createSessions, keepRequest, openSession } from "./sessions.ts";

export interface EngineOptions extends Omit<MockOptions, "generation"> {
  readonly generations: readonly Generation[];
  /** The largest body that is read, in bytes. 1 MiB by default. */
  readonly bodyLimit?: number;
  /** How long a body may pause before it is given up, in milliseconds. 10 s by default. */
  readonly bodyTimeout?: number;
}

/** What answers requests, wherever they come from. */
export interface Engine {
  /** `undefined` if the client went away before its body ended. Never rejects. */
  readonly respond: (request: MockRequest) => Promise<Answer | undefined>;
  /** Has the signature of the global `fetch`, and needs no port: the host in the URL is of no account. */
  readonly fetch: typeof globalThis.fetch;
  /** Serves other generations from the next request on. Throws `RouteConflictError`, and serves the old ones on. */
  readonly replace: (generations: readonly Generation[]) => void;
}

/** Names the session that a request belongs to. */
const sessionHeader = "x-mock-session";

const tooManySessions = answerRefusal(
  refusalOf(507, {
    in: "header",
    name: sessionHeader,
    message: "There are too many sessions: reset one of them with POST /-/mock/reset, or wait until one ends.",
  }),
);

/** Throws `RouteConflictError` if two generations have the same operation. */
export function createEngine(options: EngineOptions): Engine {
  const { onRequest, dynamic = false, seed, stateless = false } = options;
  const limits = { size: options.bodyLimit ?? 2 ** 20, stall: options.bodyTimeout ?? 10_000 };
  const sessions = createSessions(options.stateLimit ?? 64 * 2 ** 20);
  let contract = serveContract(options.generations);

  const answerTo = async (request: MockRequest): Promise<Answer | undefined> => {
    const start = performance.now();
    const served = contract;
    // Whatever goes wrong with one request, the mock goes on.
    const session = openSession(sessions, request.headers[sessionHeader] ?? "");
    const store = stateless || session === undefined ? undefined : { world: session.world, budget: sessions.budget };
    const answer = await (session === undefined
      ? Promise.resolve(tooManySessions)
      : respond(request, served, { limits, dynamic, seed, store }).catch(answerException));
    if (answer === undefined) return undefined;
    const entry = {
      method: request.method,
      target: maskTarget(request.target, served.isSecret),
      status: answer.status,
      milliseconds: performance.now() - start,
      ...(answer.reason !== undefined && { reason: answer.reason }),
      ...(answer.note !== undefined && { note: answer.note }),
      ...(answer.exception !== undefined && { exception: answer.exception }),
    };
    if (session !== undefined) keepRequest(session, entry);
    onRequest?.(entry);
    return { ...answer, headers: { ...answer.headers, ...corsHeaders(request, answer.headers) } };
  };
  return {
    respond: answerTo,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      const answer = await answerTo(fromFetch(request));
      request.signal.throwIfAborted();
      return responseOf(request, answer);
    },
    replace: (generations) => {
      contract = serveContract(generations);
    },
  };
}

function responseOf({ method }: Request, answer: Answer | undefined): Response {
  const { status, headers, body } = answer ?? { status: 400, headers: {}, body: undefined };
  return new Response(method === "HEAD" || body === undefined ? null : new Uint8Array(body), { status, headers });
}
