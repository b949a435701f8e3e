import { ApiError, type OperationName } from "./errors.ts";
import type { Failure, Success } from "./types.ts";

/** Which operation a response belongs to: a result of openapi-fetch has no place for it. */
const operations = new WeakMap<Response, OperationName>();

export function rememberOperation(response: Response, operation: OperationName): void {
  operations.set(response, operation);
}

/**
 * Resolves to the data of a call, for those who prefer exceptions: `await unwrap(client.GET("/teams"))`.
 * Rejects with an {@link ApiError} if the response is not a success, and with whatever the call rejects with.
 */
export async function unwrap<Data>(call: Promise<Success<Data> | Failure<unknown>>): Promise<Data> {
  const result = await call;
  if (isSuccess(result)) return result.data;
  const { response, error } = result;
  throw new ApiError(
    operations.get(response) ?? { method: "", path: response.url },
    response,
    error,
    describeStatus(response),
  );
}

/** What `response.ok` says about the result that it is part of, which the compiler does not see. */
function isSuccess<Data>(result: Success<Data> | Failure<unknown>): result is Success<Data> {
  return result.response.ok;
}

function describeStatus({ status, statusText }: Response): string {
  // In a browser, a redirect that was not followed has status 0.
  const redirect = [0, 301, 302, 303, 307, 308].includes(status);
  const reason = redirect ? "a redirect, which calls with credentials do not follow" : statusText;
  return `${status} ${reason}`.trim();
}
