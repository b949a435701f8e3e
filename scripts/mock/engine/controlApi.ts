import { listInWords } from "../../values/text.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import type { RequestEntry } from "../mockTypes.ts";
import { readBytes, type BodyLimits, type MockRequest } from "../respond/mockRequest.ts";
import { noContent, type Answer } from "../content/answer.ts";
import { isRefusal, listedViolations, refusalOf, refuseContent, type Refusal } from "../../exchange/refusal.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import { nextTurn } from "../../exchange/nextTurn.ts";
import { shorten } from "../../exchange/secrets.ts";
import { parseJsonBody } from "../../exchange/requestBody.ts";
import { readTarget, type Target } from "../../exchange/requestTarget.ts";
import { allowedMethods } from "../../exchange/unknownOperation.ts";
import type { KeptRequest } from "../respond/requestEntry.ts";
import { readFilters } from "../respond/requestFilter.ts";
import type { RuleList } from "../respond/rules.ts";
import type { ServedContract } from "../respond/servedContract.ts";
import {
  endSession,
  listSessions,
  resetSession,
  restoreSession,
  seedSession,
  type Session,
  type Sessions,
} from "../respond/sessions.ts";
import { awaitRequest } from "../respond/awaitRequest.ts";
import { longestDelay, readDelay } from "../content/delays.ts";
import { writeSnapshot } from "../state/worldSnapshot.ts";

/** What the mock's page needs to know, where the mock has one. */
export interface PageSurroundings {
  /** Answers with a file of the page, or with `undefined` if the page has no file with that name. */
  readonly answerPageFile?: (name: string) => Promise<Answer | undefined>;
  /** Finds the path of an operation's page in the docs on the same server. Absent if there are no docs. */
  readonly findDocs?: FindDocs | undefined;
  /** Forwards requests to a server. */
  readonly upstream?: unknown;
}

export type FindDocs = (
  generation: Generation,
  operation: Operation,
) => Promise<string | undefined> | string | undefined;

interface ControlledParts {
  readonly sessions: Sessions;
  readonly session: Session;
  readonly sessionName: string;
  readonly contract: ServedContract;
  readonly endpoints: Endpoints;
}

interface ControlRequest extends ControlledParts, Pick<MockRequest, "whenGone"> {
  readonly query: Target["query"];
  /** The value of `NAME` in the path. */
  readonly name: string;
}

/** Takes the parsed body, which is `undefined` if there is none. */
type Handler = (request: ControlRequest, body: unknown) => Answer | Refusal | Promise<Answer | Refusal>;

type Handlers = Readonly<Record<string, Handler>>;

/** The handlers by path, then by method. */
type Endpoints = Readonly<Record<string, Handlers>>;

/** The mock's own endpoints, including those of its page if it has one. */
export function controlEndpoints({ answerPageFile, findDocs, upstream }: PageSurroundings): Endpoints {
  if (answerPageFile === undefined) return commonEndpoints;
  const pageFile = async (name: string) =>
    (await answerPageFile(name)) ?? unknownEndpoint(`/-/mock/page/${name}`, endpoints);
  const endpoints: Endpoints = {
    "/-/mock": { GET: () => ({ status: 308, headers: { location: "/-/mock/" }, body: undefined }) },
    "/-/mock/": { GET: () => pageFile("page.html") },
    "/-/mock/page/NAME": { GET: ({ name }) => pageFile(name) },
    "/-/mock/surroundings": {
      GET: () => json({ hasDocs: findDocs !== undefined, hasUpstream: upstream !== undefined }),
    },
    "/-/mock/docs": { GET: (request) => redirectToDocs(request, findDocs) },
    ...commonEndpoints,
  };
  return endpoints;
}

const commonEndpoints: Endpoints = {
  "/-/mock/health": { GET: showHealth },
  "/-/mock/sessions": {
    GET: ({ sessions }) => json(listSessions(sessions)),
    DELETE: ({ sessions }) => endSessions(sessions, sessions.all.keys()),
  },
  "/-/mock/sessions/NAME": { DELETE: ({ sessions, name }) => endSessions(sessions, [name]) },
  "/-/mock/reset": { POST: reset },
  "/-/mock/state": { GET: showState, PUT: putState(restoreSession) },
  "/-/mock/seed": { PUT: putState(seedSession) },
  "/-/mock/requests": { GET: showRequests },
  ...ruleEndpoints("faults", ({ faults }) => faults),
  ...ruleEndpoints("overrides", ({ overrides }) => overrides),
};

