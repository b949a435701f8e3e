import type { ClientContract, OperationFacts } from "./clientContract.ts";
import { keepUnknown } from "./request.ts";

/**
 * A credential, or a function that returns it. The function is called for each request, so credentials can rotate.
 *
 * @example
 * const apiKey: Credential = async () => (await fetch("https://vault.example.com/api-key")).text();
 */
export type Credential = string | (() => string | Promise<string>);

/** Credentials by the name of their security scheme. */
export type Credentials = Readonly<Record<string, Credential | undefined>>;

/**
 * Chooses the schemes to authorize a request with: the first alternative whose credentials are all given. An empty
 * alternative comes last wherever it is listed: a request is authorized if it can be.
 * Returns the names of the schemes, or `undefined` if no alternative is complete.
 */
export function chooseSchemes(
  security: OperationFacts["security"],
  credentials: Credentials,
): readonly string[] | undefined {
  const usable = security.filter((schemes) => schemes.every((scheme) => credentials[scheme]));
  return usable.find(([first]) => first) ?? usable[0];
}

/**
 * Copies a request, which was made with some options, adds the credentials of some schemes to the copy, and returns it with
 * the text of the credentials. The copy does not follow redirects: if one leads to another origin, fetch
 * removes only `Authorization` (Fetch Standard, section 4.4), and the server may have repeated the query.
 * Rejects if a credential is not a string or is empty, and if a header cannot carry it.
 */
export async function authorize(
  request: Request,
  schemes: readonly string[],
  credentials: Credentials,
  contract: ClientContract,
  options: { Request?: typeof Request },
): Promise<{ readonly authorized: Request; readonly secrets: readonly string[] }> {
  const secrets: string[] = [];
  if (schemes.length === 0) return { authorized: request, secrets };
  const headers = new Headers(request.headers);
  const url = new URL(request.url);
  for (const scheme of schemes) {
    const credential = credentials[scheme];
    const given = typeof credential === "function" ? await credential() : credential;
    // A header is sent without the whitespace around its value, such as the newline at the end of a file.
    const value = typeof given === "string" && given.trim();
    if (!value) throw new TypeError(`The credential ${scheme} must be a non-empty string.`);
    secrets.push(value);
    const { header, prefix = "" } = contract.schemes[scheme] ?? {};
    if (!header) {
      url.search += (url.search && "&") + prefix + encodeURIComponent(value);
      continue;
    }
    // Cookies share a header field (RFC 6265, section 4.2.1).
    const others = header === "Cookie" && headers.get(header);
    try {
      headers.set(header, (others ? others + "; " : "") + prefix + value);
    } catch {
      // The platform's error quotes the value.
      throw new TypeError(`The credential ${scheme} contains a character that cannot be sent in a header.`);
    }
  }
  // A browser sends the body of a Request, which is a stream, over HTTP/2 only. vitest's jsdom environment (4.1) takes no
  // Blob.
  const body = await request.arrayBuffer();
  // Each by itself: vitest's jsdom environment (5.1) has a Request that spreads its options, and happy-dom's (21) has no
  // enumerable fields.
  const { method, mode, credentials: sent, cache, integrity, keepalive, referrer, referrerPolicy, signal } = request;
  const own = { method, mode, credentials: sent, cache, integrity, keepalive, referrer, referrerPolicy, signal };
  const authorized = new (options.Request ?? Request)(url, {
    // Not all of them can be read from a Request: `priority` cannot, nor can the `dispatcher` of Node.
    ...options,
    ...own,
    headers,
    redirect: request.redirect === "error" ? "error" : "manual",
    body: body.byteLength ? body : null,
  });
  return { authorized: keepUnknown(request, authorized), secrets };
}
