/**
 * A request's path through the mock, from top to bottom: its session, its operation, a fault, its credentials, its
 * parameters and body, an override, the response and the operation's effect on resources, and its entry in the log. Each
 * stage returns what it found out.
 */
import type { Operation } from "../../contract/generation.ts";
import type { ResourceType } from "../../contract/resources.ts";
import { isAuthorized, refuseCredentials } from "../../exchange/authentication.ts";
import type { Headers } from "../../exchange/exchange.ts";
import { isRefusal, refuseContent, type Refusal } from "../../exchange/refusal.ts";
import type { CheckedBody } from "../../exchange/requestBody.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import { readCookies, readTarget, type Target } from "../../exchange/requestTarget.ts";
import { findRoute } from "../../exchange/routes.ts";
import { allowedMethods, methodOf, refuseMethod, refusePath } from "../../exchange/unknownOperation.ts";
import { UnusableSchema } from "../../exchange/validator.ts";
import { escapeForHeader } from "../../values/text.ts";
import {
  announceEnd,
  answerException,
  answerRefusal,
  noContent,
  reasonsOf,
  sendable,
  writeAnswer,
  type Answer,
} from "../content/answer.ts";
import { readDelay } from "../content/delays.ts";
import type { DescribedResponse, PreferredResponse } from "../content/describedResponse.ts";
import { doubtTexts } from "../content/entryFindings.ts";
import { readPreferences, refusePreference, unmetDelay } from "../content/preferences.ts";
import type { ServedContract } from "../content/servedContract.ts";
import type { MockOptions, ReceivedRequest, RequestEntry } from "../mockTypes.ts";
import type { Fault } from "../rules/faults.ts";
import { applyOverride } from "../rules/overrides.ts";
import { putStatus, respondFromState } from "../state/statefulResponse.ts";
import { answerControl, isControlTarget, type PageSurroundings } from "./controlApi.ts";
import { withCors } from "./cors.ts";
import { pause } from "./delivery.ts";
import { decodeContent } from "./decodedContent.ts";
import { describeIgnoredQuery } from "./ignoredQuery.ts";
import type { BodyLimits, MockRequest } from "./mockRequest.ts";
import { recallOutcome, type RecentOutcomes } from "./recentOutcomes.ts";
import { createKeptRequest, writeEntry, type KeptRequest, type Outcome } from "./requestEntry.ts";
import { keepRequest, openSession, peekSession, type Session, type Sessions } from "./sessions.ts";
import { suggestPath } from "./similarPaths.ts";
import type { Upstreaming } from "./upstream.ts";

/** What all requests to a mock share. */
export interface MockParts extends PageSurroundings {
  readonly options: Pick<MockOptions, "dynamic" | "gzip" | "onResponse" | "seed" | "stateless" | "validate"> & {
    readonly log?: (entry: RequestEntry) => void;
  };
  readonly limits: BodyLimits;
  readonly sessions: Sessions;
  readonly upstream?: Upstreaming | undefined;
  /** Warns the author of the calling program about a mistake in it. */
  readonly warn: (text: string) => void;
  /** A new contract replaces it as a whole. */
  served: {
    readonly contract: ServedContract;
    /** The types whose resources exist only if they were seeded or created. */
    readonly closed: ReadonlySet<ResourceType>;
    readonly recent: RecentOutcomes;
  };
}

/** A request in its session, and the contract at its arrival. */
interface AskedRequest {
  readonly mock: MockParts;
  readonly served: MockParts["served"];
  readonly request: MockRequest;
  readonly sessionName: string;
  readonly session: Session;
}

/** A request for an operation. */
interface RoutedRequest extends AskedRequest {
  readonly operation: Operation;
  readonly prepared: ReturnType<ServedContract["prepare"]>;
  readonly received: ReceivedRequest;
  readonly wishes: PreferredResponse;
}

/**
 * Answers a request, and keeps it in the request list if it isn't for the mock itself. Resolves to `undefined` if the
 * client disconnects before the body ends. Never rejects.
 */
