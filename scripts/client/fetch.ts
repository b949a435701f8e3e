import { keepUnknown } from "./request.ts";

/** Sends a request: the platform's `fetch`, the result of a function in this module, or a custom function. */
type SendRequest = (request: Request, init?: RequestInit) => Promise<Response>;

interface RetryOptions {
  /** Sends each attempt. Default: the platform's `fetch`. */
  fetch?: SendRequest | undefined;
  /** The number of attempts, including the first. Default: 4. */
  attempts?: number | undefined;
  /** The longest wait before an attempt, in milliseconds. Default: a minute. */
  maxWait?: number | undefined;
  /**
   * Upper-case methods of requests that can be repeated safely. Default: the idempotent ones (RFC 9110,
   * 9.2.2).
   */
  methods?: readonly string[] | undefined;
  /** The status codes after which a request is repeated. Default: 408, 429, 500, 502, 503 and 504. */
  statuses?: readonly number[] | undefined;
}

const idempotent = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"];
const temporary = [408, 429, 500, 502, 503, 504];
/** The service says with these that it hasn't handled the request. */
const refusals = [429, 503];

/**
 * Creates a `fetch` that retries a request if the response has one of `statuses`, or if there is none. With a
 * method outside of `methods` and no `Idempotency-Key`, it retries only if the response is a 429 or a 503 with
 * `Retry-After`. Each attempt has the same key. Each wait is random, up to a limit that doubles with each
 * attempt, and at least as long as `Retry-After` demands. If that is more than `maxWait`, the response is
 * returned. When the signal is aborted, the wait ends at once and rejects with its reason.
 *
 * @example
 * const client = createClient({
 *   baseUrl: "https://api.example.com",
 *   auth: { apiKey: "example-api-key" },
 *   fetch: fetchWithRetry({ fetch: fetchWithTimeout({ timeout: 10_000 }) }),
 * });
 */
export function fetchWithRetry(options: RetryOptions = {}): typeof fetch {
  const { attempts = 4, maxWait = 60_000, methods = idempotent, statuses = temporary } = options;
  return async (...input) => {
    const { request, init, signal } = prepareRequest(...input);
    const hasKey = new Headers(init.headers ?? request.headers).has("idempotency-key");
    const isRepeatable = hasKey || methods.includes(init.method ?? request.method);
    for (let attempt = 1; ; attempt++) {
      const isLast = !(attempt < attempts);
      const copy = isLast ? request : keepUnknown(request, request.clone());
      const response = await (options.fetch ?? fetch)(copy, init).catch((error: unknown) => {
        if (isLast || !isRepeatable || signal.aborted) throw withAttempts(error, attempt);
        return undefined;
      });
      const requested = requestedWait(response?.headers.get("retry-after") ?? "");
      const wait = Math.max(requested ?? 0, Math.random() * Math.min(250 * 2 ** attempt, maxWait));
      const { status = 0 } = response ?? {};
      const isRefused = refusals.includes(status) && requested !== undefined;
      const mayRepeat = !isLast && statuses.includes(status) && (isRepeatable || isRefused);
      // A timer above 31 bits fires at once.
      if (response && !(mayRepeat && wait <= Math.min(maxWait, 2 ** 31 - 1))) return withAttempts(response, attempt);

      // Node keeps the connection of an unread body open.
      void response?.body?.cancel().catch(() => undefined);
      await pause(wait, signal).catch((reason: unknown) => {
        throw withAttempts(reason, attempt);
      });
    }
  };
}

interface TimeoutOptions {
  /** The limit of each request, in milliseconds. It includes reading the response. */
  timeout: number;
  /** Sends the request. Default: the platform's `fetch`. */
  fetch?: SendRequest | undefined;
}

/** Adds the number of attempts to the response or the error of a request, for `shouldRetry` of a generation's queries. */
function withAttempts<End>(end: End, attempts: number): End {
  // A custom `fetch` may throw a text.
  if (typeof end === "object" && end !== null) Reflect.set(end, "attempts", attempts);
  return end;
}

/**
 * Creates a `fetch` with a timeout in milliseconds, from sending a request to reading its whole response. The
 * signal of the request ends both too. After a timeout, pending promises reject with an error named
 * `TimeoutError`.
 *
 * @example
 * const client = createClient({
 *   baseUrl: "https://api.example.com",
 *   auth: { apiKey: "example-api-key" },
 *   fetch: fetchWithTimeout({ timeout: 10_000 }),
 * });
 */
export function fetchWithTimeout(options: TimeoutOptions): typeof fetch {
  if (!Number.isSafeInteger(options.timeout) || options.timeout < 0) {
    throw new RangeError(`"timeout" must be a whole number of milliseconds, not ${options.timeout}`);
  }
  return async (...input) => {
    const { request, init, signal } = prepareRequest(...input);
    signal.throwIfAborted();
    // Node 20.19 loses timeouts combined with AbortSignal.any at the next garbage collection.
    const controller = new AbortController();
    for (const each of [signal, AbortSignal.timeout(options.timeout)]) {
      each.addEventListener("abort", () => {
        controller.abort(each.reason);
      });
    }
    return (options.fetch ?? fetch)(request, { ...init, signal: controller.signal });
  };
}

/**
 * The request that `fetch` would create from its arguments, its signal, and the options that a request can't
 * hold.
 */
function prepareRequest(input: string | URL | Request, { body, ...init }: RequestInit = {}) {
  const isRequest = typeof input === "object" && "clone" in input && body === undefined;
  const request = isRequest ? input : new Request(input, { ...init, body: body ?? null });
  const signal = init.signal ?? request.signal;
  return { request, init: { ...init, signal }, signal };
}

/**
 * The wait that `Retry-After` demands, in milliseconds. The header has seconds or a date (RFC 9110, section
 * 10.2.3).
 */
function requestedWait(text: string): number | undefined {
  const waits = [text ? Number(text) * 1_000 : NaN, Date.parse(text) - Date.now()];
  return waits.find((wait) => !Number.isNaN(wait));
}

/** Waits. If the signal is aborted, rejects with its reason at once. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
  signal.throwIfAborted();
}
