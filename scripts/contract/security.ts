import { stringOf } from "../values/json.ts";
import { capitalize, listInWords } from "../values/text.ts";
import { isFieldValue } from "../spec/headerFields.ts";
import { isOnThisMachine } from "./defaultAddress.ts";
import { UserError } from "./failures.ts";
import {
  extensionOf,
  resolve,
  unspecifiedOf,
  type OpenApiDocument,
  type SecuritySchemeObject,
} from "../spec/openapi.ts";

/** A security scheme, and where a request carries its credential. */
export interface SecurityScheme {
  /** Its name among the components. */
  readonly name: string;
  readonly description: string;
  readonly unspecified: readonly string[];
  /** Where the credential is sent. For mutual TLS, it's a certificate, which isn't part of a request. */
  readonly in: "header" | "query" | "cookie" | "connection";
  /** The header, query parameter or cookie for the credential. */
  readonly parameter: string;
  /** The text before the credential, with a space: `Bearer `. */
  readonly prefix: string;
  /** The scopes or roles that an operation requires (OpenAPI 3.1.1, section 4.8.30). Empty for a scheme alone. */
  readonly scopes: readonly string[];
  /** The kind of the scopes: those of OAuth 2.0 and OpenID Connect, or roles. */
  readonly scopeWord: "scope" | "role";
  /** The credential in samples, from `x-example`. For Basic authentication, it's in Base64. */
  readonly example: string;
  /** The environment variable that a command has read `example` from. Without it, `example` is the contract's. */
  readonly variable?: string | undefined;
}

/** Credentials that are sent together. An empty list needs none. */
export type SecurityAlternative = readonly SecurityScheme[];

/** The security of an operation. */
interface SecuredOperation {
  /** The alternatives, each of which is enough. */
  readonly security: readonly SecurityAlternative[];
  readonly unspecified: readonly string[];
}

/** The security schemes of a generation. */
interface SecuredGeneration {
  readonly name: string;
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
}

/** The gap of an operation that may or may not need credentials. */
export const authenticationGap = "authentication";

/** Words after the alternatives, unless they are simply required. */
export const needText = { none: "", required: "", optional: " (optional)", unspecified: ", if needed" } as const;

/** The credentials that an operation needs. */
export interface NeededCredentials {
  /** Whether credentials are needed. */
  readonly need: keyof typeof needText;
  /** Alternatives, each of which is enough. The schemes within one belong together. */
  readonly alternatives: readonly SecurityAlternative[];
}

/** Derives an operation's needed credentials from its alternatives. An empty alternative needs none. */
export function neededCredentials({ security, unspecified }: SecuredOperation): NeededCredentials {
  const alternatives = security.filter((schemes) => schemes.length > 0);
  if (alternatives.length === 0) return { need: "none", alternatives };
  if (alternatives.length === security.length) return { need: "required", alternatives };
  return { need: unspecified.includes(authenticationGap) ? "unspecified" : "optional", alternatives };
}

/**
 * The scopes that an operation requires of a credential, in words: `scope rooms:read`. Empty if there are
 * none.
 */
export function scopesText({ scopes, scopeWord }: Pick<SecurityScheme, "scopes" | "scopeWord">, quote = ""): string {
  const listed = scopes.map((scope) => quote + scope + quote).join(", ");
  return scopes.length === 0 ? "" : `${scopeWord}${scopes.length > 1 ? "s" : ""} ${listed}`;
}

/** The security schemes of a bundle, by name. */
export function readSecuritySchemes(document: OpenApiDocument): ReadonlyMap<string, SecurityScheme> {
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  return new Map(schemes.map(([name, scheme]) => [name, readSecurityScheme(name, resolve(document, scheme))]));
}

/** The security schemes whose credentials are parts of a request: all but mutual TLS. */
export function carriedSchemes({ securitySchemes }: SecuredGeneration): readonly SecurityScheme[] {
  return [...securitySchemes.values()].filter(({ in: place }) => place !== "connection");
}

/** The form of a credential's value: `Bearer <token>`. */
export function credentialForm({ name, in: place, parameter, prefix }: SecurityScheme): string {
  if (place === "cookie") return `${parameter}=<${name}>`;
  return prefix === "Basic " ? "Basic <base64 of user:password>" : `${prefix}<${name}>`;
}

/** A credential, and where a request carries it. */
export type SentCredential = Pick<SecurityScheme, "name" | "in" | "parameter" | "prefix" | "example">;

/** Names and values of the parts of a request with credentials. */
export interface SerializedCredentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly cookies: readonly (readonly [name: string, value: string])[];
}