export async function answerRequest(mock: MockParts, given: MockRequest): Promise<Answer | undefined> {
  const start = performance.now();
  const time = new Date().toISOString();
  const request = withKeptBody(given);
  const isControl = isControlTarget(request.target);
  // The page polls every second. These requests don't count as use of a session, and only their failures are logged.
  const isLook = isControl && (request.method === "GET" || request.method === "HEAD");
  const { sessions, served } = mock;
  const sessionName = request.headers["x-mock-session"] ?? "";
  const session = (isLook ? peekSession : openSession)(sessions, sessionName);
  const asked = { mock, served, request, sessionName, session };

  session.inProgress += 1;
  // A failure in one request must not stop the mock.
  const outcome = await (isControl ? answerControl({ ...mock, ...asked }) : answerOperation(asked)).catch(fail);
  const answer = outcome.answer && sendable(asAnswer(outcome.answer));
  const { delay = 0 } = answer ?? {};
  const isGone = delay > 0 && !(await pause(delay, request));
  session.inProgress -= 1;
  if (answer === undefined) return undefined;

  const remarks = [
    session.note,
    ...(outcome.notes ?? []),
    isGone ? "the client left before the response" : undefined,
    answer.note,
  ];
  const notes = isControl ? (outcome.notes ?? []) : remarks.filter((note) => note !== undefined);
  sessions.latestId += 1;
  const milliseconds = performance.now() - start;
  const answered = {
    ...outcome,
    id: sessions.latestId,
    time,
    milliseconds,
    sessionName,
    request,
    answer,
    notes,
    isGone,
  };
  const { secrets } = served.contract;
  const entry = writeEntry(answered, secrets);
  const kept = createKeptRequest(entry, answered, secrets);
  if (!isControl) keepRequest(sessions, session, kept);
  if (!isLook || answer.status >= 400) mock.options.log?.(entry);
  void notify(mock, kept);
  const doubts = doubtTexts(answer.findings).map((text) => `response: ${text}`);
  return withCors(request, withNotes(answer, [...notes, ...doubts]));
}

/** A request that the server refuses itself. Both texts are empty if it can't be read. */
export type RefusedRequest = Pick<MockRequest, "method" | "target">;

/** Logs a request that the server refuses itself, which is in no session and in no request list. */
export function logRefused({ options, served, sessions }: MockParts, refused: RefusedRequest, answer: Answer): void {
  sessions.latestId += 1;
  const { latestId: id } = sessions;
  const known = { sessionName: "", milliseconds: 0, isGone: false };
  const request = { ...refused, headers: {} };
  options.log?.(writeEntry({ id, time: new Date().toISOString(), ...known, request, answer }, served.contract.secrets));
}

/** A request whose body, which may be empty, can be read again: the mock checks it, and an upstream gets it. */
function withKeptBody(request: MockRequest): MockRequest {
  let body: ReturnType<MockRequest["readBody"]> | undefined;
  const read = async (limits: BodyLimits) => (request.hasBody ? request.readBody(limits) : new Uint8Array());
  return { ...request, readBody: (limits) => (body ??= read(limits)) };
}

/** The outcome of a request on which the mock itself failed. */
function fail(error: unknown): Outcome {
  return { answer: answerException(error) };
}

async function answerOperation(asked: AskedRequest): Promise<Outcome> {
  const { session } = asked;
  const found = findOperation(asked);
  if (isRefusal(found)) return { answer: await (forwarderOf(asked, { refusal: found }) ?? (() => found))() };
  if (!("operation" in found)) return { answer: found };
  const { operation, received, wishes } = found;
  const fault = session.faults.next(operation, received.generation);
  const made = await makeAnswer(found, fault).catch(fail);
  const delay = readDelay(wishes.preferences.delay ?? "");
  const answer = made.answer && withFault(announceEnd(made.answer, operation.lifecycle), fault, delay);
  // An upstream may know more parameters.
  const isForwarded = forwarderOf(asked, { operation }) !== undefined;
  const ignored = isForwarded ? undefined : describeIgnoredQuery(operation, received.query);
  const notes = [...(ignored === undefined ? [] : [ignored]), ...(made.notes ?? [])];
  return { ...made, answer, received, faultRule: fault.rule, notes };
}

