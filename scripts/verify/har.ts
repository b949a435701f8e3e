import { attempt, UserError } from "../contract/failures.ts";
import { escapeControls, splitOnce, withoutByteOrderMark } from "../contract/text.ts";
import { hideCopies, mask, maskHeader, maskValues, type IsSecret, type Secrets } from "../exchange/secrets.ts";
import { elementsOf, isObject, objectsOf, parseJson, stringOf, valueAt } from "../spec/json.ts";
import { describeSyntaxError } from "../spec/jsonPlaces.ts";
import { essenceOf } from "../spec/mediaTypes.ts";
import { isZip, openZip } from "./zipArchive.ts";
import { credentialsIn, type Exchange, type ExchangeMessage, type HeaderField } from "../exchange/exchange.ts";

/** Returns the content of a file in the same archive. `undefined` if there is none. */
type ReadAttached = (name: string) => Uint8Array | undefined;

/**
 * Reads the exchanges in an HTTP Archive, or in a ZIP archive that contains one and the bodies as files, as Playwright
 * writes it. Throws {@link UserError} if the bytes are neither. `file` is its name in the message.
 */
export function readHarFile(bytes: Uint8Array, file: string): readonly Exchange[] {
  if (!isZip(bytes)) return readHar(Buffer.from(bytes).toString(), file);
  const zip = openZip(bytes, file);
  // macOS adds a file of its own for each one.
  const name = zip.names.find((one) => one.endsWith(".har") && !one.startsWith("__MACOSX/"));
  if (name === undefined) throw new UserError(`${file} contains no HTTP Archive (*.har)`);
  return readHar(Buffer.from(zip.read(name) ?? []).toString(), `${escapeControls(name)} in ${file}`, zip.read);
}

/**
 * Reads the HTTP exchanges in an HTTP Archive (HAR 1.2), as browsers, test runners and proxies write it. Skips other
 * requests. Throws {@link UserError} if the text isn't an archive. `file` is its name in the message.
 */
export function readHar(text: string, file: string, readAttached: ReadAttached = () => undefined): readonly Exchange[] {
  const json = withoutByteOrderMark(text);
  const archive = parseJson(json);
  if (archive === undefined) throw new UserError(`${file} ${describeSyntaxError(json)}`);
  const entries = valueAt(archive, ["log", "entries"]);
  if (!Array.isArray(entries)) throw new UserError(`${file} is not an HTTP Archive (HAR): it has no array log.entries`);
  return elementsOf(entries)
    .map((entry, index) => readEntry(entry, `${file}: log.entries[${index}]`, readAttached))
    .filter(({ url }) => ["http", "https"].includes(splitOnce(url, ":")[0].toLowerCase()));
}

function readEntry(entry: unknown, place: string, readAttached: ReadAttached): Exchange {
  const { request, response, startedDateTime, time } = fieldsOf(entry);
  const { method, url, postData } = fieldsOf(request);
  const { status, content, _error: error, _failureText: failureText = error } = fieldsOf(response);
  if (typeof method !== "string" || typeof url !== "string" || !URL.canParse(url))
    throw new UserError(`${place}.request must have a method and an absolute URL`);
  // For a failed request, browsers write the status 0, and other programs -1.
  const isAnswered = typeof status === "number" && status >= 100;
  const failure = stringOf(failureText) ?? (isAnswered ? undefined : "no response was recorded");
  const answered = { status: Number(status), headers: readHeaders(response), body: readBody(content, readAttached) };
  const exchange = {
    method: method.toUpperCase(),
    url,
    request: { headers: readHeaders(request), body: readBody(postData, readAttached) },
    response: isAnswered ? answered : undefined,
    ...(failure !== undefined && { failure }),
  };
  const isTimed = typeof time === "number" && time > 0;
  const startedAt = Date.parse(String(startedDateTime)) || 0;
  return isTimed ? { ...exchange, timing: { startedAt, duration: time } } : exchange;
}

/** Header fields without the pseudo-header fields of HTTP/2. Browsers join the values of `Set-Cookie` with newlines. */
function readHeaders(message: unknown): readonly HeaderField[] {
  return objectsOf(fieldsOf(message)["headers"]).flatMap(({ name, value }) =>
    typeof name !== "string" || typeof value !== "string" || name.startsWith(":")
      ? []
      : value.split("\n").map((line): HeaderField => [name, line]),
  );
}

