/** An operation as the contract names it. */
export interface OperationName {
  /** In capitals. */
  readonly method: string;
  /** The path template: a parameter of the path may be nobody's business. */
  readonly path: string;
}

/** The service answered, but not with a success, or with a success that cannot be read. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly method: string;
  readonly path: string;
  /** The body: parsed where it is JSON, else its text. */
  readonly body: unknown;
  // Private, because what logs an error shows its fields, and a response shows its URL and its headers.
  readonly #response: Response;

  constructor({ method, path }: OperationName, response: Response, body: unknown, problem: string) {
    super(`${method} ${path}: ${problem}`);
    this.method = method;
    this.path = path;
    this.status = response.status;
    this.body = body;
    this.#response = response;
  }

  /** Its body has been read already. */
  get response(): Response {
    return this.#response;
  }
}

/** No answer came, or not all of it. A timeout has `cause.name` `TimeoutError`. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly method: string;
  readonly path: string;

  constructor({ method, path }: OperationName, problem: string, cause: unknown) {
    super(`${method} ${path}: ${problem}`, { cause });
    this.method = method;
    this.path = path;
  }
}

/**
 * What to throw where sending a request, or reading its answer, threw `error`: what the caller aborted with is theirs,
 * anything else becomes a {@link NetworkError}. It holds none of the `secrets`, which an error of fetch may quote.
 */
export function explainFailure(
  error: unknown,
  operation: OperationName,
  { url, signal }: Request,
  secrets: readonly string[],
): unknown {
  const timedOut = error instanceof Error && error.name === "TimeoutError";
  if (signal.aborted && !timedOut) return error;
  const reason = timedOut ? "timed out" : describeCauses(error);
  const leaks = secrets.some((secret) => reason.includes(secret) || reason.includes(encodeURIComponent(secret)));
  const { origin } = new URL(url);
  return leaks
    ? new NetworkError(operation, `no complete answer from ${origin}`, undefined)
    : new NetworkError(operation, `no complete answer from ${origin} (${reason})`, error);
}

/** What an error and its causes say, the outermost first. */
function describeCauses(error: unknown): string {
  const texts: string[] = [];
  for (let cause = error; cause instanceof Error && texts.length < 5; cause = cause.cause) {
    // Where every address of a host refuses, Node's error has no message, only a code.
    texts.push(cause.message || ("code" in cause && typeof cause.code === "string" ? cause.code : cause.name));
  }
  return texts.join(": ") || String(error);
}
