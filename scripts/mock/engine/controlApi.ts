import type { Generation, Operation } from "../../contract/generation.ts";
import { nextTurn } from "../../exchange/nextTurn.ts";
import { isRefusal, listedViolations, refusalOf, refuseContent, type Refusal } from "../../exchange/refusal.ts";
import { parseJsonRequest } from "../../exchange/requestBody.ts";
import { readTarget, type Target } from "../../exchange/requestTarget.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import { allowedMethods } from "../../exchange/unknownOperation.ts";
import { isObject } from "../../values/json.ts";
import { listInWords } from "../../values/text.ts";
import { noContent, type Answer } from "../content/answer.ts";
import { maxDelay, readDelay } from "../content/delays.ts";
import type { ServedContract } from "../content/servedContract.ts";
import type { ControlEndpoints, EndpointData } from "../controlEndpoints.ts";
import type { MockState, RequestEntry } from "../mockTypes.ts";
import type { CommonRule, RuleList } from "../rules/rules.ts";
import { writeSnapshot } from "../state/worldSnapshot.ts";
import { awaitRequest } from "./awaitRequest.ts";
import { describeUnreadQuery } from "./ignoredQuery.ts";
import type { BodyLimits, MockRequest } from "./mockRequest.ts";
import type { KeptRequest, Outcome } from "./requestEntry.ts";
import { readFilters } from "./requestFilter.ts";
import {
  endSession,
  endSessions,
  listSessions,
  resetSession,
  restoreSession,
  seedSession,
  type Session,
  type Sessions,
} from "./sessions.ts";

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

/** A request for the mock itself. */
interface ControlRequest extends PageSurroundings {
  readonly sessions: Sessions;
  readonly session: Session;
  readonly sessionName: string;
  readonly served: { readonly contract: ServedContract };
  readonly limits: BodyLimits;
  readonly request: MockRequest;
}

/** The parts of a target that an endpoint reads: its query, and the value of `NAME` in the path. */
interface EndpointRequest extends ControlRequest, Pick<Target, "query"> {
  readonly name: string;
}

type Reply<Result> = Promise<Refusal | Result> | Refusal | Result;

/** Takes the parsed body, which is `undefined` if there is none. */
type Handler<Result> = (request: EndpointRequest, body: unknown) => Reply<Result>;

/** The handlers of an endpoint by method. */
type Methods<Result> = Readonly<Record<string, Handler<Result>>>;

/** The handlers by path. */
type Endpoints = Readonly<Record<string, Methods<Answer>>>;

const faults = ruleEndpoints("faults", (session) => session.faults);
const overrides = ruleEndpoints("overrides", (session) => session.overrides);

/** The endpoints for programs. What they return is written as JSON. */
const endpoints: {
  readonly [Path in keyof ControlEndpoints]: {
    readonly [Method in keyof ControlEndpoints[Path]]: Handler<
      // In this process, the response of an override may be a function, which JSON leaves out.
      Path extends `${"faults" | "overrides"}${string}` ? readonly object[] : EndpointData<Path, Method, "out">
    >;
  };
} = {
  health: { GET: showHealth },
  sessions: {
    GET: ({ sessions }) => listSessions(sessions),
    DELETE: ({ sessions }) => {
      endSessions(sessions);
    },
  },
  "sessions/NAME": {
    DELETE: ({ sessions, name }) => {
      endSession(sessions, name);
    },
  },
  reset: {
    POST: ({ sessions, session }) => {
      resetSession(sessions, session);
    },
  },
  state: { GET: showState, PUT: putState(restoreSession) },
  seed: { PUT: putState(seedSession) },
  requests: { GET: showRequests },
  ...{ faults: faults.all, "faults/NAME": faults.one },
  ...{ overrides: overrides.all, "overrides/NAME": overrides.one },
};

/** The query parameters of the endpoints that read few or none. The others refuse a name, or keep their own state there. */
const queryNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...{ sessions: [], "sessions/NAME": [], reset: [], state: [], seed: [] },
    ...{ faults: ["usedUp"], "faults/NAME": ["usedUp"], overrides: ["usedUp"], "overrides/NAME": ["usedUp"] },
  }).map(([path, names]) => [`/-/mock/${path}`, names]),
);

/** The endpoints of the page. */
const pageEndpoints: Endpoints = {
  "/-/mock": { GET: () => ({ status: 308, headers: { location: "/-/mock/" }, body: undefined }) },
  "/-/mock/": { GET: (request) => answerPage(request, "page.html") },
  "/-/mock/page/NAME": { GET: (request) => answerPage(request, request.name) },
  "/-/mock/surroundings": {
    GET: ({ findDocs, upstream }) => json({ hasDocs: findDocs !== undefined, hasUpstream: upstream !== undefined }),
  },
  "/-/mock/docs": { GET: redirectToDocs },
};

