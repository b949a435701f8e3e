import type { Operation } from "../../contract/generation.ts";
import { escapeForHeader } from "../../values/text.ts";
import { readDelay } from "../content/delays.ts";
import type { Fault, Faults } from "./faults.ts";
import type { OverrideRule, ReceivedRequest } from "../mockTypes.ts";
import { applyOverride } from "./overrides.ts";
import { isAuthorized, refuseCredentials } from "../../exchange/authentication.ts";
import type { Headers } from "../../exchange/exchange.ts";
import { readBytes, type BodyLimits, type MockRequest } from "./mockRequest.ts";
import { readCookies, readTarget } from "../../exchange/requestTarget.ts";
import type { CheckedBody } from "../../exchange/requestBody.ts";
import { findRoute } from "../../exchange/routes.ts";
import { allowedMethods, methodOf, refuseMethod, refusePath } from "../../exchange/unknownOperation.ts";
import { UnusableSchema } from "../../exchange/validator.ts";
import { suggestPath } from "./similarPaths.ts";
import { announceEnd, answerRefusal, noContent, reasonsOf, writeAnswer, type Answer } from "../content/answer.ts";
import type { DescribedResponse, ResponseMaker, ResponseWishes } from "../content/describedResponse.ts";
import { describeIgnoredQuery } from "./ignoredQuery.ts";
import { recallAnswer } from "./recentAnswers.ts";
import { isRefusal, refuseContent, type Refusal } from "../../exchange/refusal.ts";
import { readPreferences, refusePreference, unmetDelay } from "../content/preferences.ts";
import type { Receipt } from "./requestEntry.ts";
import type { RuleList } from "./rules.ts";
import type { ServedContract } from "./servedContract.ts";
import type { Upstreaming } from "./upstream.ts";
import { putStatus, respondFromState, type Store } from "../state/statefulResponse.ts";

interface ResponderOptions {
  readonly limits: BodyLimits;
  readonly dynamic: boolean;
  /** Where requests are stored. If `undefined`, the mock is stateless. */
  readonly store: Store | undefined;
  readonly seed: string | undefined;
  readonly faults: Faults;
  readonly overrides: RuleList<OverrideRule>;
  readonly upstream: Upstreaming | undefined;
  readonly receipt: Receipt;
}

/** Answers a request. Resolves to `undefined` if the client disconnects before the body ends. */
export async function respond(
  given: MockRequest,
  contract: ServedContract,
  options: ResponderOptions,
): Promise<Answer | Refusal | undefined> {
  const { upstream, limits } = options;
  const request = upstream === undefined ? given : withKeptBody(given);
  const { method, headers } = request;
  const isPreflight = headers["origin"] !== undefined && headers["access-control-request-method"] !== undefined;
  if (method === "OPTIONS" && (isPreflight || request.target === "*")) return noContent();
  const target = readTarget(request.target);
  const query = isRefusal(target) ? {} : target.query;
  const passing: RoutedRequest["passing"] = (refusal, operation) =>
    upstream?.({ request, limits, contract, refusal, operation, query });
  const refuseUnrouted = (refusal: Refusal) => passing(refusal)?.() ?? refusal;
  if (isRefusal(target)) return refuseUnrouted(target);
  const route = findRoute(contract.routes, target.segments, method.toLowerCase());
  if (route === undefined) return refuseUnrouted(refusePath(target, suggestPath(contract.generations, target)));
  if ("others" in route) {
    const { others } = route;
    return method === "OPTIONS"
      ? noContent({ allow: allowedMethods(others.map(methodOf)) })
      : refuseUnrouted(refuseMethod(method, others));
  }
  const preferences = readPreferences(headers["prefer"], query);
  const dynamic = preferences.dynamic === undefined ? options.dynamic : preferences.dynamic === "true";
  const wishes = { preferences, accept: headers["accept"] ?? "", dynamic, seed: preferences.seed ?? options.seed };
  const { operation, generation, parameters: path } = route;
  const { operationId } = operation;
  const received: RoutedRequest["received"] = { method, operation: operationId, generation, path, query, headers };
  options.receipt.received = received;
  // An upstream may know more parameters.
  const ignored = options.upstream ? undefined : describeIgnoredQuery(operation, query);
  if (ignored !== undefined) options.receipt.notes.push(ignored);
  const prepared = contract.prepare(operation);
  const readBody = async () => {
    const bytes = await readBytes(request, limits);
    if (bytes === undefined || isRefusal(bytes)) return bytes;
    const body = await prepared.checkBody(headers, bytes);
    if (isRefusal(body)) return body;
    options.receipt.body = body.value;
    options.receipt.bodySize = body.size;
    options.receipt.violations = body.violations;
    if (body.violations.length === 0) received.body = body.value;
    return body;
  };
  const routed: RoutedRequest = { received, operation, prepared, wishes, readBody, passing };
  const fault = options.faults.next(operation, generation);
  options.receipt.faultRule = fault.rule;
  const makeAnswer = () => answerOperation(routed, contract, options);
  const made =
    fault.status !== undefined
      ? await answerFault(routed, fault.status, fault)
      : options.store !== undefined && isRepeatable(request, routed, contract, options)
        ? await recallAnswer(contract.recent, request, options.store.budget, makeAnswer)
        : await makeAnswer();
  if (made === undefined) return undefined;
  const answer = isRefusal(made) ? await refuseAsDescribed(made, prepared.responses, wishes) : made;
  return withFault(announceEnd(answer, operation.lifecycle), fault, readDelay(preferences.delay ?? ""));
}

