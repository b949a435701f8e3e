import type { Generation } from "../contract/generation.ts";
import { base64 } from "../contract/security.ts";
import { getOrCreate } from "../values/collections.ts";
import { splitOnce } from "../values/text.ts";
import { isObject, mapMembers } from "../values/json.ts";
import type { SchemaObject } from "../spec/openapi.ts";
import { pathParameters } from "../spec/pathTemplate.ts";
import { percentDecode } from "../values/percentEncoding.ts";
import { applicableSchemas, typesOf } from "../spec/schemas.ts";
import { walk } from "../spec/walk.ts";

/** Returns whether a name alone suggests that its value is secret. */
type IsSecret = (name: string) => boolean;

/** The parts of requests and responses that must be masked. */
export interface Secrets {
  readonly isSecretParameter: IsSecret;
  readonly isSecretProperty: IsSecret;
  /** A shortened request-target for logs, with `***` in place of each secret. */
  readonly maskTarget: (target: string) => string;
  /** A path with `***` in place of each secret. */
  readonly maskPath: (pathname: string) => string;
}

/**
 * The secrets of some generations: the credentials of their security schemes, and properties with `format:
 * password` or `writeOnly`. Other values are secret if their names look like those of credentials. For
 * properties, that holds only if the contract says nothing about the value except that it is text.
 */
export function secretsOf(generations: readonly Generation[]): Secrets {
  const schemes = generations.flatMap(({ securitySchemes }) => [...securitySchemes.values()]);
  const parameters = new Set(schemes.map(({ parameter }) => parameter.toLowerCase()));
  const isSecretParameter = (name: string) => parameters.has(name.toLowerCase()) || isCredentialName(name);
  let properties: ReturnType<typeof readProperties> | undefined;
  const isSecretProperty = (name: string) => {
    const { secret, described } = (properties ??= readProperties(generations));
    return parameters.has(name.toLowerCase()) || secret.has(name) || (isCredentialField(name) && !described.has(name));
  };
  const paths = generations.flatMap(({ operations }) => operations.map(({ path }) => path));
  const secretPaths = paths.filter((path) => isSecretSegment(path, isSecretParameter));
  return {
    isSecretParameter,
    isSecretProperty,
    maskTarget: (target) => maskTarget(target, isSecretParameter, secretPaths),
    maskPath: (pathname) => maskTarget(pathname, isSecretParameter, secretPaths, Infinity),
  };
}

function readProperties(generations: readonly Generation[]) {
  const names = { secret: new Set<string>(), described: new Set<string>() };
  for (const { document } of generations) {
    for (const { key, value, parent } of walk(document)) {
      if (parent?.isMap !== true || parent.key !== "properties") continue;
      const schemas = applicableSchemas(document, value);
      if (schemas.some(isSecretSchema)) names.secret.add(key);
      if (!schemas.every(isMereText)) names.described.add(key);
    }
  }
  return names;
}

/** Returns whether a schema says that its value is a secret. */
export function isSecretSchema({ format, writeOnly }: SchemaObject): boolean {
  return format === "password" || writeOnly === true;
}

function isMereText(schema: SchemaObject): boolean {
  const isText = schema.type === undefined || typesOf(schema).includes("string");
  return isText && schema.const === undefined && schema.enum === undefined && schema.format === undefined;
}

/** Names of secrets, even within other names such as `accesstoken`. */
const telling = [
  "token",
  "secret",
  "passw",
  "passphrase",
  "credential",
  "authorisation",
  "authorization",
  "authentication",
  "cookie",
  "signature",
  "pwd",
  "jwt",
];
/** Names of secrets that also occur in other words, such as `author` and `monkey`. */
const words = ["auth", "bearer", "hmac", "key", "keys", "oauth", "otp", "pass", "sig"];
/** Words before `key` in names such as `apikey` and `signingkeys`. */
const keyOwners =
  "access account api app auth client license master private secret server service shared signing".split(" ");
/** The beginnings of words in an identifier: `apiKey`, `APIKey`. */
const wordStart = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const compounds = new Set(keyOwners.flatMap((owner) => [`${owner}key`, `${owner}keys`]));

