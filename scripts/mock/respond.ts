import { resolveSchema } from "../spec/references.ts";
import type { Operation } from "../contract/generation.ts";
import { isAuthorized, refuseCredentials } from "./request/authentication.ts";
import { longestDelay, readDelay, type Fault, type Faults } from "./faults.ts";
import { saysNothing } from "./response/generatorSchema.ts";
import type { BodyLimits, Headers, MockRequest } from "./request/mockRequest.ts";
import { nearestPath } from "./request/nearestPath.ts";
import { readPreferences, type Preferences } from "./request/preferences.ts";
import * as prism from "./response/prism.ts";
import {
  answerRefusal,
  isRefusal,
  refusalOf,
  refuseContent,
  shorten,
  type Answer,
  type Refusal,
  type Violation,
} from "./problemDetails.ts";
import { keepAnswer, recallAnswer } from "./response/recentAnswers.ts";
import { concreteTypes, isExcluded, mediaRanges, renderResponse, withoutExcluded } from "./response/render.ts";
import { readTarget, type Target } from "./request/requestTarget.ts";
import { findRoute, type FoundRoute } from "./request/routes.ts";
import type { PreparedOperation, ServedContract } from "./servedContract.ts";
import { awaitTurn } from "./request/turns.ts";
import { answerFromState, type Store } from "./state/statefulAnswer.ts";

export interface ResponderOptions {
  readonly limits: BodyLimits;
  /** Generate responses from schemas at random, unless a request's `Prefer` says otherwise. */
  readonly dynamic: boolean;
  /** Where requests take effect; nowhere without it. */
  readonly store: Store | undefined;
  /** The seed of random responses, unless a request's `Prefer` names another. */
  readonly seed: string | undefined;
  readonly faults: Faults;
}

/** An operation has a few examples, and clients send the same few Accept headers. */
const keptAnswers = 50;
const longestKey = 500;

/** Answers a request; `undefined` if the client went away before its body ended. */
export async function respond(
  request: MockRequest,
  contract: ServedContract,
  options: ResponderOptions,
): Promise<Answer | Refusal | undefined> {
  const { method, target: requestTarget, headers } = request;
  await awaitTurn(requestTarget, headers["accept"], headers["content-type"], headers["prefer"]);
  if (isPreflight(request) || (method === "OPTIONS" && requestTarget === "*")) return noContent();
  const target = readTarget(requestTarget);
  if (isRefusal(target)) return target;
  const match = findRoute(contract.index, target.segments, method.toLowerCase());
  if (match === undefined) return unknownPath(contract, target);
  if ("others" in match) {
    const allow = allowedMethods(match.others);
    return method === "OPTIONS" ? noContent({ allow }) : wrongMethod(method, match.others, allow);
  }
  const preferences = readPreferences(headers["prefer"], target.query);
  const fault = options.faults.next(match.operation, match.generation);
  const answer =
    fault.status === undefined
      ? await answerOnce(request, target, match, preferences, contract, options)
      : await answerFailure(contract.prepare(match.operation), fault, fault.status, headers["accept"] ?? "", options);
  return answer === undefined ? undefined : withFault(answer, fault, readDelay(preferences.delay ?? ""));
}

/** Answers from memory what was answered before, if it is certain to be the same. */
async function answerOnce(
  request: MockRequest,
  target: Target,
  match: FoundRoute,
  preferences: Preferences,
  contract: ServedContract,
  options: ResponderOptions,
): Promise<Answer | Refusal | undefined> {
  const world = options.store?.session.world;
  const isRead = match.operation.method === "get" && !request.hasBody && Object.keys(preferences).length === 0;
  const renews = contract.resources().get(match.operation)?.view?.renews ?? [];
  if (world === undefined || !isRead || renews.length > 0 || options.dynamic) {
    return answerOperation(request, target, match, preferences, contract, options);
  }
  const key = keyOf(request);
  const known = recallAnswer(contract.recent, key, world);
  if (known !== undefined) return known;
  const { version } = world;
  const answer = await answerOperation(request, target, match, preferences, contract, options);
  // What another request wrote meanwhile may not be in it.
  const isCurrent = world.version === version && options.store?.session.world === world;
  if (answer !== undefined && !isRefusal(answer) && isCurrent) keepAnswer(contract.recent, key, world, answer);
  return answer;
}

/** All that a request without a body consists of: neither names nor values of header fields have line breaks. */
function keyOf({ target, headers }: MockRequest): string {
  let key = target;
  for (const name in headers) key += `\n${name}\n${headers[name] ?? ""}`;
  return key;
}

