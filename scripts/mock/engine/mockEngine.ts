import { UserError } from "../../contract/failures.ts";
import type { Generation } from "../../contract/generation.ts";
import { escapeForHeader } from "../../values/text.ts";
import { answerControl, controlEndpoints, isControlTarget, type PageSurroundings } from "./controlApi.ts";
import { withCors } from "./cors.ts";
import { isReset, pause } from "./delivery.ts";
import { failedFetch, toFetchResponse } from "./fetchResponse.ts";
import { createFaults } from "../respond/faults.ts";
import type { BodyLimits, MockRequest } from "../respond/mockRequest.ts";
import { fromFetch } from "./fetchRequest.ts";
import { awaitedMilliseconds, missedRequest } from "../missedRequest.ts";
import type { AwaitedRequest, InProcessMock, MockOptions, RequestEntry, RequestFilter } from "../mockTypes.ts";
import { isDelay, leftEarly, longestDelay } from "../content/delays.ts";
import { awaitRequest } from "../respond/awaitRequest.ts";
import { answerException, answerRefusal, sendable, type Answer } from "../content/answer.ts";
import { doubtTexts, findingFields, requestFindings } from "../content/entryFindings.ts";
import { isRefusal } from "../../exchange/refusal.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import { createKeptRequest, createReceipt, type KeptRequest, type Receipt } from "../respond/requestEntry.ts";
import { readFilters } from "../respond/requestFilter.ts";
import { respond } from "../respond/respond.ts";
import { rulesForPrograms } from "../respond/rules.ts";
import { shorten } from "../../exchange/secrets.ts";
import { serveContract, type ServedContract } from "../respond/servedContract.ts";
import { readSeed, readUnknown } from "../state/seed.ts";
import {
  createSessions,
  endSession,
  keepRequest,
  listSessions,
  openSession,
  peekSession,
  refitSessions,
  resetSession,
  restoreSession,
  seedSession,
  writeSessions,
  type Session,
  type Sessions,
} from "../respond/sessions.ts";
import type { Upstreaming } from "../respond/upstream.ts";
import { writeSnapshot } from "../state/worldSnapshot.ts";

/** The options of an engine that don't depend on the runtime. */
export interface MockEngineOptions extends Omit<MockOptions, "seedState" | "upstream"> {
  /** All generations, even if only one of them is served, because they share resources. */
  readonly generations: readonly Generation[];
  readonly seedState?: unknown;
  readonly seedFile?: string | undefined;
  /** Largest accepted body, in bytes. 1 MiB by default. */
  readonly bodyLimit?: number;
  /** Longest pause within a body before the mock stops waiting, in milliseconds. 10 s by default. */
  readonly bodyTimeout?: number;
  /** Called before each response is sent, with an entry that lacks the parameters, headers and body. */
  readonly log?: (entry: RequestEntry) => void;
}

/** Runtime-specific parts of an engine. */
export interface EngineSurroundings extends PageSurroundings {
  readonly upstream?: Upstreaming | undefined;
  /** Warns the author of the calling program about a mistake in it. */
  readonly warn: (text: string) => void;
}

export type MockEngine = ReturnType<typeof createMockEngine>;

/** The served contract and the options for its resources. A new contract replaces it as a whole. */
type Served = ReturnType<typeof readContract>;

/** State that all requests to a mock share. */
interface EngineParts extends EngineSurroundings {
  readonly options: MockEngineOptions;
  readonly limits: BodyLimits;
  readonly sessions: Sessions;
  readonly endpoints: ReturnType<typeof controlEndpoints>;
  served: Served;
}

const longestReason = 1_000;
/** Clients read 16 KiB of headers, and an escaped character takes six bytes. */
const longestNote = 1_000;

/**
 * Answers requests from any source. Throws `TypeError` if an option is invalid. Throws {@link UserError} if
 * two generations have the same operation, if options exclude each other or contradict the contract, or if
 * this process may not compile schemas.
 */
