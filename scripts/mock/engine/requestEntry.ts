import { essenceOf, isJson } from "../../spec/mediaTypes.ts";
import { changeAt, isObject, parseExactJson, parseJson, pointerKeys, valueAt } from "../../values/json.ts";
import type { FaultRule, ListedRule, OverrideRule, ReceivedRequest, RequestEntry } from "../mockTypes.ts";
import type { Answer } from "../content/answer.ts";
import { isReset } from "./delivery.ts";
import type { MockRequest } from "./mockRequest.ts";
import { splitOnce } from "../../values/text.ts";
import { memoryOf } from "../state/budget.ts";
import { isRefusal, listedViolations, type Refusal } from "../../exchange/refusal.ts";
import { parseJsonBody, type CheckedBody } from "../../exchange/requestBody.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import { hideCredentials } from "../../exchange/exchange.ts";
import { findingFields, requestFindings } from "../content/entryFindings.ts";
import { maskHeader, maskParameter, maskValues, maskAndCut, type Secrets } from "../../exchange/secrets.ts";

/** What is known of a request when it has an answer. */
export interface Outcome {
  /** `undefined` if the client disconnected before the body ended. */
  readonly answer: Answer | Refusal | undefined;
  /** Absent if no operation was found. */
  readonly received?: ReceivedRequest;
  /** The parsed body, even if it violates the contract, which `received` then lacks. */
  readonly body?: Pick<CheckedBody, "size" | "value"> | undefined;
  /** The violations in the request. */
  readonly violations?: readonly FoundViolation[];
  /** The rules that were applied. */
  readonly overrideRule?: ListedRule<OverrideRule> | undefined;
  readonly faultRule?: ListedRule<FaultRule> | undefined;
  /** Remarks on the request, for its entry and for the header `x-mock-note`. They contain no secrets. */
  readonly notes?: readonly string[];
}

/** An answered request. */
export interface AnsweredRequest extends Outcome {
  readonly id: number;
  /** When it arrived. */
  readonly time: string;
  /** Time until its answer. */
  readonly milliseconds: number;
  readonly sessionName: string;
  readonly request: Pick<MockRequest, "headers" | "method" | "target">;
  readonly answer: Answer;
  /** True if the client left before the answer. */
  readonly isGone: boolean;
}

/** A request that was answered. */
export interface KeptRequest {
  /**
   * Returns the entry. Few entries are ever read, so the request is masked on the first read and then
   * dropped, and the response is masked on each.
   */
  readonly readEntry: () => RequestEntry;
  /** The rules that this request has used up. */
  readonly usedUp: Readonly<Record<"faults" | "overrides", readonly object[]>>;
  /** Approximate memory use, in bytes. */
  readonly size: number;
}

const maxBodyLength = 2 ** 16;
const maxReasonLength = 1_000;

type MaskedNames = Pick<Secrets, "isSecretParameter" | "isSecretProperty">;

/** The entry of a request, as far as the log has it: without parameters, headers and bodies. */
export function writeEntry(answered: AnsweredRequest, { maskTarget }: Pick<Secrets, "maskTarget">): RequestEntry {
  const { id, time, milliseconds, sessionName, request, answer, isGone } = answered;
  const { overrideRule, violations = [], notes = [] } = answered;
  const { status, reason, refusal, exception } = answer;
  const fault = faultOf(answer, request.method);
  return {
    ...pointerField(violations),
    // An upstream may have both.
    ...findingFields(answer.findings ?? requestFindings(violations)),
    ...(overrideRule && { override: overrideRule.id }),
    ...{ id, time, status, method: maskAndCut(request.method), target: maskTarget(request.target) },
    ...(sessionName !== "" && { session: sessionName }),
    milliseconds: Math.round(milliseconds * 1_000) / 1_000,
    ...(reason !== undefined && { reason: reason.slice(0, maxReasonLength) }),
    ...(refusal !== undefined && { refusal: { ...refusal, text: refusal.text.slice(0, maxReasonLength) } }),
    ...(notes.length > 0 && { note: notes.join("; ") }),
    ...(fault !== undefined && { fault }),
    ...(exception !== undefined && { exception }),
    ...(isGone && { left: true as const }),
  };
}

/** The fault in an answer, as its client meets it. */
function faultOf(answer: Answer, method: string): RequestEntry["fault"] {
  const { fault } = answer;
  const delivery = isReset(answer, method) ? "reset" : answer.delivery;
  return fault === undefined || delivery === undefined ? fault : { ...fault, delivery };
}