/** The mock's own endpoints, including those of its page if it has one. */
function endpointsOf({ answerPageFile }: PageSurroundings): Endpoints {
  const forPrograms = Object.entries<Methods<unknown>>(endpoints).map(([path, methods]) => {
    const written = Object.entries(methods).map(([method, handle]) => [method, writing(handle)] as const);
    return [`/-/mock/${path}`, Object.fromEntries(written)] as const;
  });
  return { ...(answerPageFile && pageEndpoints), ...Object.fromEntries(forPrograms) };
}

/** Makes a handler that writes what another returns. */
function writing(handle: Handler<unknown>): Handler<Answer> {
  return async (request, body) => {
    const result = await handle(request, body);
    if (result === undefined) return noContent();
    if (Array.isArray(result)) return jsonList(result);
    return isObject(result) && isRefusal(result) ? result : json(result);
  };
}

async function answerPage(request: EndpointRequest, name: string): Promise<Answer | Refusal> {
  return (await request.answerPageFile?.(name)) ?? unknownEndpoint(`/-/mock/page/${name}`, endpointsOf(request));
}

function showHealth({ served: { contract } }: ControlRequest) {
  const generations = contract.generations.map(({ name, title, document, operations }) => {
    return { name, title, version: document.info?.version, operations: operations.length };
  });
  return { status: "ready" as const, generations };
}

function showState({ session }: ControlRequest): MockState {
  return writeSnapshot(session.world);
}

/** Makes a handler that replaces the state with a body. `put` returns the violations in the body. */
function putState(put: typeof restoreSession | typeof seedSession): Handler<MockState> {
  return (request, body) => {
    const violations = put(request.sessions, request.session, body, request.served.contract.resourceTypes());
    const listed = violations.slice(0, listedViolations).map((one) => ({ ...one, message: `${one.message}.` }));
    return listed.length > 0 ? refuseContent(listed) : showState(request);
  };
}

/** Lists the requests of a session or of all sessions. With a timeout, waits for one that fits the filters. */
async function showRequests(asked: EndpointRequest): Promise<readonly RequestEntry[] | Refusal> {
  const { sessions, sessionName, session, served, request } = asked;
  const { timeout, sessions: which, ...query } = asked.query;
  const isForAll = which === "all";
  if (which !== undefined && (!isForAll || timeout !== undefined))
    return refuseQuery("sessions", 'sessions can only be "all", and timeout is for one session.');
  const isAsked = readFilters(query, served.contract);
  if (isRefusal(isAsked)) return isAsked;
  if (timeout !== undefined) {
    const milliseconds = readDelay(String(timeout));
    if (milliseconds === undefined) {
      const rule = `timeout must be a number of milliseconds from 0 to ${maxDelay}`;
      const message = `${rule}, not ${maskAndCut(String(timeout))}.`;
      return refuseQuery("timeout", message, { minimum: 0, maximum: maxDelay });
    }
    const { whenGone } = request;
    const entry = await awaitRequest(sessions, sessionName, isAsked, { timeout: milliseconds, whenGone });
    return entry === undefined ? [] : [entry];
  }
  const kept = (isForAll ? [...sessions.all.values()] : [session]).flatMap(({ requests }) => requests);
  const entries = (await mapInTurns(kept, ({ readEntry }) => readEntry())).filter(isAsked);
  return isForAll ? entries.toSorted((a, b) => a.id - b.id).slice(-maxEntriesOfAll) : entries;
}

/** The endpoints for the rules of one kind. Each shows all of them. */
function ruleEndpoints<Rule extends CommonRule>(
  kind: keyof KeptRequest["usedUp"],
  listOf: (session: Session) => RuleList<Rule>,
) {
  const show = ({ session, query }: EndpointRequest): readonly object[] => {
    const usedUp = query["usedUp"] === "true" ? session.requests.flatMap((request) => request.usedUp[kind]) : [];
    return [...new Set([...usedUp, ...listOf(session).list()])];
  };
  const changing =
    (change: (rules: RuleList<Rule>, request: EndpointRequest, body: unknown) => Refusal | undefined) =>
    (request: EndpointRequest, body: unknown) =>
      change(listOf(request.session), request, body) ?? show(request);
  return {
    all: {
      GET: show,
      PUT: changing((rules, { served }, body) => rules.set(body, served.contract)),
      POST: changing((rules, { served }, body) => rules.add(body, served.contract)),
      DELETE: changing((rules, { served }) => rules.set([], served.contract)),
    },
    one: { DELETE: changing((rules, { name }) => rules.remove(name)) },
  };
}