/** Returns whether a name may belong to an identifier or a name. */
export function isIdentifierName(name: string): boolean {
  const lowerCase = name.toLowerCase();
  return lowerCase.endsWith("id") || lowerCase.endsWith("name");
}

/**
 * Returns whether the name of a property or path parameter looks like that of a credential, rather than of a
 * credential's identifier or name.
 */
export function isCredentialField(name: string): boolean {
  return !isIdentifierName(name) && isCredentialName(name);
}

/**
 * Returns whether the name of a parameter, header or property looks like that of a credential, even if it
 * isn't declared.
 */
export function isCredentialName(name: string): boolean {
  const lowerCase = name.toLowerCase();
  if (telling.some((text) => lowerCase.includes(text))) return true;
  // Most names contain none of these words, and need no splitting.
  if (!words.some((word) => lowerCase.includes(word))) return false;
  const parts = [name, ...name.split(wordStart)].flatMap((text) => text.toLowerCase().split(/[^a-z]+/));
  return parts.some((part) => words.includes(part) || compounds.has(part));
}

/** Returns whether the name of a property is that of a password or another secret, or of its hash. */
export function isPasswordName(name: string): boolean {
  return /(?:passw(?:or)?d|passphrase|pwd|secret)(?:[_-]?(?:hash|digest|salt))?$/i.test(name);
}

/** In characters. The rest of a request-target isn't logged. */
const maxTargetLength = 500;

/**
 * A shortened request-target for logs, without its authority and with secrets masked. `templates` are paths
 * with secret parameters.
 */
function maskTarget(
  requestTarget: string,
  isSecret: IsSecret,
  templates: readonly string[],
  longest = maxTargetLength,
) {
  if (requestTarget.startsWith("/") && templates.length === 0) return maskText(requestTarget, longest, isSecret);
  const [path, query] = splitOnce(withoutAuthority(requestTarget.slice(0, 2 * longest)), "?");
  const segments = path.split("/");
  const isLike = (parts: readonly string[]) =>
    segments.length === parts.length && parts.every((part, i) => part.includes("{") || part === segments[i]);
  const template = templates.map((one) => one.split("/")).find(isLike) ?? [];
  const masked = segments.map((segment, index) => (isSecretSegment(template[index] ?? "", isSecret) ? mask : segment));
  return maskText(`${masked.join("/")}${query === undefined ? "" : `?${query}`}`, longest, isSecret);
}

/** Returns whether a part of a path template contains a secret parameter. The name of a secret isn't secret. */
function isSecretSegment(part: string, isSecret: IsSecret): boolean {
  return pathParameters(part).some((name) => isSecret(name) && !isIdentifierName(name));
}

/** The scheme and authority of a request-target that has the absolute form (RFC 9112, section 3.2.2); else nothing. */
export function schemeAndAuthority(target: string): string {
  return /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(target)?.[0] ?? "";
}

/** The request-target as a path and query, if it has the absolute form. */
export function withoutAuthority(target: string): string {
  const origin = schemeAndAuthority(target);
  const rest = target.slice(origin.length);
  return origin !== "" && !rest.startsWith("/") ? `/${rest}` : rest;
}

/** Shortens a client's text to `length` characters, and masks secrets. */
export function maskAndCut(text: string, length = 80): string {
  return maskText(text, length);
}

/** Replaces a secret. */
export const mask = "***";

/** Makes a function that masks given secrets in a text, also where they are escaped as in JSON or a URL, or in Base64. */
export function hideCopies(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets.flatMap((secret) => [
    ...[secret, JSON.stringify(secret).slice(1, -1), base64(secret), encodeURIComponent(secret)],
    new URLSearchParams({ secret }).toString().slice("secret=".length),
  ]);
  // One of them may begin as another does.
  const all = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) => all.reduce((shown, one) => shown.replaceAll(one, mask), text);
}

/** Every text with a secret matches this. */
const clue = /[=%@]|bearer|basic/i;

/**
 * Shortens a client's text to `length` characters. Masks userinfo in URLs, and values after the name of a
 * secret and an equals sign, even if they are percent-encoded.
 */
