import { UserError } from "../contract/failures.ts";
import { groupBy } from "../values/collections.ts";
import { countOf, splitOnce, withoutByteOrderMark } from "../values/text.ts";
import { elementsOf, isObject, objectsOf, parseJson, stringOf, valueAt } from "../values/json.ts";
import { describeSyntaxError } from "../values/jsonPlaces.ts";
import { isToken } from "../spec/headerFields.ts";
import type { Exchange, HeaderField } from "../exchange/exchange.ts";

/** Recorded exchanges, and the entries of the recording that are none. */
export interface Recording {
  readonly exchanges: readonly Exchange[];
  /** A sentence for each reason. */
  readonly leftOut: readonly string[];
}

/**
 * Reads the HTTP exchanges in an HTTP Archive (HAR 1.2), as browsers, test runners and proxies write it. Skips other
 * requests. Throws {@link UserError} if the text isn't an archive. `file` is its name in sentences.
 */
export function readHar(text: string, file: string): Recording {
  const json = withoutByteOrderMark(text);
  const archive = parseJson(json);
  if (archive === undefined) throw new UserError(`${file} ${describeSyntaxError(json)}`);
  const entries = valueAt(archive, ["log", "entries"]);
  if (!Array.isArray(entries)) throw new UserError(`${file} is not an HTTP Archive (HAR): it has no array log.entries`);
  const read = elementsOf(entries).map((entry, index) => ({ entry: readEntry(entry), place: `log.entries[${index}]` }));
  const wrong = read.flatMap(({ entry, place }) => ("reason" in entry ? [{ ...entry, place }] : []));
  return {
    exchanges: read
      .flatMap(({ entry }) => ("reason" in entry ? [] : [entry]))
      .filter(({ url }) => ["http", "https"].includes(splitOnce(url, ":")[0].toLowerCase())),
    leftOut: Array.from(
      groupBy(wrong, ({ reason }) => reason),
      ([reason, [first, ...others]]) => {
        const rest = others.length === 0 ? "" : ` and ${countOf(others.length, "other")}`;
        return `Left out of ${file}: ${first?.place ?? ""}${rest}, because ${reason}`;
      },
    ),
  };
}

/** Reads an entry, or says why it is no exchange. */
function readEntry(entry: unknown): Exchange | { readonly reason: string } {
  const { request, response, time } = fieldsOf(entry);
  const { method, url, postData } = fieldsOf(request);
  const { status, content, _error: error, _failureText: failureText = error } = fieldsOf(response);
  if (typeof method !== "string" || typeof url !== "string" || !URL.canParse(url))
    return { reason: "the request must have a method and an absolute URL" };
  if (!isToken(method)) return { reason: "the method must be that of HTTP, such as GET (RFC 9110, section 9.1)" };
  // For a failed request, browsers write the status 0, and other programs -1.
  const isAnswered = typeof status === "number" && status >= 100;
  const failure = stringOf(failureText) ?? (isAnswered ? undefined : "no response was recorded");
  const answered = { status: Number(status), headers: readHeaders(response), body: readBody(content) };
  const exchange = {
    method: method.toUpperCase(),
    url,
    request: { headers: readHeaders(request), body: readBody(postData) },
    response: isAnswered ? answered : undefined,
    ...(failure !== undefined && { failure }),
  };
  return typeof time === "number" && time > 0 ? { ...exchange, duration: time } : exchange;
}

/** Header fields with valid names, and so without the pseudo-header fields of HTTP/2. Browsers join the values of `Set-Cookie` with newlines. */
function readHeaders(message: unknown): readonly HeaderField[] {
  return objectsOf(fieldsOf(message)["headers"]).flatMap(({ name, value }) =>
    typeof name !== "string" || typeof value !== "string" || !isToken(name)
      ? []
      : value.split("\n").map((line): HeaderField => [name, line]),
  );
}

/** The content of `postData` or `content`. The text may be missing or empty. */
function readBody(content: unknown): Uint8Array | undefined {
  const { text, encoding, size } = fieldsOf(content);
  if (typeof text !== "string" || (text === "" && Number(size) > 0)) return undefined;
  return Buffer.from(text, encoding === "base64" ? "base64" : "utf8");
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
