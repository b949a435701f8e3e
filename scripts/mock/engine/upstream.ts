import { readBaseUrl } from "../../contract/defaultAddress.ts";
import { UserError } from "../../contract/failures.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import { suggestNames } from "../../values/similarName.ts";
import { escapeForHeader } from "../../values/text.ts";
import { groupBy } from "../../values/collections.ts";
import type { MockOptions } from "../mockTypes.ts";
import type { BodyLimits, MockRequest } from "./mockRequest.ts";
import type { ServedContract } from "../content/servedContract.ts";
import type { Target } from "../../exchange/requestTarget.ts";
import type { Answer } from "../content/answer.ts";
import { requestFindings, violationTexts, type EntryFinding } from "../content/entryFindings.ts";
import { isRefusal, listedViolations, refusalOf, type Refusal } from "../../exchange/refusal.ts";
import { maskAndCut, withoutAuthority } from "../../exchange/secrets.ts";
import { checkResponse, type CheckContext } from "../../exchange/checkResponse.ts";
import { withReceived, type ResponseFact } from "../../exchange/judgeResponse.ts";
import { largeBody, parseJsonBody } from "../../exchange/requestBody.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import {
  hideCredentials,
  joinFields,
  type Exchange,
  type ExchangeResponse,
  type HeaderField,
} from "../../exchange/exchange.ts";
import { requestServer, type EventStream } from "../../exchange/requestServer.ts";

interface UpstreamRequest {
  readonly request: MockRequest;
  readonly limits: BodyLimits;
  readonly contract: Pick<ServedContract, "secrets" | "takeTurn">;
  /** Why the mock itself would refuse the request. */
  readonly refusal: Refusal | undefined;
  readonly operation: Operation | undefined;
  readonly query: Target["query"];
}

/**
 * Returns a function that forwards a request and its response, unless the mock has to answer itself. The
 * function resolves to `undefined` if the client disconnects.
 */
export type Upstreaming = (given: UpstreamRequest) => (() => Promise<Answer | Refusal | undefined>) | undefined;

/** Options for this project's own programs. */
export interface UpstreamHooks {
  /** True to reject requests that break the contract, but pass back responses that break it. */
  readonly refusesInvalid?: boolean | undefined;
}

