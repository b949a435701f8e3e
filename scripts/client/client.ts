import type { Middleware } from "./openapiFetch.ts";
import type { ClientContract } from "./clientContract.ts";
import { authorize, chooseSchemes, type Credentials } from "./credentials.ts";
import { explainFailure, NotSentError, prepare } from "./errors.ts";
import { hideSecrets } from "./hideSecrets.ts";
import { createCall, resolveBase, type AnyInit, type Call } from "./request.ts";
import { operationOf, readBody, toResult } from "./result.ts";
import type { Client, ClientOptions, Failure, Success } from "./types.ts";

const methods = "GET PUT POST DELETE OPTIONS HEAD PATCH TRACE".split(" ");

/**
 * Creates a client that is called like openapi-fetch's, sends the credentials that each operation names, and the headers that
 * can have only one value. Throws a {@link TypeError} for an unusable `baseUrl`, or if there are no schemas to validate with.
 */
export function createContractClient<Operations, Paths = unknown>(
  contract: ClientContract,
  { auth = {}, validate = false, schemas, onViolation, ...options }: ClientOptions<Credentials, Paths>,
): Client<Operations, Paths> {
  const baseUrl = resolveBase(options.baseUrl);
  const { origin } = new URL(baseUrl);
  if (validate && !schemas) throw new TypeError('"validate" requires "schemas"');
  const given = auth === "none" ? {} : auth;
  let ownMiddleware: readonly Middleware[] = [];

  async function request(
    method: string,
    path: string,
    { middleware = [], fetch: ownFetch, ...init }: AnyInit = {},
  ): Promise<Success<unknown> | Failure<unknown>> {
    const operation = { method: method.toUpperCase(), path };
    const name = `${operation.method} ${path}`;
    const { facts, schemes: places } = contract;
    const { security = [[]], headers = {}, empty } = facts.find(({ names }) => !names || names.includes(name)) ?? {};
    const { body, parseAs = "json" } = init;
    const send: (request: Request, init?: RequestInit) => Promise<Response> = ownFetch ?? options.fetch ?? fetch;
    const validateBody = (status: number | undefined, value: unknown) => {
      if (validate) schemas?.(operation, status, value, validate, onViolation);
    };
    validateBody(undefined, body);
    let rethrow = (error: unknown): never => {
      throw error;
    };

    // This runs after all middleware, which therefore sees no credentials and may still change where the request goes.
    async function authorizeAndSend(request: Request): Promise<Response> {
      const isOwn = new URL(request.url).origin === origin;
      const credentials = isOwn ? given : {};
      const schemes = chooseSchemes(auth === "none" ? [[]] : security, credentials, places, request.headers);
      if (!schemes) {
        const needed = security.map((alternative) => alternative.join(" and ")).join(", or ");
        throw new NotSentError(operation, `"auth" ${isOwn ? `lacks ${needed}` : `is for ${origin}`}`);
      }
      // A browser sends the body of a Request, which is a stream, over HTTP/2 only.
      const content = schemes[0] && (await request.arrayBuffer());
      // Vitest 2 and 3 with jsdom take no signal that a Request has made by itself.
      const signal = request !== call.request && { signal: request.signal };
      const all = { ...options, ...init, ...signal };
      for (let refused: Response | undefined; ;) {
        const { authorized, secrets } = content
          ? await authorize(request, content, operation, schemes, credentials, places, all, refused)
          : { authorized: request, secrets: [] };
        rethrow = (error) => {
          throw explainFailure(error, operation, request, secrets);
        };
        const received = await (async () => send(authorized, options.requestInitExt))().catch(rethrow);
        const response = await hideSecrets(received, request.url, secrets).catch(rethrow);
        const isRenewing = schemes.some((scheme) => typeof credentials[scheme] === "object");
        if (refused || response.status !== 401 || !isRenewing) return response;
        refused = response;
      }
    }

    const call = prepare(operation, [baseUrl], () =>
      createCall(operation, { ...options, baseUrl }, init, headers, authorizeAndSend),
    );
    // In JavaScript, there may be `false` in place of middleware that is not wanted.
    const response = await sendThrough([...ownMiddleware, ...middleware].filter(Boolean), call, authorizeAndSend);
    operationOf.set(response, operation);
    const received = await readBody(response, parseAs).catch(rethrow);
    const result = toResult(operation, response, received, parseAs, empty);
    if (parseAs === "json") validateBody(response.status, result.data);
    return result;
  }

  const untyped: unknown = {
    ...Object.fromEntries(
      methods.map((method) => [method, (path: string, init?: AnyInit) => request(method, path, init)]),
    ),
    request,
    use(...added: readonly Middleware[]) {
      ownMiddleware = [...ownMiddleware, ...added];
    },
    eject(...removed: readonly Middleware[]) {
      ownMiddleware = ownMiddleware.filter((each) => !removed.includes(each));
    },
  };
  // The operations are types alone: nothing that is here at run time could show them to the compiler.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return untyped as Client<Operations, Paths>;
}

/**
 * Sends a request through middleware, by the rules of openapi-fetch (0.17): the first to see a request is the last to see its
 * response, and a response returned in place of a request is final.
 */
async function sendThrough(
  middleware: readonly Middleware[],
  { request: first, context }: Call,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  let request = first;
  for (const each of middleware) {
    const changed = await each.onRequest?.({ ...context, request });
    if (!changed) continue;
    // In Jest, a response of the platform is not an instance of the global Response. An error may have a `status` too.
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