/** Finds the operation of a request, and reads everything but the body. Without one, returns the answer. */
function findOperation(asked: AskedRequest): RoutedRequest | Answer | Refusal {
  const { request, served } = asked;
  const { method, headers } = request;
  const { generations, routes, prepare } = served.contract;
  const isPreflight = headers["origin"] !== undefined && headers["access-control-request-method"] !== undefined;
  if (method === "OPTIONS" && (isPreflight || request.target === "*")) return noContent();
  const target = readTarget(request.target);
  if (isRefusal(target)) return target;
  const route = findRoute(routes, target.segments, method.toLowerCase());
  if (route === undefined) return refusePath(target, suggestPath(generations, target));
  if ("others" in route) {
    const { others } = route;
    return method === "OPTIONS"
      ? noContent({ allow: allowedMethods(others.map(methodOf)) })
      : refuseMethod(method, others);
  }
  const { operation, generation, parameters: path } = route;
  const { query } = target;
  const received = { method, operation: operation.operationId, generation, path, query, headers };
  return { ...asked, operation, prepared: prepare(operation), received, wishes: readWishes(asked, query) };
}

/** What a request prefers of its response, or else what the mock's options say. */
function readWishes({ mock, request: { headers } }: AskedRequest, query: Target["query"]): PreferredResponse {
  const preferences = readPreferences(headers["prefer"], query);
  const { dynamic = false, seed } = mock.options;
  return {
    ...{ preferences, accept: headers["accept"] ?? "" },
    dynamic: preferences.dynamic === undefined ? dynamic : preferences.dynamic === "true",
    seed: preferences.seed ?? seed,
  };
}

/** Makes the answer of an operation, or the one that a fault asks for. */
async function makeAnswer(routed: RoutedRequest, fault: Fault): Promise<Outcome> {
  const { mock, served, request } = routed;
  if (fault.status !== undefined) return answerFault(routed, fault.status, fault);
  const make = () => answerChecked(routed);
  const isKept = isRepeatable(routed);
  const made = isKept ? await recallOutcome(served.recent, request, mock.sessions.budget, make) : await make();
  const { answer } = made;
  return answer !== undefined && isRefusal(answer)
    ? { ...made, answer: await refuseAsDescribed(answer, routed) }
    : made;
}

/**
 * The failure that the contract describes for the status of a fault, or else one that gives the reason for the fault.
 */
async function answerFault(routed: RoutedRequest, status: number, { reason = "" }: Fault): Promise<Outcome> {
  const body = await readBody(routed);
  if (body === undefined) return { answer: undefined };
  const described = await routed.prepared.responses.describeFailure(status, routed.wishes);
  const answer = write(described ?? { status, detail: `${reason} The request may be correct.` });
  return isRefusal(body) ? { answer } : { answer, body, violations: body.violations };
}

/**
 * Returns whether the answer depends only on the request and the stored state, and the request writes nothing. With
 * preferences, overrides or an upstream, it may depend on more.
 */
function isRepeatable({ mock, served, session, request, operation, wishes }: RoutedRequest): boolean {
  const { dynamic, preferences } = wishes;
  if (dynamic || mock.options.stateless === true || mock.upstream !== undefined) return false;
  if (session.overrides.list().length > 0) return false;
  const isRead = operation.method === "get" && !request.hasBody && Object.keys(preferences).length === 0;
  return isRead && (served.contract.resources().get(operation)?.view?.renews ?? []).length === 0;
}

/**
 * Checks a request. If it isn't refused, or if an upstream gets refused requests too, an override, the upstream or the mock
 * itself responds.
 */
