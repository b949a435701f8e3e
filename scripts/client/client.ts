import type { Middleware } from "openapi-fetch";
import type { ClientContract } from "./clientContract.ts";
import { authorize, chooseSchemes, type Credentials } from "./credentials.ts";
import { explainFailure } from "./errors.ts";
import { hideSecrets } from "./hideSecrets.ts";
import { sendThrough } from "./middleware.ts";
import { createCall, type AnyInit } from "./request.ts";
import { readBody, toResult } from "./response.ts";
import type { Client, ClientOptions, Failure, Success } from "./types.ts";
import { operationOf } from "./unwrap.ts";

const methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"];

type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates a client that is called like openapi-fetch's and serializes as that does, and that follows the contract: it
 * authorizes each call with the credentials that the operation names, and sends the headers that can have only one value.
 * Throws a {@link TypeError} if `baseUrl` is not a URL or has more than an origin and a path, or if there are no schemas to
 * validate with.
 */
export function createContractClient<Operations, Paths = unknown>(
  contract: ClientContract,
  { auth = {}, validate = false, schemas, onViolation, ...options }: ClientOptions<Credentials, Paths>,
): Client<Operations, Paths> {
  const origin = originOf(options.baseUrl);
  if (validate && !schemas) throw new TypeError('"validate" requires "schemas"');
  let ownMiddleware: readonly Middleware[] = [];

  async function request(
    method: string,
    path: string,
    { middleware = [], fetch: ownFetch, ...init }: AnyInit = {},
  ): Promise<Success<unknown> | Failure<unknown>> {
    const operation = { method: method.toUpperCase(), path };
    const name = `${operation.method} ${path}`;
    const { security, headers = {}, empty } = contract.operations[name] ?? contract.default;
    const { body, baseUrl, parseAs = "json" } = init;
    const send: Fetch = ownFetch ?? options.fetch ?? fetch;
    if (baseUrl) originOf(baseUrl);
    const validateBody = (status: number | undefined, value: unknown) => {
      if (validate) schemas?.(operation, status, value, validate, onViolation);
    };
    validateBody(undefined, body);
    let explain = (error: unknown) => error;

    // This runs after all middleware, which therefore sees no credentials and may still change where the request goes.
    async function authorizeAndSend(request: Request): Promise<Response> {
      const isOwn = new URL(request.url).origin === origin;
      const schemes = chooseSchemes(security, isOwn ? auth : {});
      if (!schemes) {
        const needed = security.map((alternative) => alternative.join(" and ")).join(", or ");
        throw new TypeError(`${name}: not sent, because "auth" ${isOwn ? `lacks ${needed}` : `is for ${origin}`}`);
      }
      const { authorized, secrets } = await authorize(request, schemes, auth, contract, { ...options, ...init });
      explain = (error) => explainFailure(error, operation, request, secrets);
      try {
        return hideSecrets(await send(authorized, options.requestInitExt), request.url, secrets);
      } catch (error) {
        throw explain(error);
      }
    }

    const call = createCall(operation, options, init, headers, (input, extension) =>
      authorizeAndSend(new Request(input, extension)),
    );
    // In JavaScript, there may be `false` in place of middleware that is not wanted.
    const response = await sendThrough([...ownMiddleware, ...middleware].filter(Boolean), call, authorizeAndSend);
    operationOf.set(response, operation);
    const received = await readBody(response, parseAs).catch((error: unknown) => {
      throw explain(error);
    });
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
 * The origin of a base URL. Throws a {@link TypeError} if it is not a URL that requests can have (the platform's error would
 * show a password in it), or if it has a query or a fragment, which a call's path would become part of.
 */
function originOf(baseUrl: string): string {
  try {
    const { href, origin, pathname } = new URL(new Request(baseUrl + "/").url);
    if (href === origin + pathname) return origin;
  } catch {
    // Reported below.
  }
  throw new TypeError('"baseUrl" must be an origin and a path, such as https://example.com/api');
}