/** Adds credentials to the parts of a request. */
export function writeCredentials(credentials: readonly SentCredential[]): SerializedCredentials {
  const inPlace = (place: SecurityScheme["in"]) => {
    const carried = credentials.filter((credential) => credential.in === place);
    return carried.map(({ parameter, prefix, example }) => [parameter, prefix + example] as const);
  };
  return { headers: inPlace("header"), query: inPlace("query"), cookies: inPlace("cookie") };
}

function readSecurityScheme(name: string, scheme: SecuritySchemeObject): SecurityScheme {
  const given = stringOf(extensionOf(scheme, "x-example"));
  const example = given ?? `example-${name}`;
  const description = scheme.description ?? "";
  const scopeWord = ["oauth2", "openIdConnect"].includes(scheme.type) ? "scope" : "role";
  const common = { name, description, unspecified: unspecifiedOf(scheme), scopes: [], scopeWord, example } as const;
  if (scheme.type === "mutualTLS") return { ...common, in: "connection", parameter: "", prefix: "" };
  if (scheme.type === "apiKey") return { ...common, in: scheme.in, parameter: scheme.name, prefix: "" };
  // OAuth 2.0 and OpenID Connect use bearer tokens (RFC 6750).
  const authScheme = scheme.type === "http" ? scheme.scheme.toLowerCase() : "bearer";
  const user = given ?? `${example}:example-password`;
  return {
    ...common,
    in: "header",
    parameter: "Authorization",
    prefix: `${capitalize(authScheme)} `,
    example: authScheme === "basic" ? base64(user) : example,
  };
}

/** The Base64 form of a text's UTF-8 (RFC 7617, section 2.1). */
export function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/**
 * The environment variable for the credential of a security scheme: `V1_API_KEY` for `apiKey` of `v1`. For a generation
 * that isn't named by its number, it begins with `CONTRACT_`, because other programs have variables such as
 * `GITHUB_TOKEN`.
 */
export function credentialVariable(generation: string, scheme: string): string {
  const isNumbered = /^v\d/i.test(generation);
  return `${isNumbered ? "" : "contract_"}${generation}_${scheme}`
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4")
    .replaceAll(/[^A-Za-z\d]+/g, "_")
    .toUpperCase();
}

export function credentialVariables(generations: readonly SecuredGeneration[]): readonly string[] {
  return generations.flatMap(({ name, securitySchemes }) =>
    Array.from(securitySchemes.keys(), (scheme) => credentialVariable(name, scheme)),
  );
}

/**
 * The security schemes with credentials as their examples. They come from the environment, or from the
 * contract for a server on this machine. Throws {@link UserError} for one that can't be sent.
 */
export function readCredentials(
  generation: SecuredGeneration,
  server: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, SecurityScheme> {
  const schemes = carriedSchemes(generation);
  const given = schemes.flatMap((scheme) => {
    const variable = credentialVariable(generation.name, scheme.name);
    const value = environment[variable] ?? "";
    const example = scheme.prefix === "Basic " ? base64(value) : value;
    if (scheme.in !== "query" && !isFieldValue(example))
      throw new UserError(
        `${variable} can't be sent in a header: a character isn't allowed there, such as a line break`,
      );
    return value === "" ? [] : [{ ...scheme, variable, example }];
  });
  const used = given.length === 0 && server !== undefined && isOnThisMachine(server) ? schemes : given;
  return new Map(used.map((scheme) => [scheme.name, scheme]));
}

/** Where the credentials of {@link readCredentials} come from: `with V1_API_KEY`. */
export function describeSources(credentials: ReadonlyMap<string, SecurityScheme>): string {
  const all = [...credentials.values()];
  if (all.length === 0) return "without credentials";
  const variables = all.flatMap(({ variable }) => variable ?? []);
  return variables.length === 0 ? "with the contract's example credentials" : `with ${listInWords(variables)}`;
}

/**
 * The credentials of the first alternative for which there are some, by the names of their schemes. Empty if
 * none are needed, and `undefined` if they are missing.
 */
export function credentialsFor(
  { security }: Pick<SecuredOperation, "security">,
  credentials: ReadonlyMap<string, SecurityScheme>,
): SecurityAlternative | undefined {
  if (security.length === 0) return [];
  const usable = security.filter((schemes) =>
    schemes.every(({ name, in: place }) => place === "connection" || credentials.has(name)),
  );
  const chosen = usable.find((schemes) => schemes.length > 0) ?? usable[0];
  return chosen?.flatMap(({ name }) => credentials.get(name) ?? []);
}