/** The content of `postData` or `content`. The text may be missing or empty. */
function readBody(content: unknown, readAttached: ReadAttached): Uint8Array | undefined {
  const { text, encoding, size, _file: attached } = fieldsOf(content);
  if (typeof attached === "string") return readAttached(attached);
  if (typeof text !== "string" || (text === "" && Number(size) > 0)) return undefined;
  return Buffer.from(text, encoding === "base64" ? "base64" : "utf8");
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The `creator` of our archives (HAR 1.2). Only these files are replaced without `--force`. */
const creatorName = "npm run verify";

/** Checks whether a text is an archive that this program wrote. */
export function isOwnHar(text: string): boolean {
  return valueAt(parseJson(text), ["log", "creator", "name"]) === creatorName;
}

/** The text before and after the entries of an archive (HAR 1.2). */
export function harFrame(): Readonly<Record<"foot" | "head", string>> {
  const log = JSON.stringify({ version: "1.2", creator: { name: creatorName, version: "1" } });
  return { head: `{"log":${log.slice(0, -1)},"entries":[`, foot: "\n]}}\n" };
}

/**
 * Writes an exchange as an entry of an HTTP Archive (HAR 1.2) on one line. Masks credentials by their names, cookies,
 * and fields of JSON and forms. Leaves out other bodies, because secrets in them can't be recognized. Adds the
 * credentials of the request to `credentials`, so that repetitions of them can be masked, too.
 */
export function harEntry(exchange: Exchange, secrets: Secrets, credentials: Set<string>): string {
  for (const credential of credentialsIn(exchange, secrets)) credentials.add(credential);
  // Masking by names alone may leave a part of a credential after a slash.
  const safe = withoutCopies(exchange, secrets, hideCopies([...credentials]));
  return withoutCredentials(JSON.stringify(writeEntry(safe, secrets)), credentials);
}

/** An exchange without copies of credentials. `hide` masks them in a text. Secret header fields stay. */
function withoutCopies(exchange: Exchange, { isSecretParameter }: Secrets, hide: (text: string) => string): Exchange {
  const hideIn = ({ headers, body }: ExchangeMessage): ExchangeMessage => ({
    headers: headers.map(([name, value]) => [name, isSecretParameter(name) ? value : hide(value)]),
    body: body && Buffer.from(hide(Buffer.from(body).toString())),
  });
  const { url, request, response } = exchange;
  return {
    ...{ ...exchange, url: hide(url), request: hideIn(request) },
    response: response && { ...hideIn(response), status: response.status },
  };
}

/** A JSON text in which credentials are masked everywhere. */
export function withoutCredentials(text: string, credentials: ReadonlySet<string>): string {
  return [...credentials].reduce(
    (shown, credential) => shown.replaceAll(JSON.stringify(credential).slice(1, -1), mask),
    text,
  );
}

function writeEntry({ method, url, request, response, failure, timing }: Exchange, secrets: Secrets): object {
  const masked = secrets.maskUrl(url);
  const queryString = Array.from(new URL(masked).searchParams, ([name, value]) => ({ name, value }));
  const { content, ...answer } = writeMessage(response, secrets);
  const { content: postData, ...asked } = writeMessage(request, secrets);
  const { startedAt = 0, duration = 0 } = timing ?? {};
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: duration,
    request: { method, url: masked, queryString, ...asked, postData: request.body && postData },
    response: {
      ...{ status: response?.status ?? 0, statusText: "", redirectURL: "", ...answer, _error: failure },
      content: { size: response?.body?.length ?? 0, ...content },
    },
    ...{ cache: {}, timings: { send: 0, wait: duration, receive: 0 } },
  };
}

function writeMessage({ headers, body }: ExchangeMessage = { headers: [], body: undefined }, secrets: Secrets) {
  const mimeType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const text = body && Buffer.from(body).toString();
  const shown = text === undefined ? undefined : maskContent(text, mimeType, secrets.isSecretProperty);
  const note = text === undefined ? {} : { comment: "left out because it may contain secrets" };
  return {
    ...{ httpVersion: "HTTP/1.1", cookies: [], headersSize: -1, bodySize: -1 },
    headers: headers.map(([name, value]) => ({ name, value: maskHeader(name, value, secrets.isSecretParameter) })),
    content: { mimeType, ...(shown === undefined ? note : { text: shown }) },
  };
}

/** The text of a body without secrets. `undefined` if secrets in it can't be recognized. */
export function maskContent(text: string, mimeType: string, isSecret: IsSecret): string | undefined {
  if (essenceOf(mimeType) === "application/x-www-form-urlencoded") {
    const pairs = [...new URLSearchParams(text)];
    return new URLSearchParams(pairs.map(([name, value]) => [name, isSecret(name) ? mask : value])).toString();
  }
  const value = parseJson(text);
  if (text === "") return "";
  // A value that is nested too deeply can't be written.
  return value === undefined ? undefined : attempt(() => JSON.stringify(maskValues(value, isSecret)));
}
