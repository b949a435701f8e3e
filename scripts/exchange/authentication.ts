import type { CheckedOperation } from "../contract/generation.ts";
import { credentialForm, scopesText, type SecurityScheme } from "../contract/security.ts";
import { splitOnce } from "../values/text.ts";
import { decodeBase64 } from "../values/bytes.ts";
import { quoteText, splitCookies } from "../spec/headerFields.ts";
import type { Refusal } from "./refusal.ts";
import type { FoundViolation } from "./requestViolation.ts";
import type { Headers } from "./exchange.ts";
import type { Target } from "./requestTarget.ts";

type Query = Target["query"];

/**
 * Returns whether a request has the credentials of one of an operation's alternatives. Any well-formed value
 * is accepted.
 */
export function isAuthorized({ security }: CheckedOperation, headers: Headers, query: Query): boolean {
  const isSent = (scheme: SecurityScheme) => violationOf(scheme, headers, query) === undefined;
  return security.length === 0 || security.some((schemes) => schemes.every(isSent));
}

/**
 * Lists the accepted credentials, and those that are missing or malformed. Repeats no value. `realm` names the server in
 * challenges, and `remark` ends the detail.
 */
export function refuseCredentials(
  operation: CheckedOperation,
  headers: Headers,
  query: Query,
  { realm, remark = "" }: { readonly realm: string; readonly remark?: string },
): Refusal {
  const security = operation.security.map((schemes) => schemes.filter(({ in: place }) => place !== "connection"));
  const violations = new Map<string, FoundViolation>();
  const malformed = new Set<string>();
  for (const scheme of security.flat()) {
    const violation = violationOf(scheme, headers, query);
    if (violation === undefined) continue;
    const expected = credentialForm(scheme);
    const message = `The ${describe(scheme)} ${violation === "missing" ? "is missing" : `must have the form ${expected}`}.`;
    if (violation === "malformed") malformed.add(message);
    const place = scheme.in === "query" ? "query" : "header";
    const name = headerOf(scheme);
    violations.set(`${place} ${name} ${expected}`, { code: "credentials", in: place, name, message, expected });
  }
  const ways = security.map((schemes) =>
    schemes.map((scheme) => `the ${describe(scheme)}: ${formWithScopes(scheme)}`).join(" together with "),
  );
  const choice =
    ways.length === 1 ? `Send ${ways.join()}.` : `Send ${ways.map((way, i) => `(${i + 1}) ${way}`).join(", or ")}.`;
  return {
    status: 401,
    detail: ["This operation requires credentials.", ...malformed, choice, remark].join(" ").trimEnd(),
    violations: [...violations.values()],
    headers: challengesOf(operation, realm),
  };
}

/** The header with a challenge for each credential that an operation accepts. `realm` names the server. */
export function challengesOf({ security }: CheckedOperation, realm: string): Readonly<Record<string, string>> {
  const schemes = security.flat().filter(({ in: place }) => place !== "connection");
  const challenges = new Set(schemes.map((scheme) => challengeOf(scheme, realm)));
  return challenges.size === 0 ? {} : { "www-authenticate": [...challenges].join(", ") };
}

/** The form of a credential, and the scopes that it must have, which the mock can't check. */
function formWithScopes(scheme: SecurityScheme): string {
  const scopes = scopesText(scheme);
  return scopes === "" ? credentialForm(scheme) : `${credentialForm(scheme)} (${scopes})`;
}

function violationOf(scheme: SecurityScheme, headers: Headers, query: Query): "missing" | "malformed" | undefined {
  const credential = readCredential(scheme, headers, query);
  return typeof credential === "string" ? credential : undefined;
}

/** The value of a credential in a request, without its prefix. Empty for a certificate, which isn't part of a request. */
export function readCredential(
  scheme: SecurityScheme,
  headers: Headers,
  query: Query,
): { readonly value: string } | "missing" | "malformed" {
  const { in: place, parameter, prefix } = scheme;
  if (place === "connection") return { value: "" };
  const [carrier, name] = place === "query" ? [query, parameter] : [headers, headerOf(scheme).toLowerCase()];
  const value = Object.hasOwn(carrier, name) ? (carrier[name] ?? "") : "";
  if (typeof value !== "string") return "malformed";
  if (value === "") return "missing";
  if (place === "cookie") {
    const pairs = splitCookies(value).map((pair) => splitOnce(pair, "="));
    const cookie = pairs.find(([key]) => key === parameter)?.[1] ?? "";
    return cookie === "" ? "missing" : { value: cookie };
  }
  // The names of authentication schemes are case-insensitive (RFC 9110, section 11.1).
  const hasPrefix = value.toLowerCase().startsWith(prefix.toLowerCase()) && value.length > prefix.length;
  const isComplete = prefix !== "Basic " || (decodeBase64(value.slice(prefix.length)) ?? "").includes(":");
  return hasPrefix && isComplete ? { value: value.slice(prefix.length) } : "malformed";
}

function describe({ in: place, parameter }: SecurityScheme): string {
  return place === "query" ? `query parameter ${parameter}` : `${parameter} ${place}`;
}

function headerOf({ in: place, parameter }: SecurityScheme): string {
  return place === "cookie" ? "Cookie" : parameter;
}

/** The challenge for a credential (RFC 9110, section 11.6.1). */
function challengeOf({ in: place, parameter, prefix }: SecurityScheme, realm: string): string {
  const scheme = prefix.trimEnd();
  if (scheme !== "") return scheme === "Basic" || scheme === "Digest" ? `${scheme} realm=${quoteText(realm)}` : scheme;
  // API keys have no registered scheme, and a 401 must have a challenge (RFC 9110, section 15.5.2).
  return `ApiKey in="${place}", name=${quoteText(parameter)}`;
}
