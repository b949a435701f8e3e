import type { ClientContract } from "./clientContract.ts";
import { createChooser, sendAuthorized, type Credentials } from "./credentials.ts";
import { throwFailure, throwUnsent, type OperationName } from "./errors.ts";
import { hideSecrets } from "./hideSecrets.ts";
import { sendThrough } from "./middleware.ts";
import type * as openapiFetch from "./openapiFetch.ts";
import { createCall, resolveBase, type AnyInit, type Call } from "./request.ts";
import { operationOf, readBody, toResult } from "./result.ts";
import type { Client, ClientOptions, Failure, Success } from "./types.ts";

const methods = "GET PUT POST DELETE OPTIONS HEAD PATCH TRACE".split(" ");

/**
 * Creates a client with the interface of openapi-fetch. It sends the credentials that each operation
 * requires, and headers that have only one possible value. Throws a {@link TypeError} for an unusable
 * `baseUrl`, or if `validate` is set without `schemas`.
 */
export function createContractClient<Operations, Paths = unknown>(
  contract: ClientContract,
  options: ClientOptions<Credentials, unknown>,
): Client<Operations, Paths> {
  let ownMiddleware: readonly openapiFetch.Middleware[] = [];
  // JavaScript callers may pass no options. Then the error is about "baseUrl".
  const call = createRequest(contract, { ...options });
  const request = (method: string, path: string, { middleware = [], ...init }: AnyInit = {}) =>
    // JavaScript callers may pass `false` for middleware that they don't want.
    call({ method: method.toUpperCase(), path }, [...ownMiddleware, ...middleware].filter(Boolean), init);
  const untyped: unknown = {
    ...Object.fromEntries(methods.map((name) => [name, request.bind(undefined, name)])),
    request,
    use(...added: readonly openapiFetch.Middleware[]) {
      ownMiddleware = [...ownMiddleware, ...added];
    },
    eject(...removed: readonly openapiFetch.Middleware[]) {
      ownMiddleware = ownMiddleware.filter((each) => !removed.includes(each));
    },
  };
  // Operations exist only as types, so no runtime value can prove them to the compiler.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return untyped as Client<Operations, Paths>;
}

/**
 * Creates a function that calls an operation, given its name, the middleware to send it through, and the options
 * of the call.
 */
function createRequest(
  contract: ClientContract,
  { auth, validate = false, schemas, onViolation, ...given }: ClientOptions<Credentials, unknown>,
) {
  // For the platform, an undefined option is a missing one (Web IDL, dictionary types), not for the compiler.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  const options = { ...(given as openapiFetch.ClientOptions), baseUrl: resolveBase(given.baseUrl) };
  if (validate && !schemas) throw new TypeError('"validate" requires "schemas"');
  const { other } = contract;
  const chooseCredentials = createChooser(auth ?? {}, new URL(options.baseUrl).origin, contract.schemes);

  return async (
    operation: OperationName,
    middleware: readonly openapiFetch.Middleware[],
    { fetch: ownFetch, ...init }: Omit<AnyInit, "middleware">,
  ): Promise<Success<unknown> | Failure<unknown>> => {
    const name = `${operation.method} ${operation.path}`;
    const facts = contract.facts.find(({ names }) => !names || names.includes(name)) ?? {};
    const { security = [[]], empty } = facts;
    const { parseAs = "json" } = init;
    const send: (request: Request, init?: RequestInit) => Promise<Response> = ownFetch ?? options.fetch ?? fetch;
    const validateBody = (status: number | undefined, body: unknown) =>
      validate && schemas?.(operation, status, body, { validate, onViolation });
    validateBody(undefined, init.body);
    let rethrow = (error: unknown): never => {
      throw error;
    };

    // Runs after all middleware, which therefore sees no credentials and may still change the request's
    // target.
    async function authorizeAndSend(request: Request): Promise<Response> {
      const chosen = chooseCredentials(operation, security, request);
      // Vitest 2 and 3 with jsdom don't accept a signal created by a Request.
      const signal = request !== call.request && { signal: request.signal };
      return sendAuthorized(request, chosen, { ...options, ...init, ...signal }, async (authorized, secrets) => {
        rethrow = (error) => throwFailure(error, operation, request, secrets);
        const deliver = async () => hideSecrets(await send(authorized, options.requestInitExt), request.url, secrets);
        return deliver().catch(rethrow);
      });
    }

    let call: Call;
    try {
      call = createCall(operation, { ...options, fetch: authorizeAndSend }, { ...facts, other }, init);
    } catch (error) {
      throwUnsent(error, operation, [options.baseUrl]);
    }
    const response = await sendThrough(middleware, call, authorizeAndSend);
    operationOf.set(response, operation);
    const as = parseAs === "json" && other ? other.readingOf(response, facts) : parseAs;
    const received = await readBody(response, as).catch(rethrow);
    const result = toResult(operation, response, received, { parseAs: as, empty, isFile: as !== parseAs });
    if (as === "json") validateBody(response.status, result.data);
    return result;
  };
}
