import createFetchClient, { type FetchOptions } from "openapi-fetch";
import type { ClientContract } from "./clientContract.ts";
import { authorize, chooseSchemes, type Credentials } from "./credentials.ts";
import { ApiError, explainFailure } from "./errors.ts";
import { fillPath } from "./path.ts";
import type { Client, ClientOptions, Failure, Success } from "./types.ts";
import { rememberOperation } from "./unwrap.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
type Method = (typeof methods)[number];

/** Stands for any operation: only where the client is used does the compiler know which one a call is for. */
interface AnyOperation {
  parameters: { query?: Record<string, unknown>; path?: Record<string, unknown>; header?: Record<string, unknown> };
  requestBody?: { content: { "*/*": unknown } };
  responses: Record<200 | "default", { content: { "*/*": unknown } }>;
}

type AnyInit = FetchOptions<AnyOperation>;
type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/**
 * A client of openapi-fetch that also does what the contract says: it authorizes each call with what the operation
 * names, and sends the headers that can have only one value. Throws where `baseUrl` is no URL.
 */
export function createContractClient<Operations>(
  contract: ClientContract,
  { auth = {}, ...options }: ClientOptions<Credentials>,
): Client<Operations> {
  const { origin } = new URL(new Request(options.baseUrl).url);
  const client = createFetchClient<Record<string, Record<Method, AnyOperation>>>({
    pathSerializer: fillPath,
    ...options,
  });

  async function request(
    method: Method,
    path: string,
    init: AnyInit = {},
  ): Promise<Success<unknown> | Failure<unknown>> {
    const operation = { method: method.toUpperCase(), path };
    const name = `${operation.method} ${path}`;
    const { security, headers } = contract.operations[name] ?? contract.default;
    const { parseAs = "json", params } = init;
    const send: Fetch = init.fetch ?? options.fetch ?? fetch;
    let explain = (error: unknown) => error;
    let received: Response | undefined;

    // This runs after all middleware, which therefore sees no credentials and may still change where the request goes.
    async function authorizeAndSend(request: Request, extension?: RequestInit): Promise<Response> {
      const isOwn = new URL(request.url).origin === origin;
      const schemes = chooseSchemes(security, isOwn ? auth : {});
      if (!schemes) {
        throw new TypeError(`${name}: not sent, because "auth" ${isOwn ? `lacks ${security}` : `is for ${origin}`}`);
      }
      const { authorized, secrets } = await authorize(request, schemes, auth, contract);
      explain = (error) => explainFailure(error, operation, request, secrets);
      try {
        received = await send(authorized, extension);
      } catch (error) {
        throw explain(error);
      }
      // What logs a response shows its URL.
      if (authorized.url !== request.url) Object.defineProperty(received, "url", { value: request.url });
      return received;
    }

    let result;
    try {
      result = await client.request(method, path, {
        ...init,
        params: { path: {}, ...params, header: { ...headers, ...params?.header } },
        // JSON is parsed below, where what is not JSON can still be shown.
        parseAs: parseAs === "json" ? "text" : parseAs,
        fetch: authorizeAndSend,
      });
    } catch (error) {
      // Where the body was touched, it broke off.
      throw received?.bodyUsed ? explain(error) : error;
    }
    const { data, response } = result;
    rememberOperation(response, operation);
    if (parseAs !== "json" || typeof data !== "string") return result;
    try {
      return { data: data === "" ? undefined : JSON.parse(data), response };
    } catch {
      throw new ApiError(operation, response, data, `${response.status}, but its body is not JSON`);
    }
  }

  const calls = methods.map((method) => [
    method.toUpperCase(),
    (path: string, init?: AnyInit) => request(method, path, init),
  ]);
  const untyped: unknown = { ...client, ...Object.fromEntries(calls), request };
  // The operations are types alone: nothing that is here at run time could show them to the compiler.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return untyped as Client<Operations>;
}
