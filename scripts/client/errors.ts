import { showsSecret } from "./hideSecrets.ts";

/** An operation as the contract names it. */
export interface OperationName {
  /** In capitals. */
  readonly method: string;
  /** The path template: the values of its parameters may be private. */
  readonly path: string;
}

/** The error of a call. */
export class CallError extends Error {
  // Declared without being defined, which keeps bundles small: Object.assign defines them.
  declare readonly method: string;
  declare readonly path: string;

  constructor(operation: OperationName, problem: string, fields: object, options?: ErrorOptions) {
    super(`${operation.method} ${operation.path}: ${problem}`, options);
    Object.assign(this, operation, fields);
  }
}

/**
 * The response is a failure, or it is a success whose body cannot be read or is missing although the contract has one.
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
 * No response arrived, or only part of one. `cause` says why; after a timeout, its name is `TimeoutError`.
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
 * The error to throw when sending a request or reading its response threw `error`: the caller's reason if the call was
 * aborted, otherwise a {@link NetworkError}. That contains none of the `secrets`, which an error of fetch may quote or hold
 * in a field.
 */
export function explainFailure(
  error: unknown,
  operation: OperationName,
  { url, signal }: Request,
  secrets: readonly string[],
): unknown {
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (signal.aborted && !(isError(reason) && reason.name === "TimeoutError")) return reason;
  const cause = copyError(reason, secrets);
  return new NetworkError(operation, joinTexts(`no complete response from ${new URL(url).origin}`, cause.message), {
    cause,
  });
}

/** Copies the name, code and message of an error and of its causes, leaving out every text that shows a secret. */
function copyError(error: unknown, secrets: readonly string[], depth = 5): Error {
  const safe = (text: unknown) => (typeof text === "string" && !showsSecret(text, secrets) ? text : "");
  const { name, message, code, cause }: ErrorFields = isError(error) ? error : { name: "Error", message: error };
  const inner = cause && depth > 0 ? { cause: copyError(cause, secrets, depth - 1) } : undefined;
  // If every address of a host refuses, Node's error has no message, only a code.
  const copy = new Error(joinTexts(safe(message || code), inner?.cause.message), inner);
  return Object.assign(copy, { name: safe(name), ...(typeof code === "string" && { code: safe(code) }) });
}

function joinTexts(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(": ");
}

type ErrorFields = Partial<Record<"name" | "message" | "code" | "cause", unknown>>;

/** In Jest, an error of the platform is not an instance of the global Error. */
function isError(value: unknown): value is ErrorFields {
  return typeof value === "object" && value !== null && "name" in value && "message" in value;
}
