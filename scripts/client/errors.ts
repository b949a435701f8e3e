/** An operation as the contract names it. */
export interface OperationName {
  /** In capitals. */
  readonly method: string;
  /** The path template: what was filled in may be private. */
  readonly path: string;
}

class CallError extends Error {
  // Declared without being defined, which keeps bundles small: Object.assign defines them.
  declare readonly method: string;
  declare readonly path: string;

  constructor(operation: OperationName, problem: string, fields: object, options?: ErrorOptions) {
    super(`${operation.method} ${operation.path}: ${problem}`, options);
    Object.assign(this, operation, fields);
  }
}

/** The response is not a success, or is a success that cannot be read. */
export class ApiError extends CallError {
  declare readonly status: number;
  /** The body: parsed if it is JSON, else its text. */
  declare readonly body: unknown;
  /** Its body has been read already. */
  declare readonly response: Response;

  constructor(operation: OperationName, response: Response, body: unknown, problem: string) {
    super(operation, problem, { name: "ApiError", status: response.status, body, response });
  }
}

/** No response arrived, or not all of it. After a timeout, `cause` is the `TimeoutError` of the signal. */
export class NetworkError extends CallError {
  constructor(operation: OperationName, problem: string, options?: ErrorOptions) {
    super(operation, problem, { name: "NetworkError" }, options);
  }
}

/**
 * What to throw if sending a request or reading its response threw `error`: what the caller aborted with is thrown as it
 * is, anything else becomes a {@link NetworkError}. It contains none of the `secrets`, which an error of fetch may quote.
 */
export function explainFailure(
  error: unknown,
  operation: OperationName,
  { url, signal }: Request,
  secrets: readonly string[],
): unknown {
  const reason = describeCauses(error);
  if (signal.aborted && !(isError(error) && error.name === "TimeoutError")) return error;
  const problem = `no complete response from ${new URL(url).origin}`;
  return secrets.some((secret) => reason.includes(secret) || reason.includes(encodeURIComponent(secret)))
    ? new NetworkError(operation, problem)
    : new NetworkError(operation, `${problem}: ${reason}`, { cause: error });
}

/** What an error and its causes say, the outermost first. */
function describeCauses(error: unknown): string {
  if (!isError(error)) return String(error);
  // If every address of a host refuses, Node's error has no message, only a code.
  const text = error.message || String(Reflect.get(error, "code"));
  return error.cause ? `${text}: ${describeCauses(error.cause)}` : text;
}

/** In Jest, an error of the platform is no instance of the global Error. */
function isError(value: unknown): value is Error {
  return typeof value === "object" && value !== null && "name" in value && "message" in value;
}
