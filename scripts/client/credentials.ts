import type { ClientContract, OperationFacts } from "./clientContract.ts";
import { NotSentError, type OperationName } from "./errors.ts";
import { keepUnknown } from "./request.ts";

/**
 * A credential, or a function that returns it. The function is called for each request, so credentials can rotate. What
 * `renewing` returns is one too.
 *
 * @example
 * const apiKey: Credential = async () => (await fetch("https://vault.example.com/api-key")).text();
 */
export type Credential = string | (() => string | Promise<string>) | RenewingCredential;

/** Gets the token of a request, or another one after a response has refused it. */
export type RenewingCredential = { readonly token: (request: Request, refused?: Response) => Promise<string> };

/** Credentials by the name of their security scheme. */
export type Credentials = Readonly<Record<string, Credential | undefined>>;

/**
 * Chooses the schemes of a request: the first alternative whose credentials are all given, or else the first that the
 * request's own headers complete, or else an empty one. Returns `undefined` if no alternative is complete.
 */
export function chooseSchemes(
  security: NonNullable<OperationFacts["security"]>,
  credentials: Credentials,
  places: ClientContract["schemes"],
  headers: Headers,
): readonly string[] | undefined {
  const find = (isGiven: (scheme: string) => unknown) =>
    security.find((schemes) => schemes[0] && schemes.every(isGiven));
  const isSent = (scheme: string) => {
    const [header, prefix = ""] = places[scheme] ?? [];
    return credentials[scheme] || (header && headers.get(header)?.includes(prefix));
  };
  return find((scheme) => credentials[scheme]) ?? find(isSent) ?? security.find(([first]) => !first);
}

/**
 * Copies a request with its body, and adds the credentials of some schemes, whose texts it returns too. The copy does not
 * follow redirects: if one leads to another origin, fetch removes only `Authorization` (Fetch Standard, section 4.4), and the
 * server may have repeated the query. Rejects with what the function for a credential throws, or a {@link NotSentError}.
 */
export async function authorize(
  request: Request,
  body: ArrayBuffer,
  operation: OperationName,
  schemes: readonly string[],
  credentials: Credentials,
  places: ClientContract["schemes"],
  options: { Request?: typeof Request },
  refused?: Response,
): Promise<{ readonly authorized: Request; readonly secrets: readonly string[] }> {
  const secrets: string[] = [];
  const headers = new Headers(request.headers);
  const url = new URL(request.url);
  for (const scheme of schemes) {
    const [header, prefix = ""] = places[scheme] ?? [];
    const sent = header && headers.get(header);
    const credential = credentials[scheme];
    if (sent && !credential) {
      secrets.push(sent.slice(prefix.length));
      continue;
    }
    const unusable = (why: string) => new NotSentError(operation, `the credential ${scheme} ${why}`);
    const given = typeof credential === "object" ? credential.token(request, refused) : credential;
    const text: unknown = await (typeof given === "function" ? given() : given);
    // A header is sent without the whitespace around its value, such as the newline at the end of a file.
    const value = typeof text === "string" && text.trim();
    if (!value) throw unusable("is empty or no string");
    secrets.push(value);
    if (!header) {
      url.search += (url.search && "&") + prefix + encodeURIComponent(value);
      continue;
    }
    try {
      // Cookies share a header field (RFC 6265, section 4.2.1).
      headers.set(header, (sent && header === "Cookie" ? sent + "; " : "") + prefix + value);
    } catch {
      // The platform's error quotes the value.
      throw unusable("cannot be sent in a header");
    }
  }
  // Each by itself: vitest's jsdom environment (5.1) has a Request that spreads its options, and happy-dom's (21) has no
  // enumerable fields.
  const fields = "method mode credentials cache integrity keepalive referrer referrerPolicy".split(" ");
  const own: RequestInit = Object.fromEntries(fields.map((field) => [field, Reflect.get(request, field)]));
  const authorized = new (options.Request ?? Request)(url, {
    // Not all of them can be read from a Request: `priority` cannot, nor can the `dispatcher` of Node.
    ...options,
    ...own,
    headers,
    redirect: request.redirect === "error" ? "error" : "manual",
    // vitest's jsdom environment (4.1) takes no Blob.
    body: body.byteLength ? body : null,
  });
  return { authorized: keepUnknown(request, authorized), secrets };
}

/**
 * Makes a credential of a function that gets tokens. Each token is used until the service refuses it with a 401. Then the
 * function is called again, once for all calls, and each refused call is sent once more. What it throws, calls reject with.
 *
 * @example
 * const apiKey = renewing(async () => (await fetch("https://vault.example.com/api-key")).text());
 */
export function renewing(
  getToken: (why: { reason: "first" | "refused"; response: Response | undefined }) => string | Promise<string>,
): RenewingCredential {
  const sent = new WeakMap<Request, Promise<string>>();
  let current: Promise<string> | undefined;
  const renew = async (refused: Response | undefined) =>
    getToken({ reason: refused ? "refused" : "first", response: refused });
  return {
    async token(request, refused) {
      if (!current || (refused && sent.get(request) === current)) {
        const renewed = renew(refused);
        current = renewed;
        // The next call tries again.
        renewed.catch(() => (current = current === renewed ? undefined : current));
      }
      sent.set(request, current);
      const token = await current;
      // Node keeps the connection of a body that nobody reads. The function may have read this one.
      await refused?.body?.cancel().catch(() => undefined);
      return token;
    },
  };
}
