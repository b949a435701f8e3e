import type * as openapiFetch from "openapi-fetch";
import { createQuerySerializer, defaultBodySerializer, mergeHeaders } from "openapi-fetch";
import type { OperationName } from "./errors.ts";
import { fillPath } from "./path.ts";
import type { Init } from "./types.ts";

/** Stands for any operation: only where the client is used does the compiler know which one a call is for. */
interface AnyOperation {
  parameters: { query?: Record<string, unknown>; path?: Record<string, unknown>; header?: HeaderParameters };
  requestBody?: { content: { "*/*": unknown } };
}

type HeaderParameters = Record<string, string | undefined>;

/** The options of a call of any operation. */
export type AnyInit = Init<AnyOperation, openapiFetch.ParseAs>;

type SerializeQuery = openapiFetch.QuerySerializer<AnyOperation>;

/** A call before middleware has seen it. */
export interface Call {
  readonly request: Request;
  /** The rest of what middleware receives. */
  readonly context: Omit<openapiFetch.MiddlewareCallbackParams, "request">;
}

/**
 * Creates a call from its own options and those of its client, as openapi-fetch (0.17) does, and from the headers that can
 * have only one value. Throws if a path, a header or a body cannot be made of the given values.
 */
export function createCall(
  { method, path }: OperationName,
  options: openapiFetch.ClientOptions & { baseUrl: string },
  {
    params: { header: givenHeader, ...params } = {},
    body,
    headers,
    parseAs = "json",
    baseUrl,
    Request: OwnRequest = options.Request ?? Request,
    querySerializer,
    bodySerializer = options.bodySerializer ?? defaultBodySerializer,
    pathSerializer = options.pathSerializer ?? fillPath,
    ...init
  }: Omit<AnyInit, "middleware" | "fetch">,
  fixedHeaders: HeaderParameters,
  fetch: openapiFetch.MergedOptions["fetch"],
): Call {
  const header = { ...givenHeader };
  for (const key in fixedHeaders) header[key] ??= fixedHeaders[key];
  const serializeQuery = chooseQuerySerializer(options.querySerializer, querySerializer);
  const serializeBody: (body: unknown, headers: Headers) => BodyInit | undefined = bodySerializer;
  const ownBaseUrl = (baseUrl || options.baseUrl).replace(/\/$/, "");
  const query = serializeQuery(params.query ?? {}).replace(/^\?/, "");
  const allHeaders = [options.headers, headers, header];
  const serialized = body === undefined ? body : serializeBody(body, mergeHeaders(...allHeaders));
  const type = serialized === undefined || serialized instanceof FormData ? {} : { "Content-Type": "application/json" };
  const request = new OwnRequest(pathSerializer(ownBaseUrl + path, params.path ?? {}) + (query && "?" + query), {
    ...options,
    ...init,
    method,
    headers: mergeHeaders(type, ...allHeaders),
    body: serialized ?? null,
  });
  const context = {
    schemaPath: path,
    params: { ...params, header },
    id: Math.random().toString(36).slice(2),
    options: { baseUrl: ownBaseUrl, parseAs, querySerializer: serializeQuery, bodySerializer, pathSerializer, fetch },
  };
  return { request: keepUnknown(init, request), context };
}

/** Gives a request the options that only some implementations of `fetch` know, such as `next` and `cf`. */
export function keepUnknown(from: object, request: Request): Request {
  for (const key in from) if (!(key in request)) Reflect.set(request, key, Reflect.get(from, key));
  return request;
}

function chooseQuerySerializer(
  ofClient: SerializeQuery | openapiFetch.QuerySerializerOptions | undefined,
  ofCall: SerializeQuery | openapiFetch.QuerySerializerOptions | undefined,
): SerializeQuery {
  if (typeof ofCall === "function") return ofCall;
  if (typeof ofClient !== "function") return createQuerySerializer({ ...ofClient, ...ofCall });
  return ofCall ? createQuerySerializer(ofCall) : ofClient;
}