async function answerOperation(
  request: MockRequest,
  target: Target,
  { operation, parameters }: FoundRoute,
  preferences: Preferences,
  contract: ServedContract,
  options: ResponderOptions,
): Promise<Answer | Refusal | undefined> {
  const { method, headers } = request;
  if (!isAuthorized(operation, headers, target.query)) return refuseCredentials(operation, headers, target.query);
  const prepared = contract.prepare(operation);
  const body = await prepared.checkBody(request, options.limits);
  if (body === undefined || isRefusal(body)) return body;
  const values = { path: parameters, query: target.query, header: headers };
  const violations = [...prepared.checkParameters(values), ...body.violations, ...checkDelay(preferences)];
  if (violations.length > 0) return refuseContent(violations);
  const accept = headers["accept"] ?? "";
  const answer = await answerValid(prepared, preferences, accept, options);
  const { code, example, dynamic } = preferences;
  const asksForExample = code !== undefined || example !== undefined || dynamic !== undefined || options.dynamic;
  if (isRefusal(answer) || options.store === undefined || asksForExample) return answer;
  const stateful = answerFromState(
    options.store,
    contract,
    operation,
    { method, path: readNumbers(operation, parameters), query: target.query, headers, body: body.value },
    answer,
  );
  return stateful === "deleted" ? answerValid(prepared, { code: "404" }, accept, options) : stateful;
}

/** The parameters of a path, with each number in its shortest form: `7.0` names the same resource as `7`. */
function readNumbers({ document, parameters }: Operation, values: Headers): Headers {
  const isNumber = (name: string) => {
    const schema = parameters.find((parameter) => parameter.in === "path" && parameter.name === name)?.schema;
    const types = schema === undefined ? [] : [resolveSchema(document, schema).type].flat();
    return types.includes("number") || types.includes("integer");
  };
  const shortest = (value: string) =>
    Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? String(Number(value)) : value;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isNumber(name) ? shortest(value) : value]),
  );
}

/** The failure that the contract describes for a status, or else one that says why it is sent. */
async function answerFailure(
  prepared: PreparedOperation,
  { reason = "" }: Fault,
  status: number,
  accept: string,
  options: ResponderOptions,
): Promise<Answer> {
  const { contents = [] } = prism.selectResponse(prepared.prism, status) ?? {};
  const isDescribed = contents.some(({ schema, examples = [] }) => examples.length > 0 || !saysNothing(schema ?? {}));
  const described = isDescribed ? await answerValid(prepared, { code: String(status) }, accept, options) : undefined;
  if (described !== undefined && !isRefusal(described)) return described;
  return answerRefusal({ status, detail: `${reason} The request may be correct.` });
}

/** What a fault, and the request's own `delay` in milliseconds, make of a response. */
function withFault(given: Answer | Refusal, fault: Fault, delay = fault.delay): Answer | Refusal {
  const { status, reason, retryAfter, bytesPerSecond, delivery } = fault;
  if (reason === undefined && delay === 0) return given;
  const answer = isRefusal(given) ? answerRefusal(given) : given;
  const reasons = [reason, ...(status === undefined ? [answer.reason] : [])].filter((text) => text !== undefined);
  return {
    ...answer,
    ...(retryAfter !== undefined && { headers: { ...answer.headers, "retry-after": String(retryAfter) } }),
    delay,
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
    ...(delivery !== undefined && { delivery }),
    ...(reasons.length > 0 && { reason: reasons.join(" ") }),
  };
}

async function answerValid(
  { prism: operation, answers }: PreparedOperation,
  preferences: Preferences,
  accept: string,
  options: ResponderOptions,
): Promise<Answer | Refusal> {
  const { code, example } = preferences;
  const dynamic = preferences.dynamic === undefined ? options.dynamic : preferences.dynamic === "true";
  const key = JSON.stringify([code, example, preferences.dynamic, accept]);
  const known = answers.get(key);
  if (known !== undefined) return known;

  const unmet = checkPreferences(operation, preferences);
  if (unmet.length > 0) return refuseContent(unmet);
  const selected = prism.selectResponse(operation, code === undefined ? undefined : Number(code));
  if (selected === undefined) return notGenerated("the contract declares no response for this operation");
  const named = mediaRanges(accept);
  const ranges = named.filter((range) => !isExcluded(range));
  const offered = concreteTypes(selected, ranges);
  const response = withoutExcluded(offered, named);
  const contents = response.contents ?? [];
  const isNoneLeft = contents.length === 0 && (offered.contents ?? []).length > 0;
  if (accept !== "" && (ranges.length === 0 || isNoneLeft)) return notAcceptable(accept, offered.contents);
  const generated = await prism.generateResponse(operation, response, {
    accept: ranges.length === 0 ? undefined : ranges,
    example,
    // Without a schema there is nothing to generate from.
    dynamic: dynamic && contents.every(({ schema }) => schema !== undefined),
    seed: preferences.seed ?? options.seed,
  });
  if ("failure" in generated) {
    return generated.failure === "not acceptable" ? notAcceptable(accept, contents) : notGenerated(generated.message);
  }
  const answer = await renderResponse(generated, response);
  if (!dynamic && key.length <= longestKey) {
    if (answers.size >= keptAnswers) answers.clear();
    answers.set(key, answer);
  }
  return answer;
}

function checkDelay({ delay }: Preferences): Violation[] {
  if (delay === undefined || readDelay(delay) !== undefined) return [];
  const rule = `delay is a whole number of milliseconds from 0 to ${longestDelay}`;
  const message = `Prefer: delay=${shorten(delay)} cannot be met: ${rule}.`;
  return [{ in: "header", name: "Prefer", message, expected: { minimum: 0, maximum: longestDelay } }];
}

