import { groupBy } from "../values/collections.ts";
import { splitOnce } from "../values/text.ts";
import { decodeBase64 } from "../values/bytes.ts";
import { splitCookies } from "../spec/headerFields.ts";
import { jsonPointer } from "../values/json.ts";
import { hideCopies, mask, type Secrets } from "./secrets.ts";

/** A request and its response, whether they were sent, recorded or forwarded. */
export interface Exchange {
  /** The method, in upper case. */
  readonly method: string;
  /** The absolute URL, with its query. */
  readonly url: string;
  readonly request: ExchangeMessage;
  /** `undefined` if no response came. */
  readonly response: ExchangeResponse | undefined;
  /** Why the response is missing or incomplete. */
  readonly failure?: string;
  /** True if the response took too long. */
  readonly isLate?: boolean;
  /** True if the server closed the connection before the end of the response. */
  readonly isCut?: boolean;
  /** How many milliseconds it took. */
  readonly duration?: number;
}

export interface ExchangeMessage {
  /** The header fields in order. A name may occur more than once. */
  readonly headers: readonly HeaderField[];
  /** The decoded body. `undefined` if there is none, or if it is unknown. */
  readonly body: Uint8Array | undefined;
}

export interface ExchangeResponse extends ExchangeMessage {
  readonly status: number;
}

/** A name in its original spelling, and a value. */
export type HeaderField = readonly [name: string, value: string];

/** Header fields by their names in lower case. */
export type Headers = Readonly<Record<string, string>>;

export function joinFields(headers: readonly HeaderField[]): Headers {
  const fields = groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    Array.from(fields, ([name, values]) => [name, values.map(([, value]) => value).join(", ")]),
  );
}

/**
 * The credentials in a request, which a server may repeat anywhere. Short ones are left out, since any text
 * may contain them by chance.
 */
export function credentialsIn(
  { url, request }: Exchange,
  { isSecretParameter }: Pick<Secrets, "isSecretParameter">,
): readonly string[] {
  const found: string[] = [];
  for (const [name, value] of [...new URL(url).searchParams, ...request.headers]) {
    if (!isSecretParameter(name)) continue;
    // A header may have several: cookies, or a name and a password.
    for (const part of [...splitCookies(value), passwordIn(value)]) found.push(withoutName(part), part);
  }
  return found.filter(({ length }) => length >= 8);
}

/**
 * A credential without its authentication scheme or cookie name: the part after the first space or equals
 * sign.
 */
function withoutName(credential: string): string {
  const end = credential.search(/[ =]/);
  return end > 0 ? credential.slice(end + 1) : credential;
}

/** The password of Basic credentials (RFC 7617, section 2); empty if there is none. */
function passwordIn(credentials: string): string {
  const encoded = /^basic +(\S+)$/i.exec(credentials)?.[1] ?? "";
  return splitOnce(decodeBase64(encoded) ?? "", ":")[1] ?? "";
}

/**
 * Creates a function that masks the credentials of a request in a text, even if they are escaped as in JSON
 * or in a JSON Pointer, or truncated.
 */
export function hideCredentials(
  exchange: Exchange,
  secrets: Pick<Secrets, "isSecretParameter">,
): (text: string) => string {
  const credentials = credentialsIn(exchange, secrets);
  const inJson = credentials.map((one) => JSON.stringify(one).slice(1, -1));
  const written = [...new Set(inJson.flatMap((one) => [one, jsonPointer([one]).slice(1)]))];
  const hideCopied = hideCopies(credentials);
  const hideWhole = (text: string) => written.reduce((shown, one) => shown.replaceAll(one, mask), hideCopied(text));
  return (text) => written.reduce(hideBeginning, hideWhole(text));
}

/** Masks what is left of a credential of which the end was cut off. */
function hideBeginning(text: string, credential: string): string {
  const [before = "", ...found] = text.split(credential.slice(0, 12));
  const rest = credential.slice(12);
  return before + found.map((after) => mask + after.slice(sharedLength(after, rest))).join("");
}

/** The number of characters with which both texts begin. */
function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < other.length && one[length] === other[length]) length += 1;
  return length;
}
