import { attempt } from "../contract/failures.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { credentialVariable, type SecurityScheme } from "../contract/security.ts";
import { splitOnce } from "../values/text.ts";
import { joinFields, type Exchange } from "../exchange/exchange.ts";
import { isInContract, isOpenValue } from "../exchange/openValues.ts";
import { isIdentifierName, mask, maskHeader, maskValues, type Secrets } from "../exchange/secrets.ts";
import { curlCommand, type CurlRequest, type ShellText } from "../samples/curlCommand.ts";
import { splitCookies } from "../spec/headerFields.ts";
import { isObject, mapMembers, parseJson } from "../values/json.ts";
import { contentOfType, essenceOf } from "../spec/mediaTypes.ts";
import { serverUrls, type SchemaObject } from "../spec/openapi.ts";
import { pathParameters } from "../spec/pathTemplate.ts";
import { percentDecode } from "../values/percentEncoding.ts";
import { applicableSchemas, memberSchemas } from "../spec/schemas.ts";

/** What decides which values of a request its command shows. */
export interface CommandContext {
  readonly generation: Generation;
  /** `undefined` for a request to an operation that the contract doesn't have. */
  readonly operation: Operation | undefined;
  readonly secrets: Secrets;
  /** The credentials of the run, as examples of their schemes. */
  readonly credentials: readonly SecurityScheme[];
  /** The origin of the server that the user named. */
  readonly origin: string | undefined;
  /** True for a request that this run hasn't sent. */
  readonly isRecorded: boolean;
  /** True for a wrong request, whose values this command has made. */
  readonly isMade: boolean;
}

/** The fields of a request that curl or a browser adds by itself. */
const addedByClient = ["host", "connection", "content-length", "accept-encoding", "user-agent"];

function isAddedByClient(name: string): boolean {
  return addedByClient.includes(name) || name.startsWith("sec-");
}

/** Fields whose values HTTP defines (RFC 9110, sections 8, 12, 13 and 14). */
const openFields = new Set(
  (
    "accept accept-charset accept-language content-encoding content-language content-type if-match if-modified-since " +
    "if-none-match if-unmodified-since range"
  ).split(" "),
);

/** What fits into 80 columns of the report, with its indentation of 4 and ` \\` at the end. */
const maxCurlLength = 74;

/**
 * A command line that sends the request of an exchange, without secrets. In place of the credentials of the run, it has
 * the environment variables that they came from, if its host is one that the user or the contract names.
 */
export function exchangeCommand({ method, url, request }: Exchange, context: CommandContext): string {
  const known = knownCredentials(url, context);
  const fields = request.headers.filter(([name]) => !isAddedByClient(name.toLowerCase()));
  const users = fields.map(([name, value]) => basicUser(known, name, value));
  const user = users.find((one) => one !== undefined);
  const headers = fields
    .filter((_, index) => users[index] === undefined)
    .map(([name, value]) => [name, headerText(context, known, name, value)] as const);
  const text = request.body && maskContent(Buffer.from(request.body).toString(), request.headers, context);
  const body: CurlRequest["body"] = text === undefined || text === "" ? undefined : { kind: "text", text };
  const sent = { method, url: urlText(context, known, new URL(url)), headers: Object.fromEntries(headers), user, body };
  return curlCommand(sent, undefined, maxCurlLength);
}

/** A credential that a command may show or name. `value`: without one, any value stands for it. */
interface KnownCredential extends Pick<SecurityScheme, "in" | "parameter" | "prefix"> {
  readonly value: string | undefined;
  readonly variable: string | undefined;
}

function knownCredentials(url: string, context: CommandContext): readonly KnownCredential[] {
  const { generation, operation, credentials, isRecorded } = context;
  const used = credentials.map(({ example, variable, ...scheme }) => ({ ...scheme, value: example, variable }));
  const isNamed = namedOrigins(context).has(new URL(url).origin);
  if (!isNamed) return used.filter(({ variable }) => variable === undefined);
  // Recorded credentials are those of somebody else. Readers send their own.
  const wanted = isRecorded ? (operation?.security.flat() ?? []) : [];
  const own = wanted.map((scheme) => ({
    ...scheme,
    value: undefined,
    variable: credentialVariable(generation.name, scheme.name),
  }));
  return [...used, ...own];
}

/** The origins that may get the user's credentials: that of `--server`, or else those that the contract names. */
function namedOrigins({ origin, generation, operation }: CommandContext): ReadonlySet<string> {
  if (origin !== undefined) return new Set([origin]);
  const servers = [...(generation.document.servers ?? []), ...(operation?.servers ?? [])];
  return new Set(serverUrls(servers).flatMap((url) => URL.parse(url)?.origin ?? []));
}

/** The text for a credential: the contract's example, or a variable. `undefined` if it is another's. */
function credentialText(
  known: readonly KnownCredential[],
  place: SecurityScheme["in"],
  name: string,
  value: string,
): ShellText | undefined {
  const isNamed = (parameter: string) =>
    place === "header" ? parameter.toLowerCase() === name.toLowerCase() : parameter === name;
  const found = known.find(
    ({ in: where, parameter, prefix, value: own }) =>
      where === place &&
      isNamed(parameter) &&
      value.toLowerCase().startsWith(prefix.toLowerCase()) &&
      (own === undefined || value.slice(prefix.length) === own),
  );
  if (found === undefined) return undefined;
  return found.variable === undefined ? value : [value.slice(0, found.prefix.length), { variable: found.variable }];
}

/** The variable with the user and the password of Basic credentials, which curl encodes. */
function basicUser(known: readonly KnownCredential[], name: string, value: string): ShellText | undefined {
  const basic = known.filter(({ prefix, variable }) => prefix === "Basic " && variable !== undefined);
  const text = credentialText(basic, "header", name, value);
  return typeof text === "object" ? text.slice(1) : undefined;
}

