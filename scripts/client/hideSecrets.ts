/** Tells whether a text shows a secret, as it is or as URLs, forms and JSON encode it, even within one another. */
export function showsSecret(text: string, secrets: readonly string[]): boolean {
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
  // Without the plus sign that a form writes for a space, and the backslash that JSON writes before a quotation mark.
  return decode(unescaped.replace(/[ +\\]/g, ""), depth - 1);
}

/**
 * Returns a response that shows no secrets, nor do its clones: it has the given URL in place of its own, and no status text
 * or header, such as `location`, that repeats one. Its body is left alone.
 */
export async function hideSecrets(response: Response, url: string, secrets: readonly string[]): Promise<Response> {
  const { headers, status, statusText } = response;
  const isSafe = (text: string) => !showsSecret(text, secrets);
  if ([response.url, statusText, ...headers.values()].every(isSafe)) return response;
  // React Native (0.88) has no streams.
  const received: Partial<Response> = response;
  const { body = await response.blob() } = received;
  // In a browser, a redirect that was not followed has status 0. A server may send any status up to 999, and any letters
  // after it. Chromium gives a 204 an empty body. No other response can be made with these.
  const copy =
    status === 0
      ? Response.error()
      : new Response([204, 205, 304].includes(status) ? null : body, {
          headers: [...headers].filter((header) => isSafe(header[1])),
          status: Math.min(status, 599),
        });
  return Object.defineProperties(copy, {
    url: { value: url },
    status: { value: status },
    statusText: { value: isSafe(statusText) ? statusText : "" },
  });
}

/**
 * Copies an error and its causes, of the same classes, without what shows a secret. Of its fields, the copy has those that
 * are errors, texts, numbers and the like: nobody can tell what other objects show, such as a `Request`.
 */
export function withoutSecrets(value: unknown, secrets: readonly string[], depth = 5): unknown {
  if (typeof value === "string") return showsSecret(value, secrets) ? "" : value;
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

/** In Jest, an error of the platform is not an instance of the global Error. */
export function isError(value: unknown): value is ErrorFields {
  return typeof value === "object" && value !== null && "name" in value && "message" in value;
}
