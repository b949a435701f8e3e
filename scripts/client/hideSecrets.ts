/** Tells whether a text shows one of some secrets, as it is or as URLs, forms and JSON write it, also within each other. */
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
  // Without what a form may write for a space, and what JSON writes before a quotation mark.
  return decode(unescaped.replace(/[ +\\]/g, ""), depth - 1);
}

/**
 * A response that does not show secrets, and whose clones do not: without its URL, in place of which it has the given one,
 * and without headers that repeat what was sent, as `location` may, or such a status text. The same response if it shows
 * none. Its body is left alone.
 */
export function hideSecrets(response: Response, url: string, secrets: readonly string[]): Response {
  const { headers, status, statusText, body } = response;
  const isSafe = (text: string) => !showsSecret(text, secrets);
  if ([response.url, statusText, ...headers.values()].every(isSafe)) return response;
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