function headerText(context: CommandContext, known: readonly KnownCredential[], name: string, value: string) {
  const { isSecretParameter } = context.secrets;
  if (name.toLowerCase() === "cookie") return cookiesText(known, value);
  const credential = credentialText(known, "header", name, value);
  if (credential !== undefined) return credential;
  const isOpen =
    context.isMade || openFields.has(name.toLowerCase()) || isOpenParameter(context, "header", name, value);
  return isOpen || isSecretParameter(name) ? maskHeader(name, value, isSecretParameter) : mask;
}

/** Cookies with `***` for each value, or the variable of a credential. */
function cookiesText(known: readonly KnownCredential[], header: string): ShellText {
  return splitCookies(header).flatMap((pair, index): readonly (string | { readonly variable: string })[] => {
    const [name, value] = splitOnce(pair, "=");
    const separator = index === 0 ? "" : "; ";
    // Without a name, it may be a secret.
    if (value === undefined || name.trim() === "") return [separator + mask];
    return [`${separator}${name}=`, credentialText(known, "cookie", name, value) ?? mask].flat();
  });
}

/** A URL without userinfo and fragment, and without the values of parameters that may be secrets. */
function urlText(context: CommandContext, known: readonly KnownCredential[], url: URL): ShellText {
  const { secrets, isMade } = context;
  const pairs = url.search === "" ? [] : url.search.slice(1).split("&");
  const query = pairs.flatMap((pair, index) => {
    const [written, text] = splitOnce(pair, "=");
    const separator = index === 0 ? "?" : "&";
    if (text === undefined)
      return [separator, isMade || isInContract(context.generation.document, written) ? written : mask];
    const [name, value] = [written, text].map((one) => percentDecode(one.replaceAll("+", " ")) ?? one);
    const credential = credentialText(known, "query", name ?? "", value ?? "");
    const isSecret = secrets.isSecretParameter(name ?? "");
    const isOpen = isMade || isOpenParameter(context, "query", name ?? "", value ?? "");
    const shown = typeof credential === "string" || (credential === undefined && isOpen && !isSecret) ? text : mask;
    return [`${separator}${written}=`, typeof credential === "object" ? credential : shown].flat();
  });
  return [url.origin + pathText(context, url.pathname), ...query];
}

/** A path without the values of parameters that may be secrets. Identifiers stay, since commands need them. */
function pathText({ generation, operation, secrets, isMade }: CommandContext, pathname: string): string {
  const masked = secrets.maskPath(pathname);
  if (operation === undefined || isMade) return masked;
  const segments = masked.split("/");
  const template = operation.path.split("/");
  const start = segments.length - template.length;
  const isHidden = (segment: string, index: number) =>
    pathParameters(template[index - start] ?? "").some((name) => {
      const schema = operation.parameters.find((one) => one.in === "path" && one.name === name)?.schema;
      const schemas = applicableSchemas(generation.document, schema);
      return !isIdentifierName(name) && !isOpenValue(generation.document, percentDecode(segment) ?? segment, schemas);
    });
  return segments.map((segment, index) => (isHidden(segment, index) ? mask : segment)).join("/");
}

/** Returns whether the value of a query parameter or a header can't be a secret. */
function isOpenParameter({ generation, operation }: CommandContext, place: string, name: string, value: string) {
  const { document } = generation;
  const [base = name, key] = name.split(/[[\]]/);
  const isSame = (one: string) => (place === "header" ? one.toLowerCase() === name.toLowerCase() : one === base);
  const schemas = (operation?.parameters ?? [])
    .filter((one) => one.in === place)
    .flatMap((one) => {
      const own = applicableSchemas(document, one.schema);
      if (isSame(one.name)) return key === undefined ? own : memberSchemas(document, own, key);
      // In the style `form`, each member of an object is a parameter.
      return memberSchemas(document, own, name);
    });
  return isOpenValue(document, value, schemas);
}

/** The text of a body without secrets. `undefined` if secrets in it can't be recognized. */
function maskContent(text: string, fields: Exchange["request"]["headers"], context: CommandContext) {
  const { operation, secrets, isMade } = context;
  const mimeType = joinFields(fields)["content-type"] ?? "";
  const { schema } = contentOfType(operation?.requestBody?.content ?? [], mimeType) ?? {};
  const schemas = schema === undefined ? [] : applicableSchemas(context.generation.document, schema);
  const maskAll = (value: unknown) => {
    const named = maskValues(value, secrets.isSecretProperty);
    return isMade ? named : maskByPlace(context.generation.document, named, schemas);
  };
  if (essenceOf(mimeType) === "application/x-www-form-urlencoded") {
    const pairs = [...new URLSearchParams(text)].map(([name, value]) => {
      const masked = maskAll({ [name]: value });
      return [name, isObject(masked) ? String(masked[name]) : mask];
    });
    return new URLSearchParams(pairs).toString();
  }
  const value = parseJson(text);
  if (text === "") return "";
  // A value that is nested too deeply can't be written.
  return value === undefined ? undefined : attempt(() => JSON.stringify(maskAll(value)));
}

/** Copies a JSON value without texts that may be secrets, and without numbers that the contract doesn't describe. */
function maskByPlace(document: Generation["document"], value: unknown, schemas: readonly SchemaObject[]): unknown {
  const inside = (member: unknown, key: string) => maskByPlace(document, member, memberSchemas(document, schemas, key));
  if (Array.isArray(value)) return value.map((item, index) => inside(item, String(index)));
  if (isObject(value)) return mapMembers(value, inside);
  if (isOpenValue(document, value, schemas)) return value;
  return typeof value === "number" ? 0 : mask;
}