/** Throws {@link UserError} for an invalid option. */
export function createUpstream(
  option: MockOptions["upstream"],
  generations: readonly Generation[],
  { refusesInvalid = false }: UpstreamHooks = {},
): Upstreaming | undefined {
  if (option === undefined) return undefined;
  const { server, operations, errors, timeout } = readOption(option, generations);
  const name = `mock-${crypto.randomUUID()}`;
  const fail = (status: number, why: string): Refusal => ({ status, detail: `The upstream ${server} failed: ${why}.` });
  const passOn = async (given: UpstreamRequest) => {
    const { method, headers, whenGone } = given.request;
    const target = inOriginForm(given.request.target);
    const [path = ""] = target.split(/[?#]/, 1);
    if (path.includes("\\") || path.split("/").some(isDotSegment)) return refuseSteps(path);
    const via = [headers["via"] ?? [], `1.1 ${name}`].flat().join(", ");
    if (via.indexOf(name) < via.lastIndexOf(name)) return fail(502, "it leads back to this mock");
    const body = await given.request.readBody(given.limits);
    if (body === undefined || isRefusal(body)) return body;
    const gone = new AbortController();
    const release = whenGone(() => {
      gone.abort(new Error("the client left before the end of the response"));
    });
    const sent = {
      ...{ method, url: server + target },
      // `fetch` may support fewer codings than the client.
      headers: { ...Object.fromEntries(endToEnd(Object.entries(headers))), via, "accept-encoding": "identity" },
      body: body.length === 0 ? undefined : new Uint8Array(body),
    };
    let stream: EventStream | undefined;
    const exchange = await requestServer(sent, timeout, gone.signal, (begun) => {
      stream = begun;
    });
    release();
    if (gone.signal.aborted) return undefined;
    const { response, failure = "", isLate = false } = exchange;
    if (response === undefined) return fail(isLate ? 504 : 502, failure);
    const answer = await passBack(given, exchange, response);
    if (stream === undefined) return answer;
    if (isRefusal(answer)) stream.leave();
    else whenGone(stream.leave);
    return isRefusal(answer) ? answer : { ...answer, stream: stream.content };
  };
  const passBack = async (given: UpstreamRequest, exchange: Exchange, response: ExchangeResponse) => {
    const hide = hideCredentials(exchange, given.contract.secrets);
    const findings = await findFindings(given, exchange, response, hide);
    const answered = findings.filter(({ kind, direction }) => kind === "violation" && direction === "response");
    const violations = violationTexts(findings);
    const report = violations.length > 0 && {
      "x-mock-violations": escapeForHeader(JSON.stringify(violations.slice(0, mostInHeader))),
    };
    if (errors && answered.length > 0)
      return { ...fail(502, answered.map(({ message }) => message).join("; ")), headers: { ...report } };
    const { body } = response;
    const { "content-length": length } = joinFields(response.headers);
    const isHead = exchange.method === "HEAD";
    const ofHead = isHead && length !== undefined && { "content-length": length };
    return {
      findings,
      ...noteUnchecked(given, hide),
      hideCredentials: hide,
      status: response.status,
      headers: { ...headersToPassBack(response), ...ofHead, ...report },
      body,
      isLengthUnknown: body === undefined || (isHead && length === undefined),
    };
  };
  return (given) => {
    const isConcerned = operations?.includes(given.operation?.operationId ?? "") ?? true;
    const isRefused = given.refusal !== undefined && (errors || refusesInvalid);
    return isConcerned && !isRefused ? () => passOn(given) : undefined;
  };
}

/** The values of a response's headers by their names, without hop-by-hop fields and the mock's own. */
function headersToPassBack({ headers }: ExchangeResponse): Readonly<Record<string, readonly string[]>> {
  const theirs = endToEnd(headers).filter(([field]) => !field.startsWith(ownField));
  const fields = groupBy(theirs, ([field]) => field);
  return Object.fromEntries(Array.from(fields, ([field, all]) => [field, all.map(([, value]) => value)]));
}

function readOption(option: NonNullable<MockOptions["upstream"]>, generations: readonly Generation[]) {
  const { url, operations, errors = false, timeout = 30_000 } = typeof option === "string" ? { url: option } : option;
  const server = readBaseUrl(url, "the upstream must be an http or https URL, without a query or a password");
  if (!(timeout > 0 && timeout < 2 ** 31))
    throw new UserError("the upstream's timeout must be in milliseconds, above 0");
  const known = generations.flatMap((one) => one.operations.flatMap(({ operationId = [] }) => operationId));
  const unknown = operations?.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new UserError(`no operation to forward has the operationId "${unknown}": ${suggestNames(unknown, known)}`);
  return { server, operations, errors, timeout };
}

/** Maximum number of violations in the header, and of characters in each. Clients read 16 KiB of headers. */
const [mostInHeader, longestViolation] = [10, 200];

/** The contract violations in a request and its response, and doubts about the response, with secrets masked. */
async function findFindings(
  given: UpstreamRequest,
  exchange: Exchange,
  response: ExchangeResponse,
  hide: (text: string) => string,
) {
  const { refusal, operation, query, contract } = given;
  const found: EntryFinding[] = [];
  const doubts = new Map<string, EntryFinding>();
  if (operation !== undefined) {
    const context: CheckContext = {
      ...{ operation, exchange, query, response },
      ...{ requestFields: joinFields(exchange.request.headers), responseFields: joinFields(response.headers) },
      isSuccess: response.status >= 200 && response.status < 300,
      tell: (kind, _place, fact) => {
        if (kind === "violation" || kind === "unchecked") found.push(responseFinding("violation", fact));
        else if (kind === "absence") doubts.set(withReceived(fact), responseFinding("doubt", fact));
      },
    };
    await checkInTurn(context, contract.takeTurn);
  }
  const show = (findings: readonly EntryFinding[]) =>
    findings.slice(0, listedViolations).map((finding) => shortened(finding, hide));
  const wrong = reasonAgainstCheck(given) === undefined ? requestFindings(refusal?.violations ?? []) : [];
  return [...show(wrong), ...show(found), ...show([...doubts.values()])];
}

/**
 * Why the mock can't check a request, which then violates nothing: the contract has no operation for it, a schema is
 * unusable, or the body is encoded. `undefined` if it can.
 */
function reasonAgainstCheck({ refusal, operation }: UpstreamRequest): string | undefined {
  if (refusal === undefined) return undefined;
  const { violations = [], detail } = refusal;
  if (violations.some(({ code }) => code === "content-coding")) return "The mock doesn't decode its body.";
  return operation === undefined || violations.length === 0 ? detail : undefined;
}

function noteUnchecked(given: UpstreamRequest, hide: (text: string) => string): Pick<Answer, "note"> {
  const reason = reasonAgainstCheck(given);
  if (reason === undefined) return {};
  return { note: `the request was forwarded without a check: ${maskAndCut(hide(reason), longestViolation)}` };
}

function responseFinding(kind: EntryFinding["kind"], { received, ...fact }: ResponseFact): EntryFinding {
  const message = withReceived({ ...fact, ...(received !== undefined && { received }) });
  return {
    ...{ kind, direction: "response", ...fact, message },
    ...(received !== undefined && { received: String(received) }),
  };
}

/** A finding with short texts, in which a function masks credentials. */
function shortened(finding: EntryFinding, hide: (text: string) => string): EntryFinding {
  const { message, pointer, rule, received } = finding;
  const show = (text: string) => maskAndCut(hide(text), longestViolation);
  return {
    ...{ ...finding, message: show(message) },
    ...(pointer !== undefined && { pointer: maskAndCut(hide(pointer), 1_000) }),
    ...(rule !== undefined && { rule: show(rule) }),
    ...(received !== undefined && { received: show(received) }),
  };
}

/** Checks a response. Other requests are answered before and after a large body is parsed. */
async function checkInTurn(context: CheckContext, takeTurn: ServedContract["takeTurn"]): Promise<void> {
  const { body = new Uint8Array() } = context.response;
  if (body.length <= largeBody || !isJson(context.responseFields["content-type"] ?? "")) {
    checkResponse(context);
    return;
  }
  await takeTurn(async (pause) => {
    const parsed = parseJsonBody(body);
    await pause();
    checkResponse({ ...context, parsed });
  });
}

/** The prefix of header fields that only the mock writes. */
const ownField = "x-mock-";

/** A request-target as a path and query that begins with a slash. */
function inOriginForm(requestTarget: string): string {
  const target = withoutAuthority(requestTarget);
  return target.startsWith("/") ? target : `/${target}`;
}

/**
 * Returns whether a segment is a dot segment (https://url.spec.whatwg.org/#url-path-segment), or contains one
 * for a server that decodes slashes first.
 */
function isDotSegment(segment: string): boolean {
  const decoded = segment.toLowerCase().replaceAll("%2e", ".").replaceAll("%2f", "/").replaceAll("%5c", "/");
  return decoded.split("/").some((part) => part === "." || part === "..");
}

/**
 * Refuses a path with dot segments, which the upstream could resolve to another path or outside its base
 * path.
 */
function refuseSteps(path: string): Refusal {
  const received = maskAndCut(path, 200);
  const message =
    `The path ${received} is not forwarded: a segment "." or "..", or a backslash, which a URL takes for "/", would ` +
    'lead to another path of the upstream. Send the resolved path, with "%5C" for a backslash.';
  return refusalOf(400, { code: "path", in: "path", message, received });
}

const connectionFields = new Set(
  "connection content-length expect host keep-alive te trailer transfer-encoding upgrade".split(" "),
);

/** Removes hop-by-hop fields (RFC 9110, section 7.6.1), and Content-Length, which may change. */
function endToEnd(fields: readonly HeaderField[]): readonly HeaderField[] {
  const named = (joinFields(fields)["connection"] ?? "").toLowerCase().split(/[\s,]+/);
  return fields.filter(([name]) => {
    const lowerCase = name.toLowerCase();
    return !connectionFields.has(lowerCase) && !lowerCase.startsWith("proxy-") && !named.includes(lowerCase);
  });
}