function showHealth({ contract }: ControlRequest): Answer {
  const generations = contract.generations.map(({ name, title, document, operations }) => {
    return { name, title, version: document.info?.version, operations: operations.length };
  });
  return json({ status: "ready", generations });
}

function reset({ sessions, session }: ControlRequest): Answer {
  resetSession(sessions, session);
  return noContent();
}

function showState({ session }: ControlRequest): Answer {
  return json(writeSnapshot(session.world));
}

/** Makes a handler that replaces the state with a body. `put` returns the violations in the body. */
function putState(put: typeof restoreSession | typeof seedSession): Handler {
  return (request, body) => {
    const violations = put(request.sessions, request.session, body, request.contract.resourceTypes());
    return refuseState(violations) ?? showState(request);
  };
}

/** Lists the requests of a session or of all sessions. With a timeout, waits for one that fits the filters. */
async function showRequests(request: ControlRequest): Promise<Answer | Refusal> {
  const { sessions, sessionName, session, contract, whenGone } = request;
  const { timeout, sessions: which, ...query } = request.query;
  const isForAll = which === "all";
  if (which !== undefined && (!isForAll || timeout !== undefined))
    return refuseQuery("sessions", 'sessions can only be "all", and timeout is for one session.');
  const isAsked = readFilters(query, contract);
  if (isRefusal(isAsked)) return isAsked;
  if (timeout !== undefined) {
    const milliseconds = readDelay(String(timeout));
    if (milliseconds === undefined) return refuseTimeout(String(timeout));
    const entry = await awaitRequest(sessions, sessionName, isAsked, { timeout: milliseconds, whenGone });
    return json(entry === undefined ? [] : [entry]);
  }
  const entries = (await readEntries(isForAll ? [...sessions.all.values()] : [session])).filter(isAsked);
  return jsonList(isForAll ? entries.toSorted((a, b) => a.id - b.id).slice(-mostOfAll) : entries);
}

type UsedUp = KeptRequest["usedUp"];

function ruleEndpoints<Rule extends object>(
  kind: keyof UsedUp,
  listOf: (session: Session) => RuleList<Rule>,
): Endpoints {
  const path = `/-/mock/${kind}`;
  const show = ({ session, query }: ControlRequest) => {
    const usedUp = query["usedUp"] === "true" ? session.requests.flatMap((request) => request.usedUp[kind]) : [];
    return jsonList([...new Set(usedUp), ...listOf(session).list()]);
  };
  return {
    [path]: {
      GET: show,
      PUT: (request, rules) => listOf(request.session).replace(rules, request.contract) ?? show(request),
      POST: (request, rule) => listOf(request.session).add(rule, request.contract) ?? show(request),
      DELETE: (request) => listOf(request.session).replace([], request.contract) ?? show(request),
    },
    [`${path}/NAME`]: { DELETE: (request) => listOf(request.session).remove(request.name) ?? show(request) },
  };
}

