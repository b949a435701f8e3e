import { essenceOf, isJson } from "../../spec/mediaTypes.ts";
import { parseJson } from "../../spec/json.ts";
import type { ReceivedRequest, RequestEntry } from "../mockTypes.ts";
import type { Answer } from "../response/answer.ts";
import type { MockRequest } from "./mockRequest.ts";
import { memoryOf } from "../state/budget.ts";
import { maskHeader, maskParameter, maskValues, type Secrets } from "../../exchange/secrets.ts";

/** Facts about a request that are collected while it is answered. */
export interface Receipt {
  received: ReceivedRequest | undefined;
  /** Size of the parsed body, in bytes. */
  bodySize: number;
  /** Remarks on the request, for its entry and for the header `x-mock-note`. They contain no secrets. */
  readonly notes: string[];
}

/** A receipt of a request of which nothing is known yet. */
export function createReceipt(): Receipt {
  return { received: undefined, bodySize: 0, notes: [] };
}

/** A request that was answered. */
export interface KeptRequest {
  /**
   * Returns the entry. Few entries are ever read, so the request is masked on the first read and then
   * dropped.
   */
  readonly readEntry: () => RequestEntry;
  /** Approximate memory use, in bytes. */
  readonly size: number;
}

const longestBody = 2 ** 16;

/** Keeps an answered request. `logged` is the part of the entry that is also in the log. */
export function createKeptRequest(
  logged: RequestEntry,
  { method, target, headers }: Pick<MockRequest, "headers" | "method" | "target">,
  { received, bodySize, answer }: Pick<Receipt, "bodySize" | "received"> & { readonly answer?: Answer },
  secrets: Pick<Secrets, "isSecretParameter" | "isSecretProperty">,
): KeptRequest {
  const isTooLong = bodySize > longestBody;
  let sent = isTooLong && received ? { ...received, body: `${bodySize} bytes: too large to keep` } : received;
  // The target has the path and the query already.
  let size = 1_000 + 3 * target.length + memoryOf(sent?.body);
  for (const [name, value] of Object.entries(headers)) size += name.length + value.length;
  let sentBack = answer === undefined || method === "HEAD" ? undefined : contentOf(answer);
  size += sentBack?.body.length ?? 0;
  let entry: RequestEntry | undefined;
  const readEntry = () => {
    entry ??= {
      ...logged,
      ...(sent && withoutSecrets(sent, secrets)),
      ...(sentBack && { responseBody: maskValues(readContent(sentBack), secrets.isSecretProperty) }),
    };
    sent = undefined;
    sentBack = undefined;
    return entry;
  };
  return { size, readEntry };
}

/** The content of a response, or a description of it in its place. */
interface KeptContent {
  readonly mediaType: string;
  readonly body: Uint8Array | string;
}

/**
 * The content of an answer, as far as it's kept. `undefined` if it has none, doesn't arrive whole, or comes from
 * an upstream, which may repeat the credentials of the request anywhere.
 */
function contentOf({ headers, body, delivery, isPassedBack = false }: Answer): KeptContent | undefined {
  if (body === undefined || body.length === 0 || delivery !== undefined || isPassedBack) return undefined;
  const mediaType = essenceOf(String(headers["content-type"] ?? ""));
  const size = `${body.length} bytes${mediaType === "" ? "" : ` of ${mediaType}`}`;
  if (!isJson(mediaType) && essenceOf(mediaType) !== "text/plain") return { mediaType: "text/plain", body: size };
  return body.length > longestBody
    ? { mediaType: "text/plain", body: `${size}: too large to keep` }
    : { mediaType, body };
}

function readContent({ mediaType, body }: KeptContent): unknown {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const value = isJson(mediaType) ? parseJson(text) : undefined;
  return value === undefined ? text : value;
}

function withoutSecrets(
  { path, query, headers, body, ...received }: ReceivedRequest,
  { isSecretParameter, isSecretProperty }: Pick<Secrets, "isSecretParameter" | "isSecretProperty">,
): ReceivedRequest {
  const maskOne = (name: string, value: string) => maskParameter(name, value, isSecretParameter);
  const maskAll = (name: string, value: string | string[]) =>
    typeof value === "string" ? maskOne(name, value) : value.map((one) => maskOne(name, one));
  return {
    ...received,
    path: mapEntries(path, maskOne),
    query: mapEntries(query, maskAll),
    headers: mapEntries(headers, (name, value) => maskHeader(name, value, isSecretParameter)),
    body: maskValues(body, isSecretProperty),
  };
}

function mapEntries<T>(members: Readonly<Record<string, T>>, change: (name: string, value: T) => T) {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(name, value)]));
}
