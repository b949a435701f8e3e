import {
  listOperations,
  resolve,
  type Document,
  type OperationEntry,
  type SecurityScheme,
} from "../contract/document.ts";
import type { Contract, Facts } from "./runtime/contract.ts";

/** What a client needs to know of a bundle while it runs. */
export function collectContract(document: Document): Contract {
  const entries = listOperations(document).map((entry) => {
    const facts = factsOf(document, entry);
    return { name: `${entry.method.toUpperCase()} ${entry.path}`, facts, key: JSON.stringify(facts) };
  });
  // The sort is stable: among groups of the same size, the one that comes first in the document is the usual one.
  const [usual = [], ...others] = [...Map.groupBy(entries, ({ key }) => key).values()].sort(
    (a, b) => b.length - a.length,
  );
  const schemes = listSchemes(document).map(([name, scheme]): [string, string] => [name, prefixOf(scheme)]);
  return {
    schemes: Object.fromEntries(schemes),
    usual: usual[0]?.facts ?? { security: "" },
    operations: Object.fromEntries(others.flat().map(({ name, facts }): [string, Facts] => [name, facts])),
  };
}

/** The security schemes of a bundle that take a credential, as they are described. */
export function listSchemes(document: Document): [name: string, scheme: SecurityScheme][] {
  const schemes = document.components?.securitySchemes ?? {};
  return Object.entries(schemes)
    .map(([name, scheme]): [string, SecurityScheme] => [name, resolve(scheme, schemes)])
    .filter(([, { type }]) => type !== "mutualTLS");
}

/** The sets of schemes that operations name as alternatives, each once. */
export function listAlternatives({ usual, operations }: Contract): string[][] {
  const alternatives = [usual, ...Object.values(operations)].flatMap(({ security }) => security.split(", or "));
  const sets = alternatives.filter((set) => set !== "").map((set) => set.split(" and ").sort());
  return [...new Map(sets.map((schemes) => [schemes.join(), schemes])).values()];
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

function factsOf(document: Document, entry: OperationEntry): Facts {
  const withCredential = new Set(listSchemes(document).map(([name]) => name));
  const requirements = entry.operation.security ?? document.security ?? [];
  const alternatives = requirements.map((requirement) =>
    Object.keys(requirement)
      .filter((name) => withCredential.has(name))
      .join(" and "),
  );
  const headers = singleValuedHeaders(document, entry);
  return { security: alternatives.join(", or "), ...(headers.length > 0 && { headers: Object.fromEntries(headers) }) };
}

/** What stands before a scheme's credential in a request (OpenAPI 3.1.1, section 4.8.27). */
function prefixOf(scheme: SecurityScheme): string {
  if (scheme.type === "apiKey") {
    if (scheme.in === "query") return `${encodeURIComponent(scheme.name)}=`;
    return scheme.in === "cookie" ? `Cookie: ${scheme.name}=` : `${scheme.name}: `;
  }
  // OAuth 2.0 and OpenID Connect end in a bearer token.
  const name = scheme.type === "http" ? scheme.scheme : "bearer";
  return `Authorization: ${name.charAt(0).toUpperCase()}${name.slice(1)} `;
}
