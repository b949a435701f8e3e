import createFetchClient, { type FetchOptions } from "openapi-fetch";
import type { ClientContract } from "./clientContract.ts";
import { authorize, chooseSchemes, hideSecrets, type Credentials } from "./credentials.ts";
import { ApiError, explainFailure } from "./errors.ts";
import { fillPath } from "./path.ts";
import type { Client, ClientOptions, Failure, Success } from "./types.ts";
import { rememberOperation } from "./unwrap.ts";

type Method = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

/** Stands for any operation: only where the client is used does the compiler know which one a call is for. */
interface AnyOperation {
  parameters: { query?: Record<string, unknown>; path?: Record<string, unknown>; header?: Record<string, unknown> };
  requestBody?: { content: { "*/*": unknown } };
  responses: Record<200 | "default", { content: { "*/*": unknown } }>;
}

type AnyInit = FetchOptions<AnyOperation>;
type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/** A body as it was read: as a string, a Blob or an ArrayBuffer, or as a stream, whose size is not known. */
interface Measured {
  readonly length?: unknown;
  readonly size?: unknown;
  readonly byteLength?: unknown;
}

/**
 * A client of openapi-fetch that also does what the contract says: it authorizes each call with what the operation
 * names, and sends the headers that can have only one value. Throws where `baseUrl` is no URL or has more than an origin
 * and a path, and where there are no schemas to validate with.
 */
export function createContractClient<Operations, Paths = unknown>(
  contract: ClientContract,
  { auth = {}, validate = false, schemas, onViolation, ...options }: ClientOptions<Credentials, Paths>,
): Client<Operations, Paths> {
  const origin = originOf(options.baseUrl);
  if (validate && !schemas) throw new TypeError('"validate" requires "schemas"');
  const client = createFetchClient<Record<string, Record<Method, AnyOperation>>>({
    pathSerializer: fillPath,
    ...options,
  });
  // By the `fetch` of its call: the first middleware sees a response last, and what fails then is reading the body.
  const handled = new WeakSet<object>();
  client.use({
    onResponse({ options }) {
      handled.add(options.fetch);
    },
  });

  async function request(
    method: Method,
    path: string,
    init: AnyInit = {},
  ): Promise<Success<unknown> | Failure<unknown>> {
    const operation = { method: method.toUpperCase(), path };
    const name = `${operation.method} ${path}`;
    const { security, headers, empty } = contract.operations[name] ?? contract.default;
    const { parseAs = "json", params, baseUrl } = init;
    const header: Record<string, unknown> = { ...params?.header };
    for (const key in headers) header[key] ??= headers[key];
    if (baseUrl) originOf(baseUrl);
    const validateBody = (status: number | undefined, body: unknown) => {
      if (validate && body !== undefined) schemas?.(operation, status, body, validate, onViolation);
    };
    validateBody(undefined, init.body);
    const send: Fetch = init.fetch ?? options.fetch ?? fetch;
    let explain = (error: unknown) => error;

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
        return hideSecrets(await send(authorized, extension), request.url, secrets);
      } catch (error) {
        throw explain(error);
      }
    }

    let result;
    try {
      result = await client.request(method, path, {
        ...init,
        // Without an object, openapi-fetch sends the template.
        params: { ...params, path: { ...params?.path }, header },
        // JSON is parsed below, where what is not JSON can still be shown.
        parseAs: parseAs === "json" ? "text" : parseAs,
        fetch: authorizeAndSend,
      });
    } catch (error) {
      throw handled.has(authorizeAndSend) ? explain(error) : error;
    }
    const { data, response }: { data?: unknown; response: Response } = result;
    rememberOperation(response, operation);
    const unreadable = (why: string) => new ApiError(operation, response, data, `${response.status}, but ${why}`);
    const { length, size = length, byteLength = size }: Measured = data ?? "";
    if (response.ok && !empty && byteLength === 0) throw unreadable("it has no body");
    if (parseAs !== "json" || typeof data !== "string") return result;
    let parsed: unknown;
    try {
      parsed = data ? JSON.parse(data) : undefined;
    } catch {
      throw unreadable("its body is not JSON");
    }
    validateBody(response.status, parsed);
    return { data: parsed, response };
  }

  const calls = Object.keys(client)
    .filter(isMethod)
    .map((method) => [method, (path: string, init?: AnyInit) => request(method, path, init)]);
  const untyped: unknown = { ...client, ...Object.fromEntries(calls), request };
  // The operations are types alone: nothing that is here at run time could show them to the compiler.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return untyped as Client<Operations, Paths>;
}

/** openapi-fetch's functions for methods have their names in capitals. It takes a method in either case. */
function isMethod(name: string): name is Method {
  return /^[A-Z]/.test(name);
}

/**
 * Throws a {@link TypeError} for what is no URL of requests, whose platform's error shows the password in it, and for a
 * query and a fragment, of which a call's path would be a part.
 */
function originOf(baseUrl: string): string {
  try {
    const { href, origin, pathname } = new URL(new Request(baseUrl + "/").url);
    if (href === origin + pathname) return origin;
  } catch {
    // Told below.
  }
  throw new TypeError('"baseUrl" must be a URL with nothing but an origin and a path');
}
