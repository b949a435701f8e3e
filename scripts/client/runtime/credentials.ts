import type { Contract } from "./contract.ts";
import type { OperationName } from "./errors.ts";

/** A credential, or what gives it: a function is called for each request, so credentials can be rotated. */
export type Credential = string | (() => string | Promise<string>);

/** Credentials by the name of their security scheme. */
export type Credentials = Readonly<Record<string, Credential | undefined>>;

type Security = readonly (readonly string[])[];

/**
 * Chooses what a request is authorized with: the first alternative of which every credential is at hand, and nothing
 * where an operation names none. Where `{}` is one of the alternatives, a request is authorized if it can be, and sent
 * without credentials if not.
 * Throws where credentials are needed that are not at hand, with the names of those that would do.
 */
export function chooseAlternative(
  { method, path }: OperationName,
  security: Security,
  credentials: Credentials,
): readonly string[] {
  const named = security.filter(({ length }) => length > 0);
  const usable = named.find((schemes) => schemes.every((scheme) => credentials[scheme]));
  if (usable !== undefined || named.length < security.length || named.length === 0) return usable ?? [];
  const needed = named.map((schemes) => schemes.join(" and ")).join(", or ");
  throw new TypeError(`${method} ${path}: not sent, because it needs ${needed}. Give it to createClient in "auth".`);
}

/** Asks for the credentials of some schemes. Throws where a function gives none. */
export async function readCredentials(
  schemes: readonly string[],
  credentials: Credentials,
): Promise<ReadonlyMap<string, string>> {
  const read = schemes.map(async (scheme) => {
    const credential = credentials[scheme];
    const value = typeof credential === "function" ? await credential() : credential;
    if (!value) throw new TypeError(`The function for the credential ${scheme} gave none.`);
    return [scheme, value] as const;
  });
  return new Map(await Promise.all(read));
}

/**
 * A copy of the request that carries the credentials, and does not follow redirects: where one leads to another origin,
 * fetch takes only `Authorization` off (Fetch Standard, section 4.4), and the server may have repeated the query.
 * The given request stays without them.
 */
export async function authorize(
  request: Request,
  credentials: ReadonlyMap<string, string>,
  schemes: Contract["schemes"],
): Promise<Request> {
  const headers = new Headers(request.headers);
  let { url } = request;
  for (const [scheme, value] of credentials) {
    const [place, name, prefix = ""] = schemes[scheme] ?? ["header", scheme];
    if (place === "query") {
      url += `${url.includes("?") ? "&" : "?"}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
      continue;
    }
    try {
      headers.set(name, prefix + value);
    } catch {
      // The platform's error quotes the value.
      throw new TypeError(`The credential ${scheme} holds a character that a header cannot carry.`);
    }
  }
  const redirect = request.redirect === "error" ? "error" : "manual";
  const copy = new Request(url === request.url ? request : await readdress(request, url), { headers, redirect });
  // openapi-fetch adds options that a Request does not know (`next`, `cf`) to it as fields.
  return Object.assign(copy, Object.fromEntries(Object.entries(request)));
}

/**
 * The request with another URL, without its headers. Its body is read first: handed on as a stream, a browser would send
 * it over HTTP/2 only.
 */
async function readdress(request: Request, url: string): Promise<Request> {
  const { method, signal, mode, credentials, cache, referrer, referrerPolicy, integrity, keepalive } = request;
  const body = await request.blob();
  return new Request(url, {
    ...{ method, signal, mode, credentials, cache, referrer, referrerPolicy, integrity, keepalive },
    body: body.size > 0 ? body : null,
  });
}
