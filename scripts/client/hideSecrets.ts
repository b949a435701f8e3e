/** Returns whether a text contains a secret, as is or encoded as in URLs, forms and JSON, even several times. */
function showsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => text.includes(secret) || decode(text).includes(decode(secret)));
}

function decode(text: string, depth = 5): string {
  if (depth === 0) return text;
  const unescaped = text.replace(/(%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
  // Removes the plus signs that forms write for spaces, and the backslashes that JSON writes before quotation
  // marks.
  return decode(unescaped.replace(/[ +\\]/g, ""), depth - 1);
}

/**
 * Returns a response that shows no secrets, even in its clones. It has the given URL instead of its own. A
 * status text or a header that repeats a secret, such as `location`, is removed. The body stays unchanged.
 */
export async function hideSecrets(response: Response, url: string, secrets: readonly string[]): Promise<Response> {
  const { headers, status, statusText, attempts }: Response & { readonly attempts?: number } = response;
  const isSafe = (text: string) => !showsSecret(text, secrets);
  if ([response.url, statusText, ...headers.values()].every(isSafe)) return response;
  // React Native (0.88) doesn't support streams.
  const received: Partial<Response> = response;
  const { body = await response.blob() } = received;
  // In a browser, an unfollowed redirect has status 0. A server may send any status up to 999, with any
  // status text. Chromium gives a 204 an empty body. The Response constructor rejects these. So the copy gets
  // another failure's status at first.
  const copy = new Response([204, 205, 304].includes(status) ? null : body, {
    headers: [...headers].filter((header) => isSafe(header[1])),
    status: Math.min(status || 599, 599),
  });
  return Object.defineProperties(copy, {
    url: { value: url },
    status: { value: status },
    statusText: { value: isSafe(statusText) ? statusText : "" },
    // Of `fetchWithRetry`.
    attempts: { value: attempts },
  });
}

/**
 * Copies an error and its causes, keeps their classes, and removes secrets. Keeps fields that are errors,
 * texts, numbers and other primitives. Drops other objects, such as a `Request`, because they may show
 * secrets.
 */
export function withoutSecrets(value: unknown, secrets: readonly string[], depth = 5): unknown {
  if (typeof value === "string" && showsSecret(value, secrets)) return "";
  if (!isError(value) || depth === 0) return Object(value) === value ? undefined : value;
  const fields = ["name", "message", "code", "cause", ...Object.keys(value)].map((key): [string, unknown] => [
    key,
    withoutSecrets(Reflect.get(value, key), secrets, depth - 1),
  ]);
  const copy = Object.assign(new Error(), Object.fromEntries(fields));
  Reflect.setPrototypeOf(copy, Reflect.getPrototypeOf(value));
  return copy;
}

export type ErrorFields = Partial<Record<"name" | "message" | "code" | "cause", unknown>>;

/** In Jest, errors of the platform are not instances of the global Error. */
export function isError(value: unknown): value is ErrorFields {
  return typeof value === "object" && value !== null && "name" in value && "message" in value;
}