interface RoutedRequest {
  readonly received: ReceivedRequest & { body?: unknown };
  readonly operation: Operation;
  readonly prepared: ReturnType<ServedContract["prepare"]>;
  readonly wishes: ResponseWishes;
  /** Reads the body, and keeps it if it is valid. Resolves to `undefined` if the client disconnects early. */
  readonly readBody: () => Promise<CheckedBody | Refusal | undefined>;
  /**
   * Returns a function that forwards the request, even if the mock would refuse it. Returns `undefined` if the
   * mock answers itself.
   */
  readonly passing: (refusal?: Refusal, operation?: Operation) => ReturnType<Upstreaming>;
}

function withKeptBody(request: MockRequest): MockRequest {
  let body: ReturnType<MockRequest["readBody"]> | undefined;
  return { ...request, readBody: (limits) => (body ??= request.readBody(limits)) };
}

/**
 * Returns whether the answer depends only on the request and the stored state, and the request writes
 * nothing.
 */
function isRepeatable(
  { hasBody }: MockRequest,
  { operation, wishes: { dynamic, preferences } }: RoutedRequest,
  contract: ServedContract,
  { overrides, upstream }: ResponderOptions,
): boolean {
  if (dynamic || overrides.list().length > 0 || upstream !== undefined) return false;
  const isRead = operation.method === "get" && !hasBody && Object.keys(preferences).length === 0;
  return isRead && (contract.resources().get(operation)?.view?.renews ?? []).length === 0;
}

async function answerOperation(
  routed: RoutedRequest,
  contract: ServedContract,
  { store, dynamic, overrides, receipt }: ResponderOptions,
): Promise<Answer | Refusal | undefined> {
  const { received, operation, prepared, wishes } = routed;
  const { responses } = prepared;
  const body = await checkOrRefuse(routed);
  if (body === undefined) return undefined;
  if (isRefusal(body)) receipt.violations = body.violations ?? [];
  const passOn = routed.passing(isRefusal(body) ? body : undefined, operation);
  if (isRefusal(body) && passOn === undefined) return body;
  const match = isRefusal(body)
    ? undefined
    : prepared.describeOpenMatch(received.headers["content-type"] ?? "", body.value);
  if (match !== undefined) receipt.notes.push(`the body ${match}`);
  const respondItself = () => respondAsDescribed(routed, contract, { store, dynamic });
  const overridden = await applyOverride(overrides, {
    ...{ received, operation, responses, wishes, secrets: contract.secrets, receipt },
    respondItself,
  });
  if (overridden !== undefined) return write(overridden);
  return passOn === undefined ? write(await respondItself()) : passOn();
}