async function answerChecked(routed: RoutedRequest): Promise<Outcome> {
  const { served, session, operation, prepared, wishes } = routed;
  const { body, refusal, violations } = await checkRequest(routed);
  if (body === undefined && refusal === undefined) return { answer: undefined };
  const known = { body, violations: violations ?? refusal?.violations ?? [] };
  const forward = forwarderOf(routed, { refusal, operation, query: routed.received.query });
  if (refusal !== undefined && forward === undefined) return { ...known, answer: refusal };
  const isValid = body?.violations.length === 0;
  const isRead = isValid || refusal === undefined;
  const received = { ...routed.received, ...(isRead && { body: body?.value }) };
  const match =
    isValid && refusal === undefined && prepared.describeOpenMatch(received.headers["content-type"] ?? "", body.value);
  const respondItself = () => respondAsDescribed({ ...routed, received });
  const { responses } = prepared;
  const { secrets } = served.contract;
  const overridable = { received, operation, responses, wishes, secrets, respondItself };
  const { response, rule: overrideRule, notes } = await applyOverride(session.overrides, overridable);
  const respond = async () =>
    response !== undefined ? write(response) : forward !== undefined ? forward() : write(await respondItself());
  const answer = await respond().catch(answerException);
  return {
    ...known,
    answer,
    overrideRule,
    notes: [...(typeof match === "string" ? [`the body ${match}`] : []), ...notes],
  };
}

/** What is known of a request after the checks. */
interface CheckedRequest {
  readonly body?: CheckedBody;
  readonly refusal?: Refusal;
  /** What a mock finds that doesn't refuse violations. */
  readonly violations?: readonly FoundViolation[];
}

/** Checks credentials, body and parameters. If it returns neither a body nor a refusal, the client has disconnected. */
async function checkRequest(routed: RoutedRequest): Promise<CheckedRequest> {
  const { mock, received, operation, prepared, wishes } = routed;
  const { headers, path, query } = received;
  const { validate = true } = mock.options;
  const told = { realm: "mock", remark: "Any value will do." };
  const unauthorized = isAuthorized(operation, headers, query)
    ? undefined
    : refuseCredentials(operation, headers, query, told);
  if (validate && unauthorized !== undefined) return { refusal: unauthorized };
  const body = await readBody(routed);
  if (body === undefined) return {};
  if (isRefusal(body)) return { refusal: body };
  const sent = { path, query, header: headers, cookie: readCookies(headers["cookie"]) };
  const parameters = await prepared.checkParameters(sent).catch(refuseUnusable);
  if (isRefusal(parameters)) return { body, refusal: parameters };
  const unmet = unmetDelay(wishes.preferences);
  const violations = [...(unauthorized?.violations ?? []), ...parameters.violations, ...body.violations];
  const refused = [...(validate ? violations : []), ...(unmet === undefined ? [] : [refusePreference(unmet)])];
  return { body, ...(refused.length > 0 ? { refusal: refuseContent(refused) } : { violations }) };
}

/** Reads and checks a body. Resolves to `undefined` if the client disconnects early. */
async function readBody({ mock, request, prepared }: RoutedRequest): Promise<CheckedBody | Refusal | undefined> {
  const bytes = await request.readBody(mock.limits);
  if (bytes === undefined || isRefusal(bytes)) return bytes;
  const { gzip = false } = mock.options;
  const content = gzip ? await decodeContent(request.headers, bytes, mock.limits) : { headers: request.headers, bytes };
  return isRefusal(content) ? content : prepared.checkBody(content.headers, content.bytes).catch(refuseUnusable);
}

/** Refuses a request if a schema of its operation is unusable. */
function refuseUnusable(error: unknown): Refusal {
  if (!(error instanceof UnusableSchema)) throw error;
  return { status: 500, detail: `The mock cannot check this request: ${error.message}.` };
}

/** A function that forwards a request. `undefined` if the mock answers itself. */
function forwarderOf(
  { mock, served, request }: AskedRequest,
  { refusal, operation, query = {} }: Partial<Pick<Parameters<Upstreaming>[0], "operation" | "query" | "refusal">>,
): ReturnType<Upstreaming> {
  return mock.upstream?.({ request, limits: mock.limits, contract: served.contract, refusal, operation, query });
}

