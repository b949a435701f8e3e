import type * as openapiFetch from "./openapiFetch.ts";
import { mergeHeaders } from "./openapiFetch.ts";
import type { OperationFacts, OtherContent } from "./clientContract.ts";
import type { OperationName } from "./errors.ts";
import { isError } from "./hideSecrets.ts";
import { createQuerySerializer, fillPath, type SerializeQuery } from "./serialize.ts";
import type { Init } from "./types.ts";

/** Stands for any operation: only where the client is used does the compiler know which one a call is for. */
interface AnyOperation {
  parameters: { query?: Record<string, unknown>; path?: Record<string, unknown>; header?: HeaderParameters };
  requestBody?: { content: { "*/*": unknown } };
}

type HeaderParameters = Record<string, string | undefined>;

export type AnyInit = Init<AnyOperation, openapiFetch.ParseAs>;

/** A call before middleware has seen it. */
export interface Call {
  readonly request: Request;
  readonly context: Omit<openapiFetch.MiddlewareCallbackParams, "request">;
}

/** Creates a call as openapi-fetch (0.17) does. Throws if a path, a header or a body cannot be made of the given values. */
export function createCall(
  { method, path }: OperationName,
  options: openapiFetch.ClientOptions & { baseUrl: string; fetch: (request: Request) => Promise<Response> },
  {
    params: { header: givenHeader, ...params } = {},
    body,
    headers,
    parseAs = "json",
    baseUrl,
    Request: OwnRequest = options.Request ?? Request,
    querySerializer,
    bodySerializer = options.bodySerializer ?? writeBody,
    pathSerializer = options.pathSerializer ?? fillPath,
    ...init
  }: Omit<AnyInit, "middleware" | "fetch">,
  { headers: fixedHeaders = {}, contentType = "application/json" }: OperationFacts,
  other: OtherContent | undefined,
): Call {
  const header = { ...givenHeader };
  for (const key in fixedHeaders) header[key] ??= fixedHeaders[key];
  const serializeQuery = chooseQuerySerializer(options.querySerializer, querySerializer);
  const serializeBody: (body: unknown, headers: Headers) => BodyInit | undefined = bodySerializer;
  const base = baseUrl ? resolveBase(baseUrl) : options.baseUrl;
  const query = serializeQuery(params.query ?? {}).replace(/^\?/, "");
  const typedHeaders = [{ "Content-Type": contentType }, options.headers, headers, header];
  const serialized = body === undefined ? body : serializeBody(body, mergeHeaders(...typedHeaders));
  // fetch writes the media type of a form, with its boundary.
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
    params: { ...params, header },
    id: Math.random().toString(36).slice(2),
    options: { baseUrl: base, parseAs, querySerializer: serializeQuery, bodySerializer, pathSerializer, fetch },
  };
  return { request: keepUnknown(init, request), context };
}

/**
 * Resolves a base URL, in a browser against the page's, to one without a slash at its end. Throws a {@link TypeError} if it
 * has more than an origin and a path, or is no URL: the platform's error would show a password in it.
 */
export function resolveBase(baseUrl: string): string {
  try {
    const page = typeof location === "undefined" ? undefined : location.href;
    const { href, origin, pathname } = new URL(baseUrl.replace(/\/?$/, "/"), page);
    if (href === origin + pathname) return href.slice(0, -1);
  } catch (error) {
    if (!isError(error) || error.name !== "TypeError") throw error;
  }
  throw new TypeError('"baseUrl" must be an origin and a path, such as https://example.com/api');
}

/** Gives a request the options that only some implementations of `fetch` know, such as `next` and `cf`. */
export function keepUnknown(from: object, request: Request): Request {
  for (const key in from) if (!(key in request)) Reflect.set(request, key, Reflect.get(from, key));
  return request;
}

/** What a request is made with: options of fetch, and the class of requests. */
export interface RequestOptions extends RequestInit {
  readonly Request?: typeof Request;
}

/**
 * Copies a request, with another URL, and with the headers and the body that are among the options. These also have what
 * cannot be read from a request: `priority`, or the `dispatcher` of Node. The copy does not follow redirects: if one leads to
 * another origin, fetch removes only `Authorization` (Fetch Standard, section 4.4), and the server may have repeated the query.
 */
export function copyRequest(request: Request, url: URL, options: RequestOptions): Request {
  // Each by itself: vitest's jsdom environment (5.1) has a Request that spreads its options, and happy-dom's (21) has no
  // enumerable fields.
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

/** Writes a body as openapi-fetch (0.17) does: as JSON, or as a form where the headers say so. */
function writeBody(body: unknown, headers?: Headers): BodyInit {
  if (body instanceof FormData) return body;
  const isForm = headers?.get("content-type") === "application/x-www-form-urlencoded";
  return isForm ? String(Reflect.construct(URLSearchParams, [body])) : JSON.stringify(body);
}

function chooseQuerySerializer(
  ofClient: SerializeQuery | openapiFetch.QuerySerializerOptions | undefined,
  ofCall: SerializeQuery | openapiFetch.QuerySerializerOptions | undefined,
): SerializeQuery {
  if (typeof ofCall === "function") return ofCall;
  if (typeof ofClient !== "function") return createQuerySerializer({ ...ofClient, ...ofCall });
  return ofCall ? createQuerySerializer(ofCall) : ofClient;
}
