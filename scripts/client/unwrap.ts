import { ApiError, type OperationName } from "./errors.ts";
import type { Failure, Success } from "./types.ts";

/** The operation that each response belongs to: a result of openapi-fetch has no place for it. */
export const operationOf = new WeakMap<Response, OperationName>();

/**
 * Resolves to the data of a call, for those who prefer exceptions to results.
 * Rejects with an {@link ApiError} if the response is not a success, and with the error of the call if it rejects.
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
  // In a browser, a redirect that was not followed has status 0.
  const isRedirect = [0, 301, 302, 303, 307, 308].includes(status);
  const reason = isRedirect ? "a redirect, which calls with credentials do not follow" : statusText;
  throw new ApiError(operation, response, error, `${status} ${reason}`.trim());
}

/** Narrows a result by `response.ok`, which the compiler cannot do by itself. */
function isSuccess<Data>(result: Success<Data> | Failure<unknown>): result is Success<Data> {
  return result.response.ok;
}