/** Returns whether a request is for the mock itself rather than for the API. */
export function isControlTarget(requestTarget: string): boolean {
  return /^(?:https?:\/\/[^/?#]*)?\/-\/mock(?:[/?#]|$)/i.test(requestTarget);
}

/**
 * Answers a request for the mock itself. Resolves to `undefined` if the client disconnects before the body
 * ends.
 */
export async function answerControl(
  request: MockRequest,
  parts: ControlledParts,
  limits: BodyLimits,
): Promise<Answer | Refusal | undefined> {
  const target = readTarget(request.target);
  if (isRefusal(target)) return target;
  const [, , collection = "", name] = target.segments;
  const path =
    name === undefined || name === "" || target.segments.length > 4 ? target.path : `/-/mock/${collection}/NAME`;
  const handlers = new Map(Object.entries(parts.endpoints)).get(path);
  if (handlers === undefined) return unknownEndpoint(target.path, parts.endpoints);
  const methods = Object.keys(handlers);
  const allow = allowedMethods(methods);
  if (request.method === "OPTIONS") return noContent({ allow });
  const handler = new Map(Object.entries(handlers)).get(request.method === "HEAD" ? "GET" : request.method);
  if (handler === undefined) {
    const message = `${target.path} supports ${methods.join(", ")}, but not ${request.method}.`;
    return refusalOf(
      405,
      { code: "method", in: "method", message, expected: methods, received: request.method },
      { allow },
    );
  }
  // A state can be as large as the bodies it was made from, and larger where text is escaped.
  const size = ["/-/mock/seed", "/-/mock/state"].includes(target.path)
    ? Math.max(limits.size, 2 * parts.sessions.budget.limit)
    : limits.size;
  const bytes = await readBytes(request, { ...limits, size });
  if (bytes === undefined || isRefusal(bytes)) return bytes;
  const pathAndQuery = { query: target.query, name: name ?? "", whenGone: request.whenGone };
  const body = bytes.length === 0 ? { value: undefined } : parseJsonBody(bytes);
  return isRefusal(body) ? body : handler({ ...parts, ...pathAndQuery }, body.value);
}

function unknownEndpoint(path: string, endpoints: Endpoints): Refusal {
  const list = Object.entries(endpoints).map(([known, handlers]) => `${known} (${Object.keys(handlers).join(", ")})`);
  const message = `The mock has no endpoint ${shorten(path, 200)}: there are ${listInWords(list)}.`;
  return refusalOf(404, { code: "path", in: "path", message, expected: Object.keys(endpoints) });
}

/** The most entries in a list of all sessions' requests. */
const mostOfAll = 200;

/**
 * The entries of some sessions' requests. Masking a large one takes milliseconds, so other requests are answered
 * in between.
 */
async function readEntries(sessions: readonly Session[]): Promise<readonly RequestEntry[]> {
  const entries: RequestEntry[] = [];
  // Entries may be added and removed in the meantime.
  for (const { readEntry } of sessions.flatMap(({ requests }) => requests)) {
    entries.push(readEntry());
    await nextTurn();
  }
  return entries;
}

function refuseState(violations: readonly FoundViolation[]): Refusal | undefined {
  const listed = violations.slice(0, listedViolations).map((one) => ({ ...one, message: `${one.message}.` }));
  return listed.length > 0 ? refuseContent(listed) : undefined;
}

function refuseTimeout(text: string): Refusal {
  const message = `timeout must be a number of milliseconds from 0 to ${longestDelay}, not ${shorten(text)}.`;
  return refuseQuery("timeout", message, { minimum: 0, maximum: longestDelay });
}

function refuseQuery(name: string, message: string, expected?: unknown): Refusal {
  return refusalOf(422, { code: "query", in: "query", name, message, ...(expected !== undefined && { expected }) });
}

/** Leads to the docs' page of the operation in a query. */
async function redirectToDocs({ query, contract }: ControlRequest, findDocs?: FindDocs): Promise<Answer | Refusal> {
  const generation = contract.generations.find(({ name }) => name === query["generation"]);
  const operation = generation?.operations.find(({ operationId }) => operationId === query["operation"]);
  const location = generation && operation && (await findDocs?.(generation, operation));
  if (location !== undefined) return { status: 307, headers: { location }, body: undefined };
  return refusalOf(404, {
    code: "operation",
    in: "query",
    name: "operation",
    message: "No docs on this server have this operation.",
  });
}

function endSessions(sessions: Sessions, names: Iterable<string>): Answer {
  for (const name of names) endSession(sessions, name);
  return noContent();
}

/** In characters. Longer JSON is not indented, since indentation can make it 200 times as long. */
const longestIndented = 2 ** 15;

function json(value: unknown): Answer {
  const text = JSON.stringify(value);
  return jsonText(text.length > longestIndented ? text : JSON.stringify(value, undefined, 2));
}

/**
 * A list in the format of {@link json}. Writing a large item takes milliseconds, so other requests are
 * answered in between.
 */
async function jsonList(items: readonly unknown[]): Promise<Answer> {
  const texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    texts.push(text);
    length += text.length;
    await nextTurn();
  }
  return length > longestIndented ? jsonText(`[${texts.join(",\n")}]`) : json(items);
}

function jsonText(text: string): Answer {
  return { status: 200, headers: { "content-type": "application/json" }, body: `${text}\n` };
}