/** Says which parts of a `Prefer` cannot be met, and what can. */
function checkPreferences(operation: prism.PrismOperation, preferences: Preferences): Violation[] {
  const { code, example, dynamic } = preferences;
  const codes = operation.responses.map((response) => response.code);
  const header = { in: "header", name: "Prefer" } as const;
  if (dynamic !== undefined && dynamic !== "true" && dynamic !== "false") {
    const message = `Prefer: dynamic=${shorten(dynamic)} cannot be met: dynamic is true or false.`;
    return [{ ...header, message, expected: ["true", "false"] }];
  }
  const isFinalStatus = code === undefined || /^[2-5]\d\d$/.test(code);
  const response = isFinalStatus
    ? prism.selectResponse(operation, code === undefined ? undefined : Number(code))
    : undefined;
  if (response === undefined) {
    if (code === undefined) return [];
    const message = `Prefer: code=${shorten(code)} cannot be met: ${describeCodes(codes)}.`;
    return [{ ...header, message, expected: codes }];
  }
  const names = exampleNames(response);
  if (example === undefined || names.includes(example)) return [];
  const elsewhere = operation.responses.filter((other) => exampleNames(other).includes(example));
  const message =
    `Prefer: example=${shorten(example)} cannot be met: the ${response.code} response has ` +
    (names.length === 0 ? "no named examples" : `only ${names.join(", ")}`) +
    (elsewhere.length === 0 ? "." : `; add code=${elsewhere.map((other) => other.code).join(" or ")}.`);
  return [{ ...header, message, expected: names }];
}

function describeCodes(codes: readonly string[]): string {
  const exact = codes.filter((code) => code !== "default");
  const list = exact.length === 0 ? "the operation declares no response" : `the operation declares ${exact.join(", ")}`;
  return codes.includes("default") ? `${list}, and "default" for any other status from 200 to 599` : list;
}

function exampleNames({ contents = [] }: prism.PrismResponse): string[] {
  return [...new Set(contents.flatMap(({ examples = [] }) => examples.map(({ key }) => key)))];
}

function unknownPath({ index }: ServedContract, { path, segments }: Target): Refusal {
  const received = shorten(path, 200);
  const { hint, expected } = similarPaths(index.operations, segments);
  const message = `No operation has the path ${received}.${hint}`;
  return refusalOf(404, { in: "path", message, ...(expected.length > 0 && { expected }), received });
}

/** The path that a path is most like; for the root, where a person looks first, what all paths begin with. */
function similarPaths(
  operations: readonly Operation[],
  segments: readonly string[],
): { readonly hint: string; readonly expected: string | readonly string[] } {
  const templates = new Set(operations.map((operation) => operation.path));
  const beginnings = [...new Set(Array.from(templates, (template) => template.replace(/(?<=.)\/.*/, "")))];
  if (segments.every((segment) => segment === "") && beginnings.length > 0 && beginnings.length <= 5) {
    const list = new Intl.ListFormat("en", { type: "disjunction" }).format(beginnings);
    return { hint: ` The paths of operations begin with ${list}.`, expected: beginnings };
  }
  const nearest = nearestPath(templates, segments);
  if (nearest === undefined) return { hint: "", expected: [] };
  const methods = operations.filter((operation) => operation.path === nearest).map(methodOf);
  return { hint: ` The most similar path is ${nearest} (${methods.join(", ")}).`, expected: nearest };
}

function wrongMethod(method: string, others: readonly Operation[], allow: string): Refusal {
  const methods = others.map(methodOf);
  const path = [...new Set(others.map((operation) => operation.path))].join(" and ");
  const message = `${path} supports ${new Intl.ListFormat("en").format(methods)}, but not ${shorten(method)}.`;
  return refusalOf(405, { in: "method", message, expected: methods, received: shorten(method) }, { allow });
}

function notAcceptable(accept: string, contents: prism.PrismResponse["contents"]): Refusal {
  const offered = (contents ?? []).map(({ mediaType }) => mediaType);
  const message = `The response is ${offered.join(" or ")}, but the request accepts ${JSON.stringify(shorten(accept))}.`;
  return refusalOf(406, { in: "header", name: "Accept", message, expected: offered, received: shorten(accept) });
}

/** The request is not at fault: the contract declares a response that nothing can be made of. */
function notGenerated(why: string): Refusal {
  const detail =
    `The mock cannot generate this response from the contract: ${shorten(why, 300)}. ` +
    "Add an example to the contract, or request another response with Prefer: code=... or example=....";
  return { status: 500, detail };
}

/** The methods that a path supports, with those that the mock adds: HEAD to GET, and OPTIONS. */
function allowedMethods(operations: readonly Operation[]): string {
  const methods = operations.map(methodOf);
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].join(", ");
}

function methodOf({ method }: Operation): string {
  return method.toUpperCase();
}

function isPreflight({ method, headers }: MockRequest): boolean {
  return (
    method === "OPTIONS" && headers["origin"] !== undefined && headers["access-control-request-method"] !== undefined
  );
}

function noContent(headers: Headers = {}): Answer {
  return { status: 204, headers, body: undefined };
}
