import type { ClientContract, OperationFacts } from "./clientContract.ts";
import { createChooser, sendAuthorized, type Credentials } from "./credentials.ts";
import { explainFailure, prepare } from "./errors.ts";
import { hideSecrets } from "./hideSecrets.ts";
import { sendThrough } from "./middleware.ts";
import type * as openapiFetch from "./openapiFetch.ts";
import { createCall, resolveBase, writeBody, type AnyInit } from "./request.ts";
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
  { auth = {}, validate = false, schemas, onViolation, ...given }: ClientOptions<Credentials, Paths>,
): Client<Operations, Paths> {
  // For the platform, an undefined option is a missing one (Web IDL, dictionary types), not for the compiler.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  const options = given as openapiFetch.ClientOptions & { baseUrl: string };
  const baseUrl = resolveBase(options.baseUrl);
  if (validate && !schemas) throw new TypeError('"validate" requires "schemas"');
  const { other } = contract;
  const chooseCredentials = createChooser(auth, new URL(baseUrl).origin, contract.schemes);
  let ownMiddleware: readonly openapiFetch.Middleware[] = [];

  async function request(
    method: string,
    path: string,
    { middleware = [], fetch: ownFetch, ...init }: AnyInit = {},
  ): Promise<Success<unknown> | Failure<unknown>> {
    const operation = { method: method.toUpperCase(), path };
    const name = `${operation.method} ${path}`;
    const facts: OperationFacts = contract.facts.find(({ names }) => !names || names.includes(name)) ?? {};
    const { security = [[]], empty } = facts;
    const { parseAs = "json" } = init;
    const send: (request: Request, init?: RequestInit) => Promise<Response> = ownFetch ?? options.fetch ?? fetch;
    const validateBody = (status: number | undefined, value: unknown) => {
      if (validate) schemas?.(operation, status, value, validate, onViolation);
    };
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
        rethrow = (error) => {
          throw explainFailure(error, operation, request, secrets);
        };
        const deliver = async () => hideSecrets(await send(authorized, options.requestInitExt), request.url, secrets);
        return deliver().catch(rethrow);
      });
    }

    const call = prepare(operation, [baseUrl], () =>
      createCall(
        operation,
        {
          ...options,
          bodySerializer: options.bodySerializer ?? other?.write ?? writeBody,
          baseUrl,
          fetch: authorizeAndSend,
        },
        init,
        facts,
        other,
      ),
    );
    // JavaScript callers may pass `false` for middleware that they don't want.
    const response = await sendThrough([...ownMiddleware, ...middleware].filter(Boolean), call, authorizeAndSend);
    operationOf.set(response, operation);
    const as = parseAs === "json" && other ? other.readingOf(response, facts) : parseAs;
    const received = await readBody(response, as).catch(rethrow);
    const result = toResult(operation, response, received, { parseAs: as, empty, isFile: as !== parseAs });
    if (as === "json") validateBody(response.status, result.data);
    return result;
  }

  const named = [...methods, ...(contract.methods ?? [])];
  const untyped: unknown = {
    ...Object.fromEntries(
      named.map((method) => [method, (path: string, init?: AnyInit) => request(method, path, init)]),
    ),
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