export function maskText(text: string, length: number, isSecret: IsSecret = isCredentialName): string {
  const isCut = text.length > length;
  if (!isCut && !clue.test(text)) return text;
  const start = text.slice(0, length);
  // A percent sign may be encoded several times.
  const decoded = start.replaceAll(/%(?:25)+(?=[\da-f]{2})/gi, "%");
  const masked = maskEncoded(decoded, isCut, isSecret);
  return `${masked === decoded ? start : masked}${isCut ? "…" : ""}`;
}

function maskEncoded(text: string, isCut: boolean, isSecret: IsSecret): string {
  const withoutTokens = text.replaceAll(schemeAndToken, `$1$2${mask}`);
  // The truncated part may have shown that this is userinfo.
  const withoutUserinfo = withoutTokens.replaceAll(isCut ? cutUserinfo : userinfo, `$1${mask}@`);
  const [path, query] = splitOnce(withoutUserinfo, "?");
  // A text may contain a name thousands of times.
  const known = new Map<string, boolean>();
  const isSecretName = (name: string) => getOrCreate(known, name, () => isSecret(percentDecode(name) ?? name));
  const maskEach = (part: string, separator: string) =>
    part
      .split(separator)
      .map((one) => maskValue(one, isSecretName))
      .join(separator);
  return `${maskEach(path, "/")}${query === undefined ? "" : `?${maskEach(query, "&")}`}`;
}

/**
 * Copies a JSON value with the secrets in its texts masked. Values of secret members are replaced and keep
 * their types.
 */
export function maskValues(value: unknown, isSecret: IsSecret, isHidden = false): unknown {
  if (Array.isArray(value)) return value.map((item) => maskValues(item, isSecret, isHidden));
  if (isObject(value)) {
    return mapMembers(value, (member, name) => maskValues(member, isSecret, isHidden || isSecret(name)));
  }
  if (typeof value === "string") return isHidden ? mask : maskText(value, Infinity, isSecret);
  return isHidden && typeof value === "number" ? 0 : value;
}

/** Masks secrets in the value of a header. Names of cookies and authentication schemes stay. */
export function maskHeader(name: string, value: string, isSecret: IsSecret): string {
  const lowerCase = name.toLowerCase();
  if (lowerCase === "cookie") return value.split(";").map(maskCookie).join(";");
  if (lowerCase === "set-cookie") return value.replace(/=[^;]*/, `=${mask}`);
  if (lowerCase.endsWith("authorization")) return value.replace(/^(\w+ +)?.*$/s, `$1${mask}`);
  return maskParameter(name, value, isSecret);
}

/** Masks the value of a pair in a Cookie header, and leaves its name if it has one. */
function maskCookie(pair: string): string {
  const [name, value] = splitOnce(pair, "=");
  return value !== undefined && /^\s*\S+$/.test(name) ? `${name}=${mask}` : mask;
}

export function maskParameter(name: string, value: string, isSecret: IsSecret): string {
  return isSecret(name) ? mask : maskText(value, Infinity, isSecret);
}

/** Matches the token after an authentication scheme, percent-encoded or not. */
const schemeAndToken = /((?<![a-z\d])|%[\da-f]{2})((?:bearer|basic)(?:\s|\+|%20)+)[^\s&;,"']+/gi;

const userinfo = /((?:\/|%2f){2})(?:(?!%2f)[^/?#&\s])*(?:@|%40)/gi;
const cutUserinfo = /((?:\/|%2f){2})(?:(?!%2f)[^/?#&\s])*(?:@|%40|$)/gi;

/** Names end where a value begins, and begin after a separator of pairs, percent-encoded or not. */
const pairName =
  /(?<=^|[;&?#,\s"'{}=+]|%(?:2[0236cf]|3[bdf]))((?:(?!%(?:2[0236cf]|3[bdf]))[^;&?#,\s"'{}=+])*)(?:=|%3d)/gi;

function maskValue(part: string, isSecretName: IsSecret): string {
  if (!part.includes("=") && !part.includes("%")) return part;
  for (const { 0: pair, 1: name = "", index } of part.matchAll(pairName)) {
    if (isSecretName(name)) return `${part.slice(0, index + pair.length)}${mask}`;
  }
  return part;
}