export function createMockEngine(options: MockEngineOptions, surroundings: EngineSurroundings) {
  const parts = createParts(options, surroundings);
  const { sessions } = parts;
  const mock = createInProcessMock(parts);
  return {
    ...mock,
    mock,
    respond: (request: MockRequest) => answerTo(parts, request),
    version: () => sessions.budget.changes,
    writeState: () => writeSessions(sessions),
    /** Continues with an earlier state of some sessions. Returns the parts that don't fit the contract. */
    readState: (state: Readonly<Record<string, unknown>>) => {
      const types = parts.served.contract.resourceTypes();
      return Object.entries(state).flatMap(([name, one]) =>
        restoreSession(sessions, sessionOf(parts, name), one, types),
      );
    },
    /**
     * Serves other generations from the next request on. Returns the parts of the state that don't fit them.
     * If it throws {@link UserError}, the old generations stay.
     */
    replace: (generations: readonly Generation[]): readonly string[] => {
      const served = readContract(generations, options);
      parts.served = served;
      const { contract, seeded } = served;
      if (sessions.budget.changes === 0 && seeded === undefined) return [];
      const dropped = refitSessions(sessions, contract.resourceTypes(), seeded?.world);
      return [...(seeded?.violations ?? []), ...dropped].map(({ message }) => message);
    },
  };
}

function createParts(options: MockEngineOptions, surroundings: EngineSurroundings): EngineParts {
  const { stateLimit = 64, seedFile = "seedState", bodyLimit = 2 ** 20, bodyTimeout = 10_000 } = options;
  if (!(stateLimit > 0)) throw new TypeError(`stateLimit must be a number of MiB above 0, not ${stateLimit}`);
  refuseExclusive(options);
  const served = readContract(options.generations, options);
  const { seeded } = served;
  if (seeded !== undefined && seeded.violations.length > 0)
    throw new UserError(`${seedFile} cannot be used: ${describeViolations(seeded.violations)}`);
  return {
    ...surroundings,
    options,
    limits: { size: bodyLimit, stall: bodyTimeout },
    sessions: createSessions(stateLimit * 2 ** 20, (budget) => createFaults(options, budget), seeded?.world),
    endpoints: controlEndpoints(surroundings),
    served,
  };
}

/** Throws {@link UserError} if options ask the mock both to remember and to forget. */
function refuseExclusive({
  stateless = false,
  dynamic = false,
  stateFile,
  seedState,
  unknown,
}: MockEngineOptions): void {
  if (!stateless && !dynamic) return;
  const remembering = Object.entries({ state: stateFile, "seed-state": seedState, unknown });
  const kept = remembering.find(([, value]) => value);
  if (kept === undefined) return;
  const forgetful = stateless ? "stateless" : "dynamic";
  throw new UserError(`--${forgetful} and --${kept[0]} exclude each other: the first makes the mock stateless`);
}