/** Returns whether a request is for the mock itself rather than for the API. */
export function isControlTarget(requestTarget: string): boolean {
  return /^(?:https?:\/\/[^/?#]*)?\/-\/mock(?:[/?#]|$)/i.test(requestTarget);
}

/** Answers a request for the mock itself. */
export async function answerControl(control: ControlRequest): Promise<Outcome> {
  const { request, limits, sessions } = control;
  const target = readTarget(request.target);
  if (isRefusal(target)) return { answer: target };
  const [, , collection = "", name = ""] = target.segments;
  const path = name === "" || target.segments.length > 4 ? target.path : `/-/mock/${collection}/NAME`;
  const known = endpointsOf(control);
  const handlers = new Map(Object.entries(known)).get(path);
  if (handlers === undefined) return { answer: unknownEndpoint(target.path, known) };
  const methods = Object.keys(handlers);
  const allow = allowedMethods(methods);
  if (request.method === "OPTIONS") return { answer: noContent({ allow }) };
  const handler = new Map(Object.entries(handlers)).get(request.method === "HEAD" ? "GET" : request.method);
  if (handler === undefined) {
    const message = `${target.path} supports ${methods.join(", ")}, but not ${request.method}.`;
    const violation = { code: "method", in: "method", message, expected: methods, received: request.method } as const;
    return { answer: refusalOf(405, violation, { allow }) };
  }
  // A state can be as large as the bodies it was made from, and larger where text is escaped.
  const isState = ["/-/mock/seed", "/-/mock/state"].includes(target.path);
  const size = isState ? Math.max(limits.size, 2 * sessions.budget.limit) : limits.size;
  const bytes = await request.readBody({ ...limits, size });
  if (bytes === undefined || isRefusal(bytes)) return { answer: bytes };
  const body = bytes.length === 0 ? { value: undefined } : parseJsonRequest(bytes);
  if (isRefusal(body)) return { answer: body };
  const names = queryNames.get(path);
  const ignored = names && describeUnreadQuery(names, target.query);
  const answer = await handler({ ...control, query: target.query, name }, body.value);
  return { answer, notes: ignored === undefined ? [] : [ignored] };
}

function unknownEndpoint(path: string, endpoints: Endpoints): Refusal {
  const list = Object.entries(endpoints).map(([known, handlers]) => `${known} (${Object.keys(handlers).join(", ")})`);
  const message = `The mock has no endpoint ${maskAndCut(path, 200)}: there are ${listInWords(list)}.`;
  return refusalOf(404, { code: "path", in: "path", message, expected: Object.keys(endpoints) });
}

/** The most entries in a list of all sessions' requests. */
const maxEntriesOfAll = 200;

/** Maps a list. Reading or writing a large item takes milliseconds, so other requests are answered in between. */
async function mapInTurns<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    await nextTurn();
  }
  return results;
}

function refuseQuery(name: string, message: string, expected?: unknown): Refusal {
  return refusalOf(422, { code: "query", in: "query", name, message, ...(expected !== undefined && { expected }) });
}

/** Leads to the docs' page of the operation in a query. */
async function redirectToDocs({ query, served, findDocs }: EndpointRequest): Promise<Answer | Refusal> {
  const generation = served.contract.generations.find(({ name }) => name === query["generation"]);
  const operation = generation?.operations.find(({ operationId }) => operationId === query["operation"]);
  const location = generation && operation && (await findDocs?.(generation, operation));
  if (location !== undefined) return { status: 307, headers: { location }, body: undefined };
  const message = "No docs on this server have this operation.";
  return refusalOf(404, { code: "operation", in: "query", name: "operation", message });
}

/** In characters. Longer JSON is not indented, since indentation can make it 200 times as long. */
const maxIndentedLength = 2 ** 15;

function json(value: unknown): Answer {
  const text = JSON.stringify(value);
  return jsonText(text.length > maxIndentedLength ? text : JSON.stringify(value, undefined, 2));
}

/** A list in the format of {@link json}, item by item. */
async function jsonList(items: readonly unknown[]): Promise<Answer> {
  const text = (await mapInTurns(items, (item) => JSON.stringify(item))).join(",\n");
  return text.length > maxIndentedLength ? jsonText(`[${text}]`) : json(items);
}

function jsonText(text: string): Answer {
  return { status: 200, headers: { "content-type": "application/json" }, body: `${text}\n` };
}
