import { UserError } from "../../contract/failures.ts";
import type { Generation } from "../../contract/generation.ts";
import { isRefusal } from "../../exchange/refusal.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import type { Answer } from "../content/answer.ts";
import { defaultBodyLimit, isBodyLimit, maxBodyLimit } from "../content/bodyLimit.ts";
import { isDelay, maxDelay } from "../content/delays.ts";
import { serveContract, type ServedContract } from "../content/servedContract.ts";
import { awaitedMilliseconds, missedRequest } from "../missedRequest.ts";
import type { AwaitedRequest, InProcessMock, MockOptions, RequestEntry, RequestFilter } from "../mockTypes.ts";
import { createFaults } from "../rules/faults.ts";
import { rulesForPrograms } from "../rules/rules.ts";
import { readSeed, readUnknown } from "../state/seed.ts";
import { writeSnapshot } from "../state/worldSnapshot.ts";
import { answerRequest, logRefused, type MockParts, type RefusedRequest } from "./answerRequest.ts";
import { awaitRequest } from "./awaitRequest.ts";
import { fromFetch } from "./fetchRequest.ts";
import { failedFetch, toFetchResponse } from "./fetchResponse.ts";
import type { MockRequest } from "./mockRequest.ts";
import { readFilters } from "./requestFilter.ts";
import {
  createSessions,
  endSession,
  endSessions,
  listSessions,
  openSession,
  refitSessions,
  resetSession,
  restoreSession,
  seedSession,
  writeSessions,
  type Session,
} from "./sessions.ts";

/** The options of an engine that don't depend on the runtime. */
export interface MockEngineOptions extends Omit<MockOptions, "seedState" | "upstream"> {
  /** All generations, even if only one of them is served, because they share resources. */
  readonly generations: readonly Generation[];
  readonly seedState?: unknown;
  readonly seedFile?: string | undefined;
  /** Longest pause within a body before the mock stops waiting, in milliseconds. 10 s by default. */
  readonly bodyTimeout?: number;
  /** Called before each response is sent, with an entry that lacks the parameters, headers and bodies. */
  readonly log?: (entry: RequestEntry) => void;
}

/** Runtime-specific parts of an engine. */
export type EngineSurroundings = Pick<MockParts, "answerPageFile" | "findDocs" | "upstream" | "warn">;

export type MockEngine = ReturnType<typeof createMockEngine>;

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
    respond: (request: MockRequest) => answerRequest(parts, request),
    logRefused: (request: RefusedRequest, answer: Answer) => {
      logRefused(parts, request, answer);
    },
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

function createParts(options: MockEngineOptions, surroundings: EngineSurroundings): MockParts {
  const { stateLimit = 64, seedFile = "seedState", bodyLimit = defaultBodyLimit, bodyTimeout = 10_000 } = options;
  if (!(stateLimit > 0)) throw new TypeError(`stateLimit must be a number of MiB above 0, not ${stateLimit}`);
  if (!isBodyLimit(bodyLimit))
    throw new TypeError(`bodyLimit must be a whole number of bytes from 1 to ${maxBodyLimit}, not ${bodyLimit}`);
  refuseExclusive(options);
  if (options.validate === false && surroundings.upstream !== undefined)
    throw new UserError(
      "--no-validate and --upstream exclude each other: an upstream gets requests that violate the contract, too",
    );
  const served = readContract(options.generations, options);
  const { seeded } = served;
  if (seeded !== undefined && seeded.violations.length > 0)
    throw new UserError(`${seedFile} cannot be used: ${describeViolations(seeded.violations)}`);
  return {
    ...surroundings,
    options,
    limits: { size: bodyLimit, stall: bodyTimeout },
    sessions: createSessions(stateLimit * 2 ** 20, (budget) => createFaults(options, budget), seeded?.world),
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

/** The mock's interface for programs in the same process. */
function createInProcessMock(parts: MockParts): InProcessMock {
  const { sessions } = parts;
  const contract = () => parts.served.contract;
  const putting = (put: typeof restoreSession, what: string) => (value: unknown, name?: string) => {
    const violations = put(sessions, sessionOf(parts, name), structuredClone(value), contract().resourceTypes());
    if (violations.length > 0)
      throw new TypeError(`The ${what} does not fit the contract: ${describeViolations(violations)}`);
  };
  return {
    fetch: async (input, init) => fetchAnswer(parts, new Request(input, init)),
    faults: rulesForPrograms((name) => sessionOf(parts, name).faults, contract),
    overrides: rulesForPrograms((name) => sessionOf(parts, name).overrides, contract),
    reset: (name) => {
      resetSession(sessions, sessionOf(parts, name));
    },
    state: (name) => structuredClone(writeSnapshot(sessionOf(parts, name).world)),
    restore: putting(restoreSession, "state"),
    seed: putting(seedSession, "seed"),
    sessions: {
      list: () => listSessions(sessions),
      end: (name) => {
        if (name === undefined) endSessions(sessions);
        else endSession(sessions, name);
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
async function waitForRequest({ sessions, served }: MockParts, awaited: AwaitedRequest): Promise<RequestEntry> {
  const { timeout = awaitedMilliseconds, session = "", ...filter } = awaited;
  if (typeof timeout !== "number" || !isDelay(timeout))
    throw new TypeError(`timeout must be a number of milliseconds from 0 to ${maxDelay}`);
  const isAsked = readFilter(filter, served.contract);
  const entry = await awaitRequest(sessions, session, isAsked, { timeout, whenGone: () => () => undefined });
  const entries = sessions.all.get(session)?.requests.map(({ readEntry }) => readEntry()) ?? [];
  if (entry === undefined) throw missedRequest(awaited, entries);
  return structuredClone(entry);
}

function sessionOf({ sessions }: MockParts, name = ""): Session {
  if (typeof name !== "string")
    throw new TypeError(`a session name must be a string, not a value of type ${typeof name}`);
  return openSession(sessions, name);
}

async function fetchAnswer(parts: MockParts, request: Request): Promise<Response> {
  request.signal.throwIfAborted();
  let failure: unknown;
  const incoming = fromFetch(request, (error) => (failure = error));
  const answer = await answerRequest(parts, incoming);
  request.signal.throwIfAborted();
  if (answer === undefined) throw failedFetch(failure);
  return toFetchResponse(request, answer, incoming);
}

/** Prepares a contract and the options for its resources. Throws {@link UserError}. */
function readContract(generations: readonly Generation[], { generation, seedState, unknown }: MockEngineOptions) {
  const contract = serveContract(generations, generation);
  const seeded = seedState === undefined ? undefined : readSeed(seedState, contract.resourceTypes());
  const closed = readUnknown(unknown, contract.resourceTypes);
  return { contract, seeded, closed, recent: new Map() };
}

function describeViolations([first, ...others]: readonly FoundViolation[]): string {
  return `${first?.message ?? ""}${others.length === 0 ? "" : `, and ${others.length} more`}`;
}