/** Answers a request. Resolves to `undefined` if the client disconnects before the body ends. Never rejects. */
async function answerTo(parts: EngineParts, request: MockRequest): Promise<Answer | undefined> {
  const start = performance.now();
  const time = new Date().toISOString();
  const { options, sessions } = parts;
  const { secrets } = parts.served.contract;
  const isControl = isControlTarget(request.target);
  // The page polls every second. These requests don't count as use of a session and aren't logged.
  const isLook = isControl && (request.method === "GET" || request.method === "HEAD");
  const sessionName = sessionNameOf(request);
  const session = (isLook ? peekSession : openSession)(sessions, sessionName);
  const receipt = createReceipt();
  session.inProgress += 1;
  // A failure in one request must not stop the mock.
  const answered = await makeAnswer(parts, request, session, receipt).catch(answerException);
  const answer = answered && sendable(isRefusal(answered) ? answerRefusal(answered) : answered);
  const { delay = 0 } = answer ?? {};
  const isGone = delay > 0 && !(await pause(delay, request));
  session.inProgress -= 1;
  if (answer === undefined) return undefined;
  const left = isGone ? leftEarly : undefined;
  // The entry has the doubts themselves.
  const own = doubtTexts(answer.findings).length === 0 ? answer.note : undefined;
  const notes = [session.note, ...receipt.notes, left, own].filter((note) => note !== undefined);
  const note = isControl || notes.length === 0 ? undefined : notes.join("; ");
  const shown = own === undefined && answer.note !== undefined ? [...notes, answer.note].join("; ") : note;
  sessions.latestId += 1;
  const logged: RequestEntry = {
    ...{ id: sessions.latestId, time, status: answer.status },
    ...{ method: shorten(request.method), target: secrets.maskTarget(request.target) },
    ...(sessionName !== "" && { session: sessionName }),
    milliseconds: Math.round((performance.now() - start) * 1_000) / 1_000,
    ...remarksOf(answer, note, request.method),
    ...(isGone && { left: true }),
  };
  const kept = createKeptRequest(logged, request, { ...receipt, answer }, secrets);
  if (!isControl) keepRequest(sessions, session, kept);
  if (!isLook || answer.status >= 400)
    options.log?.({ ...findingFields(requestFindings(receipt.violations)), ...logged });
  void notify(parts, kept);
  return withCors(request, shown === undefined ? answer : withNote(answer, shown));
}

/** The fields of a request's entry that describe its answer, besides the status. */
function remarksOf(answer: Answer, note: string | undefined, method: string) {
  const { reason, refusal, findings, exception } = answer;
  const fault = faultOf(answer, method);
  return {
    ...(reason !== undefined && { reason: reason.slice(0, longestReason) }),
    ...(refusal !== undefined && { refusal: { ...refusal, text: refusal.text.slice(0, longestReason) } }),
    ...(note !== undefined && { note }),
    ...findingFields(findings),
    ...(fault !== undefined && { fault }),
    ...(exception !== undefined && { exception }),
  };
}

/** The fault in an answer, as its client meets it. */
function faultOf(answer: Answer, method: string): RequestEntry["fault"] {
  const { fault } = answer;
  const delivery = isReset(answer, method) ? "reset" : answer.delivery;
  return fault === undefined || delivery === undefined ? fault : { ...fault, delivery };
}

/** Adds the note of the entry, or its beginning, as a header. */
function withNote(answer: Answer, note: string): Answer {
  return { ...answer, headers: { ...answer.headers, "x-mock-note": escapeForHeader(note.slice(0, longestNote)) } };
}

function makeAnswer(parts: EngineParts, request: MockRequest, session: Session, receipt: Receipt) {
  const { limits, sessions, endpoints, upstream, served } = parts;
  const { contract, closed } = served;
  if (isControlTarget(request.target)) {
    const sessionName = sessionNameOf(request);
    return answerControl(request, { sessions, session, sessionName, contract, endpoints }, limits);
  }
  const { dynamic = false, stateless = false, seed } = parts.options;
  const store = stateless ? undefined : { session, budget: sessions.budget, closed };
  const { faults, overrides } = session;
  return respond(request, contract, { limits, dynamic, seed, upstream, store, faults, overrides, receipt });
}

