import type { CheckedOperation } from "../contract/generation.ts";
import type { SecurityAlternative } from "../contract/security.ts";
import { splitOnce } from "../values/text.ts";
import { challengesOf, readCredential, refuseCredentials } from "../exchange/authentication.ts";
import type { Headers as Fields } from "../exchange/exchange.ts";
import type { Refusal } from "../exchange/refusal.ts";
import type { Target } from "../exchange/requestTarget.ts";
import { decodeBase64 } from "../values/bytes.ts";
import { isResponse } from "./platformResponse.ts";

/** The credentials of an alternative, by the names of their schemes. Those of Basic are decoded. */
type FoundCredentials = Readonly<Record<string, string | { readonly username: string; readonly password: string }>>;

/** Names the server in challenges. */
export const realm = "api";

/**
 * Finds the principal of a request: the first one that a function returns for an alternative whose
 * credentials are all there. It is `undefined` if the operation needs no credentials.
 */
export async function findPrincipal(
  operation: CheckedOperation,
  fields: Fields,
  query: Target["query"],
  authenticate: (credentials: FoundCredentials) => unknown,
): Promise<{ readonly principal: unknown } | Refusal> {
  const { security } = operation;
  const complete = security
    .map((alternative) => readAlternative(alternative, fields, query))
    .filter((credentials) => credentials !== undefined);
  for (const credentials of complete) {
    const principal = await authenticate(credentials);
    // Otherwise, the request would be authenticated.
    if (isResponse(principal) || principal instanceof Error)
      throw new TypeError("authenticate must return a principal or nothing, or throw a Problem: it returned a refusal");
    if (principal) return { principal };
  }
  if (security.length === 0 || security.some((alternative) => alternative.length === 0))
    return { principal: undefined };
  if (complete.length === 0) return refuseCredentials(operation, fields, query, { realm });
  return { status: 401, detail: "The credentials aren't accepted.", headers: challengesOf(operation, realm) };
}

/** `undefined` if a credential is missing or malformed, or if the alternative has none. */
function readAlternative(
  alternative: SecurityAlternative,
  fields: Fields,
  query: Target["query"],
): FoundCredentials | undefined {
  const found: Record<string, FoundCredentials[string]> = {};
  for (const scheme of alternative) {
    const credential = readCredential(scheme, fields, query);
    if (typeof credential === "string") return undefined;
    if (scheme.in === "connection") continue;
    const { value } = credential;
    found[scheme.name] = scheme.prefix === "Basic " ? readBasic(value) : value;
  }
  return alternative.length === 0 ? undefined : found;
}

/** The user name and the password of Basic authentication (RFC 7617, section 2). */
function readBasic(encoded: string) {
  const [username, password = ""] = splitOnce(decodeBase64(encoded) ?? "", ":");
  return { username, password };
}
