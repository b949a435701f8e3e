import type * as openapiFetch from "./openapiFetch.ts";
import { mergeHeaders } from "./openapiFetch.ts";
import type { OperationFacts, OtherContent } from "./clientContract.ts";
import type { OperationName } from "./errors.ts";
import { createQuerySerializer, fillPath, writeJson, type SerializeQuery } from "./serialize.ts";
import type { Init } from "./types.ts";

/** Stands for any operation. Only the code that uses the client tells the compiler which one a call is for. */
interface AnyOperation {
  parameters: { query?: Record<string, unknown>; path?: Record<string, unknown>; header?: HeaderParameters };
  requestBody?: { content: { "*/*": unknown } };
}

type HeaderParameters = Record<string, string | undefined>;

/** The options of a call that don't depend on its operation, without `undefined`: this is how fetch declares them. */
type FetchOptions = Omit<
  openapiFetch.ClientOptions,
  "body" | "method" | "fetch" | "querySerializer" | "bodySerializer" | "requestInitExt"
>;

export type AnyInit = FetchOptions & Omit<Init<AnyOperation, openapiFetch.ParseAs>, keyof FetchOptions>;

/** A call before middleware has seen it. */
export interface Call {
  readonly request: Request;
  readonly context: Omit<openapiFetch.MiddlewareCallbackParams, "request">;
}

/**
 * Creates a call as openapi-fetch (0.17) does. Throws if the path, a header or the body can't be created from
 * the values.
 */
export function createCall(
  { method, path }: OperationName,
  options: openapiFetch.ClientOptions & {
    baseUrl: string;
    fetch: (request: Request) => Promise<Response>;
  },
  {
    headers: fixedHeaders,
    contentType = "application/json",
    other,
  }: OperationFacts & { other: OtherContent | undefined },
  {
    params: { header: givenHeader, ...params } = {},
    body,
    headers,
    parseAs = "json",
    baseUrl,
    Request: OwnRequest = options.Request ?? Request,
    querySerializer,
    bodySerializer = options.bodySerializer ?? other?.write ?? writeBody,
    pathSerializer = options.pathSerializer ?? fillPath,
    ...init
  }: Omit<AnyInit, "middleware" | "fetch">,
): Call {
  const header = { ...givenHeader };
  for (const key in fixedHeaders) header[key] ??= fixedHeaders[key];
  const serializeQuery = chooseQuerySerializer(options.querySerializer, querySerializer);
  const serializeBody: (body: unknown, headers: Headers) => BodyInit | undefined = bodySerializer;
  const base = baseUrl ? resolveBase(baseUrl) : options.baseUrl;
  const query = serializeQuery(params.query ?? {}).replace(/^\?/, "");
  const typedHeaders = [{ "content-type": contentType }, options.headers, headers, header];
  const serialized = body === undefined ? body : serializeBody(body, mergeHeaders(...typedHeaders));
  // fetch sets the media type of a form, with its boundary.
  if (serialized === undefined || serialized instanceof FormData) typedHeaders.shift();
  const sentHeaders = mergeHeaders(...typedHeaders);
  other?.correctType(sentHeaders, serialized);
  const request = new OwnRequest(pathSerializer(base + path, params.path ?? {}) + (query && "?" + query), {
    ...options,
    ...init,
    method,
    headers: sentHeaders,
    body: serialized ?? null,
  });
  const fetch = (...input: ConstructorParameters<typeof Request>) => options.fetch(new OwnRequest(...input));
  const context = {
    schemaPath: path,
    params: { ...params, ...((givenHeader ?? fixedHeaders) && { header }) },
    id: String(Math.random()),
    options: { baseUrl: base, parseAs, querySerializer: serializeQuery, bodySerializer, pathSerializer, fetch },
  };
  return { request: keepUnknown(init, request), context };
}

/**
 * Resolves a base URL, in a browser against the page's, and removes a trailing slash. Throws a
 * {@link TypeError} if it isn't a URL, or has more than an origin and a path. The platform's error could show a
 * password.
 */
export function resolveBase(baseUrl: string): string {
  try {
    const page: Partial<typeof globalThis> = globalThis;
    const { href, origin, pathname } = new URL(baseUrl.replace(/\/?$/, "/"), page.location?.href);
    if (href === origin + pathname) return href.slice(0, -1);
  } catch {
    // Reported below.
  }
  throw new TypeError('"baseUrl" must be an origin and a path, such as https://example.com/api');
}

/** Adds options to a request that only some implementations of `fetch` support, such as `next` and `cf`. */
export function keepUnknown(from: object, request: Request): Request {
  for (const key in from) if (!(key in request)) Reflect.set(request, key, Reflect.get(from, key));
  return request;
}

/** The options for creating a request: those of fetch, and the class of requests. */
export interface RequestOptions extends RequestInit {
  readonly Request?: typeof Request;
}

/**
 * Copies a request with another URL, and with the headers and the body in the options. The options also have
 * values that can't be read from a request: `priority`, or Node's `dispatcher`. The copy doesn't follow
 * redirects, because fetch removes only `Authorization` for another origin (Fetch Standard, section 4.4), and
 * the server may have repeated the query.
 */
export function copyRequest(request: Request, url: URL, options: RequestOptions): Request {
  // Passed one by one: vitest's jsdom environment (5.1) spreads the options of a Request, and happy-dom's
  // Request (21) has no enumerable fields.
  const { method, mode, credentials, cache, integrity, keepalive, referrer, referrerPolicy } = request;
  const copy = new (options.Request ?? Request)(url, {
    ...options,
    method,
    mode,
    credentials,
    cache,
    integrity,
    keepalive,
    referrer,
    referrerPolicy,
    redirect: request.redirect === "error" ? "error" : "manual",
  });
  return keepUnknown(request, copy);
}

/** Serializes a body as openapi-fetch (0.17) does: as JSON, or as a form if the headers say so. */
export function writeBody(body: unknown, headers?: Headers): FormData | string {
  if (body instanceof FormData) return body;
  const isForm = headers?.get("content-type") === "application/x-www-form-urlencoded";
  return isForm ? String(Reflect.construct(URLSearchParams, [body])) : writeJson(body);
}

function chooseQuerySerializer(
  ofClient: SerializeQuery | openapiFetch.QuerySerializerOptions | undefined,
  ofCall: SerializeQuery | openapiFetch.QuerySerializerOptions | undefined,
): SerializeQuery {
  if (typeof ofCall === "function") return ofCall;
  if (typeof ofClient !== "function") return createQuerySerializer({ ...ofClient, ...ofCall });
  return ofCall ? createQuerySerializer(ofCall) : ofClient;
}