/** The response to a valid request, which takes effect. */
async function respondAsDescribed(
  { received, operation, prepared: { responses, numbers }, wishes }: RoutedRequest,
  contract: ServedContract,
  { store, dynamic }: Pick<ResponderOptions, "dynamic" | "store">,
): Promise<DescribedResponse | Refusal> {
  const resource = contract.resources().get(operation);
  const { code, example: named, dynamic: preferred } = wishes.preferences;
  const asksForExample = dynamic || [code, named, preferred].some((preference) => preference !== undefined);
  if (store === undefined || resource === undefined || asksForExample) return responses.describe(wishes);
  const path = readNumbers(received.path, numbers);
  const effect = { operation, resource, request: { ...received, path, body: received.body } };
  const status = putStatus(store, effect);
  const example = await responses.describe(
    status === undefined ? wishes : { ...wishes, preferences: { code: status } },
  );
  return isRefusal(example) ? example : respondFromState(store, effect, example);
}

async function checkRequest(routed: RoutedRequest): Promise<CheckedBody | Refusal | undefined> {
  const { received, operation, prepared, wishes, readBody } = routed;
  const { headers, path, query } = received;
  if (!isAuthorized(operation, headers, query))
    return refuseCredentials(operation, headers, query, { realm: "mock", remark: "Any value will do." });
  const body = await readBody();
  if (body === undefined || isRefusal(body)) return body;
  const { violations: inParameters } = await prepared.checkParameters({
    path,
    query,
    header: headers,
    cookie: readCookies(headers["cookie"]),
  });
  const unmet = unmetDelay(wishes.preferences);
  const violations = [...inParameters, ...body.violations, ...(unmet === undefined ? [] : [refusePreference(unmet)])];
  return violations.length > 0 ? refuseContent(violations) : body;
}

/** Calls {@link checkRequest}, and refuses the request if its schema is unusable. */
async function checkOrRefuse(routed: RoutedRequest): Promise<CheckedBody | Refusal | undefined> {
  try {
    return await checkRequest(routed);
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error;
    return { status: 500, detail: `The mock cannot check this request: ${error.message}.` };
  }
}

const longestHeader = 1_000;

/**
 * Returns the response that the contract describes for the failure, if there is one. A header then has the
 * reason.
 */
async function refuseAsDescribed(refusal: Refusal, responses: ResponseMaker, wishes: ResponseWishes) {
  const { status, detail, headers } = refusal;
  // The contract doesn't describe faults of the mock.
  if (status >= 500) return refusal;
  const described = await responses.describeFailure(status, wishes);
  if (described === undefined) return refusal;
  const answer = writeAnswer(described);
  const reason = escapeForHeader(detail.slice(0, longestHeader));
  return { ...answer, headers: { ...answer.headers, ...headers, "x-mock-reason": reason }, ...reasonsOf(refusal) };
}

function write(response: DescribedResponse | Refusal) {
  return isRefusal(response) ? response : writeAnswer(response);
}

/** Path parameters with each number in its shortest form. `7.0` names the same resource as `7`. */
function readNumbers(values: Headers, numbers: ReadonlySet<string>): Headers {
  const shortest = (value: string) =>
    Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? String(Number(value)) : value;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, numbers.has(name) ? shortest(value) : value]),
  );
}

/**
 * The failure that the contract describes for the status of a fault, or else one that gives the reason for
 * the fault.
 */
async function answerFault({ prepared, wishes, readBody }: RoutedRequest, status: number, { reason = "" }: Fault) {
  if ((await readBody()) === undefined) return undefined;
  const described = await prepared.responses.describeFailure(status, wishes);
  return write(described ?? { status, detail: `${reason} The request may be correct.` });
}

/**
 * Applies the delay or the broken connection of a fault to an answer. The request's own `delay`, in
 * milliseconds, takes precedence.
 */
function withFault(given: Answer | Refusal, fault: Fault, delay = fault.delay): Answer | Refusal {
  const { rule, status, reason, retryAfter, bytesPerSecond, delivery } = fault;
  if (reason === undefined && delay === 0) return given;
  const { reason: ownReason, refusal, ...answer } = isRefusal(given) ? answerRefusal(given) : given;
  // The status of a fault has no other reason.
  const own = status === undefined && { ...(refusal !== undefined && { refusal }) };
  const reasons = [reason, ...(status === undefined ? [ownReason] : [])].filter((text) => text !== undefined);
  const waiting = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  const headers = { ...answer.headers, ...waiting };
  return {
    ...{ ...answer, ...own },
    headers,
    delay,
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
    ...(delivery !== undefined && { delivery }),
    ...(reason !== undefined && { fault: rule === undefined ? {} : { rule: rule.id } }),
    ...(reasons.length > 0 && { reason: reasons.join(" ") }),
  };
}
