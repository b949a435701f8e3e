import { resolve, type Document, type Operation, type SecurityScheme } from "../contract/document.ts";
import type { Refusal, Violation } from "./problem.ts";

/** A credential and where a request carries it. */
export interface Credential {
  readonly in: "header" | "query";
  readonly name: string;
  /** What its value looks like, with a placeholder for what is secret: `Bearer <token>`. */
  readonly form: string;
  /** The challenge that asks for it (RFC 9110, section 11.6.1). */
  readonly challenge: string;
}

/** Credentials that are needed together. */
export type Alternative = readonly Credential[];

type Headers = Readonly<Record<string, string | string[] | undefined>>;
type Query = Readonly<Record<string, unknown>>;

/**
 * The credentials that open an operation: any one of the alternatives does. Empty where none are needed, which one
 * empty security requirement is enough to say.
 */
export function listAlternatives(document: Document, operation: Operation): readonly Alternative[] {
  const requirements = operation.security ?? document.security ?? [];
  const alternatives = requirements.map((requirement) =>
    Object.keys(requirement).map((key) => {
      const scheme = document.components?.securitySchemes?.[key];
      if (scheme === undefined)
        return { in: "header" as const, name: "Authorization", form: `<${key}>`, challenge: key };
      return credentialOf(key, resolve(scheme, document.components?.securitySchemes));
    }),
  );
  return alternatives.some((alternative) => alternative.length === 0) ? [] : alternatives;
}

/** Names of query parameters that are credentials, in lower case. */
export function secretQueryNames(documents: readonly Document[]): ReadonlySet<string> {
  const schemes = documents.flatMap(({ components }) =>
    Object.values(components?.securitySchemes ?? {}).map((scheme) => resolve(scheme, components?.securitySchemes)),
  );
  return new Set(
    schemes.flatMap((scheme) => (scheme.type === "apiKey" && scheme.in === "query" ? [scheme.name.toLowerCase()] : [])),
  );
}

/** Tells by a name alone whether its value may be a secret, where nothing declares it. */
export function soundsSecret(name: string): boolean {
  return /token|secret|passw|credential|authorization|cookie|api-?_?key|encryptedkey/i.test(name);
}

/** Says which credentials would do, and what is missing or misshapen in those that came; no value is repeated. */
export function refuseCredentials(alternatives: readonly Alternative[], headers: Headers, query: Query): Refusal {
  const violations = new Map<string, Violation>();
  const misshapen = new Set<string>();
  for (const alternative of alternatives) {
    const missing = alternative.filter((credential) => !hasValue(credential, headers, query));
    for (const credential of missing.length === 0 ? alternative : missing) {
      const { in: place, name, form } = credential;
      const fault = missing.length === 0 ? "has not the form that is asked for" : "is missing";
      const message = `The ${describe(credential)} ${fault}.`;
      if (missing.length === 0) misshapen.add(message);
      const key = `${place} ${name} ${form}`;
      violations.set(key, { in: place, name, message, expected: form });
    }
  }
  const ways = alternatives.map((alternative) =>
    alternative.map((credential) => `the ${describe(credential)}: ${credential.form}`).join(" together with "),
  );
  const choice =
    ways.length === 1 ? `Send ${ways.join()}.` : `Send ${ways.map((way, i) => `(${i + 1}) ${way}`).join(", or ")}.`;
  const challenges = new Set(alternatives.flat().map(({ challenge }) => challenge));
  return {
    status: 401,
    detail: ["No credentials came that open this operation.", ...misshapen, choice, "Any value will do."].join(" "),
    violations: [...violations.values()],
    headers: { "www-authenticate": [...challenges].join(", ") },
  };
}

function hasValue(credential: Credential, headers: Headers, query: Query): boolean {
  const value = credential.in === "query" ? query[credential.name] : headers[credential.name.toLowerCase()];
  return value !== undefined && value !== "";
}

function describe({ in: place, name }: Credential): string {
  return place === "query" ? `query parameter ${name}` : `header ${name}`;
}

/** The scheme's key stands for its value: it tells two bearer tokens apart. */
function credentialOf(key: string, scheme: SecurityScheme): Credential {
  switch (scheme.type) {
    case "apiKey":
      return scheme.in === "cookie"
        ? { in: "header", name: "Cookie", form: `${scheme.name}=<${key}>`, challenge: apiKeyChallenge(scheme) }
        : { in: scheme.in, name: scheme.name, form: `<${key}>`, challenge: apiKeyChallenge(scheme) };
    case "http": {
      const name = scheme.scheme.charAt(0).toUpperCase() + scheme.scheme.slice(1).toLowerCase();
      return {
        in: "header",
        name: "Authorization",
        form: name === "Basic" ? "Basic <base64 of user:password>" : `${name} <${key}>`,
        challenge: name === "Basic" || name === "Digest" ? `${name} realm="mock"` : name,
      };
    }
    default:
      return { in: "header", name: "Authorization", form: `Bearer <${key}>`, challenge: "Bearer" };
  }
}

/** There is no registered scheme for API keys, and a 401 must carry a challenge (RFC 9110, section 15.5.2). */
function apiKeyChallenge({ in: place, name }: { readonly in: string; readonly name: string }): string {
  return `ApiKey in="${place}", name="${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
