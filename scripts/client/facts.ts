import {
  listOperations,
  resolve,
  type Document,
  type OperationEntry,
  type SecurityScheme,
} from "../contract/document.ts";
import type { Contract, OperationFacts, Scheme } from "./runtime/contract.ts";

/** What a client needs to know of a bundle while it runs. Operations that need nothing are left out. */
export function collectContract(document: Document): Contract {
  const facts: OperationFacts[] = [];
  const indexes = new Map<string, number>();
  const operations: Record<string, Record<string, number>> = {};
  for (const entry of listOperations(document)) {
    const found = factsOf(document, entry);
    if (found.security.length === 0 && found.headers === undefined) continue;
    const key = JSON.stringify(found);
    const index = indexes.get(key) ?? facts.push(found) - 1;
    indexes.set(key, index);
    operations[entry.path] = { ...operations[entry.path], [entry.method.toUpperCase()]: index };
  }
  const schemes = listSchemes(document).map(([name, scheme]) => [name, placeOf(scheme)] as const);
  return { schemes: Object.fromEntries(schemes), facts, operations };
}

/** The security schemes of a bundle that take a credential, as they are described. */
export function listSchemes(document: Document): [name: string, scheme: SecurityScheme][] {
  const schemes = document.components?.securitySchemes ?? {};
  return Object.entries(schemes)
    .map(([name, scheme]): [string, SecurityScheme] => [name, resolve(scheme, schemes)])
    .filter(([, { type }]) => type !== "mutualTLS");
}

/** The sets of schemes that operations name as alternatives, each once, in the order in which they first occur. */
export function listAlternatives({ facts }: Contract): (readonly string[])[] {
  const alternatives = facts.flatMap(({ security }) => security.filter(({ length }) => length > 0));
  return [...new Map(alternatives.map((schemes) => [[...schemes].sort().join(" "), schemes])).values()];
}

/**
 * The headers of an operation that can have only one value, by name: those that the contract gives a single value, and
 * the media type of a body that is JSON or a form, where that is the only one and not the one that openapi-fetch sends.
 */
export function singleValuedHeaders(document: Document, { operation, parameters }: OperationEntry): [string, string][] {
  const headers = parameters.flatMap(({ in: place, name, schema: referenced = {} }): [string, string][] => {
    const schema = resolve(referenced, document.components?.schemas);
    const values: readonly unknown[] = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
    const [value] = values;
    // OpenAPI 3.1.1, section 4.8.12.2: parameters of these names are to be ignored.
    if (place !== "header" || /^(accept|content-type|authorization)$/i.test(name)) return [];
    return values.length === 1 && ["string", "number", "boolean"].includes(typeof value) ? [[name, String(value)]] : [];
  });
  const body = operation.requestBody && resolve(operation.requestBody, document.components?.requestBodies);
  const [mediaType = "", ...others] = Object.keys(body?.content ?? {});
  const isEncodable = /^application\/(x-www-form-urlencoded|[\w.-]+\+json)$/i.test(mediaType);
  return isEncodable && others.length === 0 ? [...headers, ["Content-Type", mediaType]] : headers;
}

function factsOf(document: Document, entry: OperationEntry): OperationFacts {
  const withCredential = new Set(listSchemes(document).map(([name]) => name));
  const security = (entry.operation.security ?? document.security ?? []).map((requirement) =>
    Object.keys(requirement).filter((name) => withCredential.has(name)),
  );
  const headers = singleValuedHeaders(document, entry);
  return { security, ...(headers.length > 0 && { headers: Object.fromEntries(headers) }) };
}

/** Where a scheme's credential goes (OpenAPI 3.1.1, section 4.8.27). */
function placeOf(scheme: SecurityScheme): Scheme {
  if (scheme.type === "apiKey") {
    if (scheme.in === "query") return ["query", scheme.name];
    return scheme.in === "cookie" ? ["header", "Cookie", `${scheme.name}=`] : ["header", scheme.name];
  }
  // OAuth 2.0 and OpenID Connect end in a bearer token.
  const authScheme = scheme.type === "http" ? scheme.scheme : "bearer";
  return ["header", "Authorization", `${authScheme.charAt(0).toUpperCase()}${authScheme.slice(1)} `];
}
