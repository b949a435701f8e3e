import type { ClientContract, OperationFacts } from "./clientContract.ts";
import { NotSentError, type OperationName } from "./errors.ts";
import { copyRequest, type RequestOptions } from "./request.ts";

/**
 * A credential, or a function that returns it. The function is called for each request, so credentials can
 * rotate. The result of `renewing` is a credential too.
 *
 * @example
 * const apiKey: Credential = async () => (await fetch("https://vault.example.com/api-key")).text();
 */
export type Credential = string | (() => string | Promise<string>) | RenewingCredential;

/** Returns the token for a request, or a new one after a response has refused it. */
export type RenewingCredential = { readonly token: (request: Request, refused?: Response) => Promise<string> };

/** Credentials by the name of their security scheme. */
export type Credentials = Readonly<Record<string, Credential | undefined>>;

/**
 * Credentials of which those with the given names are required.
 *
 * @example
 * type Key = Given<{ apiKey?: Credential | undefined; token?: Credential | undefined }, "apiKey">;
 */
export type Given<Optional, Names extends keyof Optional> = {
  // Each property has one type, which editors show, instead of an intersection of two.
  [Name in keyof Pick<Optional, Names>]-?: Credential;
} & Omit<Optional, Names>;

/** A credential of a request, and where it is sent. Empty if the request has its own header. */
type ChosenCredential = readonly [
  credential: Credential | undefined,
  unusable: (why: string) => NotSentError,
  header?: string,
  prefix?: string,
];

/**
 * Creates a function that chooses the credentials of a request. It takes the first alternative with all
 * credentials, or else the first that the request's own headers complete, or else an empty one. Credentials
 * are sent only to `origin`. With `none`, no credentials are required. Throws a {@link TypeError} for a name that
 * the contract doesn't have, which JavaScript callers may pass, and for any other text. The function throws a
 * {@link NotSentError} if no alternative is complete.
 */
export function createChooser(auth: Credentials | string, origin: string, places: ClientContract["schemes"]) {
  const isNone = auth === "none";
  const wrong =
    typeof auth === "object" ? Object.keys(auth).find((name) => !places[name]) : !isNone && `a ${typeof auth}`;
  if (wrong) throw new TypeError(`"auth" must be an object of ${Object.keys(places).join(", ")}, not ${wrong}`);
  return (
    operation: OperationName,
    security: NonNullable<OperationFacts["security"]>,
    { url, headers }: Request,
  ): readonly ChosenCredential[] => {
    if (isNone) return [];
    const isOwn = new URL(url).origin === origin;
    const credentials = isOwn && typeof auth === "object" ? auth : {};
    const find = (isGiven: (scheme: string) => unknown) =>
      security.find((schemes) => schemes[0] && schemes.every(isGiven));
    const isSent = (scheme: string) => {
      const [header, prefix = ""] = places[scheme] ?? [];
      return credentials[scheme] || (header && headers.get(header)?.includes(prefix));
    };
    const chosen = find((scheme) => credentials[scheme]) ?? find(isSent) ?? security.find(([first]) => !first);
    if (!chosen) {
      const needed = security.map((schemes) => schemes.join(" and ")).join(", or ");
      throw new NotSentError(operation, `"auth" ${isOwn ? `lacks ${needed}` : `is for ${origin}`}`);
    }
    return chosen.map((scheme) => {
      const unusable = (why: string) => new NotSentError(operation, `the credential ${scheme} ${why}`);
      return [credentials[scheme], unusable, ...(places[scheme] ?? [])];
    });
  };
}

/**
 * Sends a copy of a request with credentials, or the request itself if there are none. If the response is a
 * 401 and a credential can be renewed, sends another copy. Takes the options of the call and the client,
 * because not all of them can be read from a request. `deliver` also gets the texts of the credentials.
 * Rejects with the error of a credential's function, or with a {@link NotSentError}.
 */
export async function sendAuthorized(
  request: Request,
  chosen: readonly ChosenCredential[],
  options: Omit<RequestOptions, "body" | "headers">,
  deliver: (authorized: Request, secrets: readonly string[]) => Promise<Response>,
): Promise<Response> {
  if (!chosen[0]) return deliver(request, []);
  // A browser sends the body of a Request, which is a stream, only over HTTP/2.
  const body = await request.arrayBuffer();
  const sendCopy = async (refused?: Response) => {
    const [url, headers, secrets] = await addCredentials(request, chosen, refused);
    // vitest's jsdom environment (4.1) doesn't accept a Blob.
    return deliver(copyRequest(request, url, { ...options, headers, body: body.byteLength ? body : null }), secrets);
  };
  const response = await sendCopy();
  const isRenewing = chosen.some(([credential]) => typeof credential === "object");
  return isRenewing && response.status === 401 ? sendCopy(response) : response;
}

/** The URL and the headers of a request with credentials added, and the texts of the credentials. */
async function addCredentials(
  request: Request,
  chosen: readonly ChosenCredential[],
  refused: Response | undefined,
): Promise<readonly [url: URL, headers: Headers, secrets: readonly string[]]> {
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  const secrets: string[] = [];
  for (const [credential, unusable, header, prefix = ""] of chosen) {
    const sent = header && headers.get(header);
    if (sent && !credential) {
      secrets.push(sent.slice(prefix.length));
      continue;
    }
    const given = typeof credential === "object" ? credential.token(request, refused) : credential;
    const text: unknown = await (typeof given === "function" ? given() : given);
    // Whitespace around the value, such as the newline at the end of a file, isn't sent.
    const value = typeof text === "string" && text.trim();
    if (!value) throw unusable("is empty or not a string");
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
  return [url, headers, secrets];
}

/**
 * Creates a credential from a function that returns tokens. Each token is used until the service refuses it
 * with a 401. Then the function is called once for all calls, and each refused call is sent once more. If the
 * function throws, the calls reject with its error.
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
      // Node keeps the connection of an unread body open. The function may have read this one.
      await refused?.body?.cancel().catch(() => undefined);
      return token;
    },
  };
}
