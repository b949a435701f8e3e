import { isError, withoutSecrets, type ErrorFields } from "./hideSecrets.ts";

/** An operation as the contract names it. */
export interface OperationName {
  /** In upper case. */
  readonly method: string;
  /** The path template. The values of its parameters may be private. */
  readonly path: string;
}

/** The base class of errors of calls. */
export class CallError extends Error {
  // Declared without a definition to keep bundles small. Object.assign defines them.
  declare readonly method: string;
  declare readonly path: string;

  constructor(operation: OperationName, problem: string, fields: object, options?: ErrorOptions) {
    super(`${operation.method} ${operation.path}: ${problem}`, options);
    Object.assign(this, operation, fields);
  }
}

/**
 * The response is a failure, or a success whose body is unreadable, or missing although the contract has one.
 *
 * @example
 * const { attendees } = await unwrap(client.GET("/v1/attendees")).catch((error: unknown) => {
 *   if (error instanceof ApiError && error.status === 404) return { attendees: [] };
 *   throw error;
 * });
 */
export class ApiError extends CallError {
  declare readonly status: number;
  /** The parsed body if it is JSON, otherwise its text. */
  declare readonly body: unknown;
  /** The response, whose body has already been read. */
  declare readonly response: Response;

  constructor(operation: OperationName, response: Response, body: unknown, problem: string) {
    super(operation, problem, { name: "ApiError", status: response.status, body, response });
  }
}

/**
 * No response arrived, or only part of one. `cause` has the reason. After a timeout, its name is
 * `TimeoutError`.
 *
 * @example
 * await client.GET("/v1/attendees", { signal: AbortSignal.timeout(5_000) }).catch((error: unknown) => {
 *   if (error instanceof NetworkError) console.error(error.message);
 *   throw error;
 * });
 */
export class NetworkError extends CallError {
  constructor(operation: OperationName, problem: string, options?: ErrorOptions) {
    super(operation, problem, { name: "NetworkError" }, options);
  }
}

/**
 * The call was not sent. A credential or a value in its path or query is missing or unusable, or its options
 * don't make a valid request. Neither the message nor `cause` shows the URL.
 *
 * @example
 * const isUnsent = (error: unknown) => error instanceof NotSentError;
 */
export class NotSentError extends TypeError {
  declare readonly method: string;
  declare readonly path: string;

  constructor(operation: OperationName, problem: string, options?: ErrorOptions) {
    super(`${operation.method} ${operation.path}: not sent, because ${problem}`, options);
    Object.assign(this, operation, { name: "NotSentError" });
  }
}

/** Throws a {@link NotSentError} for an error while making a request, without the secrets in that error. */
export function throwUnsent(error: unknown, operation: OperationName, secrets: readonly string[]): never {
  const cause = withoutSecrets(error, secrets);
  throw new NotSentError(operation, messageOf(cause), { cause });
}

/** Throws the reason of an aborted call, or else a {@link NetworkError} without the secrets in fetch's error. */
export function throwFailure(
  error: unknown,
  operation: OperationName,
  { url, signal }: Request,
  secrets: readonly string[],
): never {
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (signal.aborted && !(isError(reason) && reason.name === "TimeoutError")) throw reason;
  const cause = withoutSecrets(reason, secrets);
  const problem = messageOf({ name: "", message: `no complete response from ${new URL(url).origin}`, cause });
  throw new NetworkError(operation, problem, { cause });
}

/**
 * Joins the messages of an error and its causes. If all addresses of a host refuse, Node's error has a code
 * instead of a message.
 */
function messageOf(error: unknown): string {
  const { message, code, cause }: ErrorFields = isError(error) ? error : { message: error };
  const texts = [message || code, cause && messageOf(cause)];
  return texts.filter((text) => typeof text === "string" && text).join(": ");
}