/** Keeps a request with its parameters, headers and bodies. `logged` is its entry in the log. */
export function createKeptRequest(
  logged: RequestEntry,
  { request, received, body, violations = [], overrideRule, faultRule, answer }: AnsweredRequest,
  secrets: MaskedNames,
): KeptRequest {
  const { method, target, headers } = request;
  const { size: bodySize = 0, value } = body ?? {};
  const isTooLong = bodySize > maxBodyLength;
  const kept = isTooLong ? `${bodySize} bytes: too large to keep` : value;
  let sent = received && { ...received, ...(kept !== undefined && { body: kept }) };
  const usedUp = { overrides: usedUpOf(overrideRule), faults: usedUpOf(faultRule) };
  // The target has the path and the query already.
  let size = 1_000 + 3 * target.length + memoryOf(kept) + memoryOf(logged) + memoryOf(usedUp);
  for (const [name, value] of Object.entries(headers)) size += name.length + value.length;
  // An override may copy any part of the request.
  const hide = overrideRule && { hideCredentials: hideOwn(request, secrets) };
  const sentBack = method === "HEAD" ? undefined : contentOf({ ...hide, ...answer });
  size += sentBack?.body.length ?? 0;
  let entry: RequestEntry | undefined;
  const readEntry = () => {
    entry ??= {
      ...logged,
      ...(sent && withoutSecrets({ ...sent, body: hideRejected(sent.body, violations) }, secrets)),
    };
    sent = undefined;
    // Kept as a text, because the value may take 30 times the memory.
    const { isDescription = false, ...shown } = sentBack ? maskedBody(sentBack, secrets) : {};
    const described = [...(isTooLong ? ["body" as const] : []), ...(isDescription ? ["responseBody" as const] : [])];
    return { ...entry, ...shown, ...(described.length > 0 && { described }) };
  };
  return { size, usedUp, readEntry };
}

/** Creates a function that masks the credentials of a request in a text. */
function hideOwn({ method, target, headers }: AnsweredRequest["request"], secrets: MaskedNames) {
  const [, query = ""] = splitOnce(target, "?");
  const fields = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  return hideCredentials(
    { method, url: `http://localhost/?${query}`, request: { headers: fields, body: undefined }, response: undefined },
    secrets,
  );
}

function pointerField(violations: readonly FoundViolation[]): Pick<RequestEntry, "pointers"> {
  const pointers = new Set(violations.flatMap(({ in: place, pointer }) => (place === "body" ? (pointer ?? []) : [])));
  return pointers.size > 0 ? { pointers: [...pointers] } : {};
}

function usedUpOf(rule: ListedRule<FaultRule | OverrideRule> | undefined): readonly object[] {
  return rule?.times === 0 ? [rule] : [];
}

/**
 * A body without the texts that its violations don't show either, since they may be secrets in a wrong place.
 * If not all of the violations are listed, no text is shown.
 */
function hideRejected(body: unknown, violations: readonly FoundViolation[]): unknown {
  const hidden = violations.filter(({ in: place, received }) => place === "body" && received === undefined);
  if (violations.length >= listedViolations) return maskValues(body, () => true, true);
  // A shortened pointer leads to nothing.
  const places = hidden
    .map(({ pointer = "" }) => pointerKeys(pointer))
    .filter((keys) => valueAt(body, keys) !== undefined);
  return places.reduce((shown, keys) => changeAt(shown, keys, hideText), body);
}

/** Masks a text or a number. */
function hideText(value: unknown): unknown {
  return isObject(value) || Array.isArray(value) ? value : maskValues(value, () => true, true);
}

/** The content of a response, or a description of it in its place. */
interface KeptContent {
  readonly mediaType: string;
  readonly body: Uint8Array | string;
  readonly isDescription: boolean;
  readonly hideCredentials?: Answer["hideCredentials"];
}

/** The content of an answer, as far as it's kept. `undefined` if it has none, or doesn't arrive whole. */
function contentOf({ headers, body = "", stream, delivery, hideCredentials }: Answer): KeptContent | undefined {
  if (delivery !== undefined || (body.length === 0 && stream === undefined)) return undefined;
  const mediaType = essenceOf(String(headers["content-type"] ?? ""));
  const described = (reason = "") => {
    const size = stream === undefined ? `${byteLength(body)} bytes` : "a stream";
    const text = `${size}${mediaType === "" ? "" : ` of ${mediaType}`}${reason}`;
    return { mediaType: "text/plain", body: text, isDescription: true, hideCredentials };
  };
  if (stream !== undefined || (!isJson(mediaType) && mediaType !== "text/plain")) return described();
  if (isLongerThan(maxBodyLength, body)) return described(": too large to keep");
  return { mediaType, body, isDescription: false, hideCredentials };
}

function byteLength(body: Uint8Array | string): number {
  return typeof body === "string" ? new TextEncoder().encode(body).length : body.length;
}

/** Returns whether a body has more bytes. A UTF-16 code unit takes three at most, so few texts have to be encoded. */
function isLongerThan(most: number, body: Uint8Array | string): boolean {
  return body.length > most || (body.length * 3 > most && byteLength(body) > most);
}

/** The body of a response, unless it's no JSON any more without the credentials in it. */
function maskedBody(content: KeptContent, { isSecretProperty }: Pick<Secrets, "isSecretProperty">) {
  const { value, isDescription } = readContent(content);
  const masked = maskValues(value, isSecretProperty);
  const { hideCredentials } = content;
  const responseBody = hideCredentials === undefined ? masked : parseJson(hideCredentials(JSON.stringify(masked)));
  return responseBody === undefined ? {} : { responseBody, isDescription };
}

/** A body as JSON or text. Secrets can't be found in JSON that is malformed or nested too deep. */
function readContent({ mediaType, body, isDescription }: KeptContent) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (!isJson(mediaType)) return { value: new TextDecoder().decode(bytes), isDescription };
  const parsed = parseJsonBody(bytes);
  return isRefusal(parsed)
    ? { value: `${bytes.length} bytes of ${mediaType}: ${parsed.detail}`, isDescription: true }
    : // The numbers of an upstream stay as it wrote them.
      { value: parseExactJson(new TextDecoder().decode(bytes)), isDescription };
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
