import type { Contract } from "./contract.ts";

/** A credential, or what gives it: a function is called for each request, so credentials can be rotated. */
export type Credential = string | (() => string | Promise<string>);

/** Credentials by the name of their security scheme. */
export type Credentials = Readonly<Record<string, Credential | undefined>>;

/**
 * Chooses what to authorize a request with: the first alternative of which every credential is at hand. `{}` is the
 * last resort, wherever it stands: a request is authorized if it can be.
 * Gives the names of the alternative's schemes, or `undefined` where there is no such alternative.
 */
export function chooseSchemes(security: string, credentials: Credentials): readonly string[] | undefined {
  const alternatives = security.split(", or ").map((alternative) => (alternative ? alternative.split(" and ") : []));
  const usable = alternatives.filter((schemes) => schemes.every((scheme) => credentials[scheme]));
  return usable.find(({ length }) => length) ?? usable[0];
}

/**
 * A copy of a request that carries the credentials of some schemes, and these as text. The request itself stays without.
 * The copy does not follow redirects: where one leads to another origin, fetch takes only `Authorization` off (Fetch
 * Standard, section 4.4), and the server may have repeated the query.
 * Rejects where a function gives no credential, and where a header cannot carry one.
 */
export async function authorize(
  request: Request,
  schemes: readonly string[],
  credentials: Credentials,
  contract: Contract,
): Promise<{ readonly authorized: Request; readonly secrets: readonly string[] }> {
  const secrets: string[] = [];
  if (schemes.length === 0) return { authorized: request, secrets };
  const headers = new Headers(request.headers);
  let { url } = request;
  for (const scheme of schemes) {
    const credential = credentials[scheme];
    const value = typeof credential === "function" ? await credential() : credential;
    if (!value) throw new TypeError(`The function for the credential ${scheme} gave none.`);
    secrets.push(value);
    const [name = "", prefix] = (contract.schemes[scheme] ?? "").split(": ");
    if (prefix === undefined) {
      url += (url.includes("?") ? "&" : "?") + name + encodeURIComponent(value);
      continue;
    }
    try {
      headers.set(name, prefix + value);
    } catch {
      // The platform's error quotes the value.
      throw new TypeError(`The credential ${scheme} cannot be sent in a header.`);
    }
  }
  const redirect = request.redirect === "error" ? "error" : "manual";
  // Handed on as a stream, which is what a Request has, a browser would send the body over HTTP/2 only.
  const body = await request.blob();
  const init = { headers, redirect, body: body.size > 0 ? body : null };
  const inherited = new Proxy(request, { get: (_, key): unknown => Reflect.get(key in init ? init : request, key) });
  // openapi-fetch adds options that a Request does not know (`next`, `cf`) to it as fields.
  const own = Object.fromEntries(Object.entries(request));
  return { authorized: Object.assign(new Request(url, inherited), own), secrets };
}
