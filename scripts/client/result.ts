import type { ParseAs } from "./openapiFetch.ts";
import { ApiError, type OperationName } from "./errors.ts";
import type { Failure, Success } from "./types.ts";

/** A body that was read: a string, a Blob, an ArrayBuffer, or a stream of unknown size. */
type Measured = Partial<Record<"length" | "size" | "byteLength", unknown>>;

/**
 * Reads a body as a call requests. JSON and bodies of failures are read as text first, so that malformed JSON
 * can be shown.
 */
export async function readBody(response: Response, parseAs: ParseAs): Promise<unknown> {
  if (!response.ok || parseAs === "json") return response.text();
  return parseAs === "stream" ? response.body : response[parseAs]();
}

/** The expected body of a successful response. */
interface Expected {
  readonly parseAs: ParseAs;
  /** The body may be missing. */
  readonly empty: boolean | undefined;
  /** True for a file or a text in the contract, which may be empty. */
  readonly isFile: boolean;
}

/**
 * Creates the result of a call. Throws an {@link ApiError} for a success whose body is missing or isn't the
 * requested JSON.
 */
export function toResult(
  operation: OperationName,
  response: Response,
  body: unknown,
  { parseAs, empty, isFile }: Expected,
): Success<unknown> | Failure<unknown> {
  const { ok, status } = response;
  const unreadable = (why: string) => new ApiError(operation, response, body, `${status}, but ${why}`);
  const { length, size = length, byteLength = size }: Measured = body ?? "";
  let data = body;
  if (byteLength === 0) {
    if (!ok || empty) data = undefined;
    else if (!isFile) throw unreadable("it has no body");
  } else if (typeof body === "string" && (!ok || parseAs === "json")) {
    try {
      data = JSON.parse(body);
    } catch {
      if (ok) throw unreadable(`its ${response.headers.get("content-type") ?? "untyped"} body is not JSON`);
    }
  }
  return ok ? { data, response } : { error: data, response };
}

/** The operation of each response, since a result of openapi-fetch can't hold it. */
export const operationOf = new WeakMap<Response, OperationName>();

/**
 * Resolves to the data of a call, for callers who prefer exceptions to results. Rejects with an
 * {@link ApiError} if the response is not a success, and with the error of the call if it rejects.
 *
 * @example
 * const { attendees } = await unwrap(client.GET("/v1/attendees"));
 */
export async function unwrap<Data>(call: Promise<Success<Data> | Failure<unknown>>): Promise<Data> {
  const result = await call;
  if (isSuccess(result)) return result.data;
  const { response, error } = result;
  const { status, statusText, url } = response;
  const operation = operationOf.get(response) ?? { method: "", path: url };
  // In a browser, an unfollowed redirect has status 0.
  const isRedirect = [0, 301, 302, 303, 307, 308].includes(status);
  const reason = isRedirect ? "a redirect, which calls with credentials do not follow" : statusText;
  throw new ApiError(operation, response, error, `${status} ${reason}`.trim());
}

/** Narrows a result by `response.ok`, which the compiler cannot do by itself. */
function isSuccess<Data>(result: Success<Data> | Failure<unknown>): result is Success<Data> {
  return result.response.ok;
}