/** The mock's interface for programs in the same process. */
function createInProcessMock(parts: EngineParts): InProcessMock {
  const { sessions } = parts;
  const contract = () => parts.served.contract;
  return {
    fetch: async (input, init) => fetchAnswer(parts, new Request(input, init)),
    faults: rulesForPrograms((name) => sessionOf(parts, name).faults, contract),
    overrides: rulesForPrograms((name) => sessionOf(parts, name).overrides, contract),
    reset: (name) => {
      resetSession(sessions, sessionOf(parts, name));
    },
    state: (name) => structuredClone(writeSnapshot(sessionOf(parts, name).world)),
    restore: (state, name) => {
      const types = contract().resourceTypes();
      const violations = restoreSession(sessions, sessionOf(parts, name), structuredClone(state), types);
      if (violations.length > 0)
        throw new TypeError(`The state does not fit the contract: ${describeViolations(violations)}`);
    },
    seed: (resources, name) => {
      const types = contract().resourceTypes();
      const violations = seedSession(sessions, sessionOf(parts, name), structuredClone(resources), types);
      if (violations.length > 0)
        throw new TypeError(`The seed does not fit the contract: ${describeViolations(violations)}`);
    },
    sessions: {
      list: () => listSessions(sessions),
      end: (name) => {
        for (const one of name === undefined ? [...sessions.all.keys()] : [name]) endSession(sessions, one);
      },
    },
    waitForRequest: (awaited = {}) => waitForRequest(parts, awaited),
    requests: (asked = {}) => {
      const { session, ...filter } = typeof asked === "object" ? asked : { session: asked };
      const isAsked = readFilter(filter, contract());
      const entries = sessionOf(parts, session).requests.map(({ readEntry }) => readEntry());
      // Copies, because callers may change them.
      return entries.filter(isAsked).map((entry) => structuredClone(entry));
    },
  };
}

/** Throws `TypeError` for a filter that no request can match. */
function readFilter(filter: RequestFilter, contract: ServedContract): (entry: RequestEntry) => boolean {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const isAsked = readFilters(Object.fromEntries(given.map(([name, value]) => [name, String(value)])), contract);
  if (isRefusal(isAsked)) throw new TypeError(isAsked.detail);
  return isAsked;
}

/** Rejects with `TypeError` for a mistake in the filter, and with an error if no request comes in time. */
async function waitForRequest({ sessions, served }: EngineParts, awaited: AwaitedRequest): Promise<RequestEntry> {
  const { timeout = awaitedMilliseconds, session = "", ...filter } = awaited;
  if (typeof timeout !== "number" || !isDelay(timeout))
    throw new TypeError(`timeout must be a number of milliseconds from 0 to ${longestDelay}`);
  const isAsked = readFilter(filter, served.contract);
  const entry = await awaitRequest(sessions, session, isAsked, { timeout, whenGone: () => () => undefined });
  const entries = sessions.all.get(session)?.requests.map(({ readEntry }) => readEntry()) ?? [];
  if (entry === undefined) throw missedRequest(awaited, entries);
  return structuredClone(entry);
}

function sessionNameOf({ headers }: MockRequest): string {
  return headers["x-mock-session"] ?? "";
}

function sessionOf({ sessions }: EngineParts, name = ""): Session {
  if (typeof name !== "string")
    throw new TypeError(`a session name must be a string, not a value of type ${typeof name}`);
  return openSession(sessions, name);
}

async function fetchAnswer(parts: EngineParts, request: Request): Promise<Response> {
  request.signal.throwIfAborted();
  let failure: unknown;
  const incoming = fromFetch(request, (error) => (failure = error));
  const answer = await answerTo(parts, incoming);
  request.signal.throwIfAborted();
  if (answer === undefined) throw failedFetch(failure);
  return toFetchResponse(request, answer, incoming);
}

/** Calls the listener. If it fails, its author gets a warning, and the request is unaffected. */
async function notify({ options, warn }: EngineParts, { readEntry }: KeptRequest): Promise<void> {
  try {
    const result: unknown = options.onResponse?.(structuredClone(readEntry()));
    await result;
  } catch (error) {
    warn(`onResponse failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

/** Prepares a contract and the options for its resources. Throws {@link UserError}. */
function readContract(generations: readonly Generation[], { generation, seedState, unknown }: MockEngineOptions) {
  const contract = serveContract(generations, generation);
  const seeded = seedState === undefined ? undefined : readSeed(seedState, contract.resourceTypes());
  return { contract, seeded, closed: readUnknown(unknown, contract.resourceTypes) };
}

function describeViolations([first, ...others]: readonly FoundViolation[]): string {
  return `${first?.message ?? ""}${others.length === 0 ? "" : `, and ${others.length} more`}`;
}