/** The contract's response to a valid request, which takes effect. */
async function respondAsDescribed({ mock, served, session, operation, prepared, received, wishes }: RoutedRequest) {
  const { responses, numbers } = prepared;
  const { dynamic = false, stateless = false } = mock.options;
  const resource = served.contract.resources().get(operation);
  const { code, example: named } = wishes.preferences;
  const asksForExample = dynamic || wishes.dynamic || code !== undefined || named !== undefined;
  if (stateless || resource === undefined || asksForExample) return responses.describe(wishes);
  const { budget } = mock.sessions;
  const requested = { ...received, path: readNumbers(received.path, numbers) };
  // Another request may replace the world in the meantime.
  const effectNow = () => {
    return { operation, resource, request: requested, world: session.world, budget, closed: served.closed };
  };
  const status = putStatus(effectNow());
  const example = await responses.describe(
    status === undefined ? wishes : { ...wishes, preferences: { code: status } },
  );
  return isRefusal(example) ? example : respondFromState(effectNow(), example);
}

/** Path parameters with each number in its shortest form. `7.0` names the same resource as `7`. */
function readNumbers(values: Headers, numbers: ReadonlySet<string>): Headers {
  const shortest = (value: string) =>
    Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? String(Number(value)) : value;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, numbers.has(name) ? shortest(value) : value]),
  );
}

function write(response: DescribedResponse | Refusal): Answer | Refusal {
  return isRefusal(response) ? response : writeAnswer(response);
}

function asAnswer(given: Answer | Refusal): Answer {
  return isRefusal(given) ? answerRefusal(given) : given;
}

/** Clients read 16 KiB of headers, and an escaped character takes six bytes. */
const maxHeaderLength = 1_000;

/** The response that the contract describes for the failure, if there is one. A header then has the reason. */
async function refuseAsDescribed(refusal: Refusal, { prepared, wishes }: RoutedRequest): Promise<Answer | Refusal> {
  const { status, detail, headers } = refusal;
  // The contract doesn't describe faults of the mock.
  if (status >= 500) return refusal;
  const described = await prepared.responses.describeFailure(status, wishes);
  if (described === undefined) return refusal;
  const answer = writeAnswer(described);
  const reason = escapeForHeader(detail.slice(0, maxHeaderLength));
  return { ...answer, headers: { ...answer.headers, ...headers, "x-mock-reason": reason }, ...reasonsOf(refusal) };
}

/**
 * Applies the delay or the broken connection of a fault to an answer. The request's own `delay`, in milliseconds, takes
 * precedence.
 */
function withFault(given: Answer | Refusal, fault: Fault, delay = fault.delay): Answer | Refusal {
  const { rule, status, reason, retryAfter, bytesPerSecond, delivery } = fault;
  if (reason === undefined && delay === 0) return given;
  const { reason: ownReason, refusal, ...answer } = asAnswer(given);
  // The status of a fault has no other reason.
  const own = status === undefined && { ...(refusal !== undefined && { refusal }) };
  const reasons = [reason, ...(status === undefined ? [ownReason] : [])].filter((text) => text !== undefined);
  const waiting = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return {
    ...{ ...answer, ...own },
    headers: { ...answer.headers, ...waiting },
    delay,
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
    ...(delivery !== undefined && { delivery }),
    ...(reason !== undefined && { fault: rule === undefined ? {} : { rule: rule.id } }),
    ...(reasons.length > 0 && { reason: reasons.join(" ") }),
  };
}

/** Adds notes, or their beginning, as a header. */
function withNotes(answer: Answer, notes: readonly string[]): Answer {
  if (notes.length === 0) return answer;
  const note = escapeForHeader(notes.join("; ").slice(0, maxHeaderLength));
  return { ...answer, headers: { ...answer.headers, "x-mock-note": note } };
}

/** Calls the listener. If it fails, its author gets a warning, and the request is unaffected. */
async function notify({ options, warn }: MockParts, { readEntry }: KeptRequest): Promise<void> {
  try {
    const result: unknown = options.onResponse?.(structuredClone(readEntry()));
    await result;
  } catch (error) {
    warn(`onResponse failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}
