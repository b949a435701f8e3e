import { performance } from "node:perf_hooks";
import { inspect } from "node:util";
import { UserError } from "../../contract/failures.ts";
import type { Generation } from "../../contract/generation.ts";
import { answerControl, isControlTarget } from "./controlApi.ts";
import { withCors } from "./cors.ts";
import { pause } from "./delivery.ts";
import { failedFetch, toFetchResponse } from "./fetchResponse.ts";
import { createFaults } from "../respond/faults.ts";
import type { MockRequest } from "../respond/mockRequest.ts";
import { fromFetch } from "./incomingRequest.ts";
import type { InProcessMock, MockOptions, RequestEntry } from "../mockTypes.ts";
import { answerException, answerRefusal, type Answer } from "../response/answer.ts";
import { isRefusal, type Violation } from "../../exchange/refusal.ts";
import { createKeptRequest, type KeptRequest, type Receipt } from "../respond/requestEntry.ts";
import { respond } from "../respond/respond.ts";
import { rulesForPrograms } from "../respond/rules.ts";
import { shorten } from "../../exchange/secrets.ts";
import { serveContract } from "../respond/servedContract.ts";
import { readSeed, readUnknown } from "../state/seed.ts";
import {
  createSessions,
  keepRequest,
  openSession,
  peekSession,
  refitSessions,
  resetSession,
  restoreSession,
  writeSessions,
  type Session,
} from "../respond/sessions.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { createUpstream } from "../respond/upstream.ts";
import { writeSnapshot } from "../state/worldSnapshot.ts";

export interface EngineOptions extends Omit<MockOptions, "seedState"> {
  /** All generations, even if only one of them is served: they share resources. */
  readonly generations: readonly Generation[];
  readonly seedState?: unknown;
  readonly seedFile?: string | undefined;
  /** Largest body that is read, in bytes. 1 MiB by default. */
  readonly bodyLimit?: number;
  /** Longest pause within a body before it is given up, in milliseconds. 10 s by default. */
  readonly bodyTimeout?: number;
  /** Called with each exchange with the upstream, as it begins. None rejects. */
  readonly onExchange?: (coming: Promise<Exchange>) => void;
  /** Called before each response is sent, with an entry that lacks the parameters, headers and body. */
  readonly log?: (entry: RequestEntry) => void;
}

export type Engine = ReturnType<typeof createEngine>;

const longestReason = 1_000;

/**
 * Answers requests, wherever they come from. Throws {@link UserError} if two generations have the same operation,
 * `TypeError` if an option is not what it should be, and {@link UserError} if options exclude each other or the contract.
 */
export function createEngine(options: EngineOptions) {
  const { onResponse, dynamic = false, seed, stateless = false, stateLimit = 64 } = options;
  if (!(stateLimit > 0)) throw new TypeError(`stateLimit must be a number of MiB above 0, not ${inspect(stateLimit)}`);
  const limits = { size: options.bodyLimit ?? 2 ** 20, stall: options.bodyTimeout ?? 10_000 };
  const { stateFile, seedState, unknown, seedFile = "seedState" } = options;
  const [kept] =
    Object.entries({ state: stateFile, "seed-state": seedState, unknown }).find(([, value]) => value) ?? [];
  if (kept !== undefined && (stateless || dynamic)) {
    const forgetful = stateless ? "stateless" : "dynamic";
    throw new UserError(`--${forgetful} and --${kept} exclude each other: with the first, nothing is remembered`);
  }
  let { contract, closed, seeded } = readContract(options.generations, options);
  const { violations = [] } = seeded ?? {};
  if (violations.length > 0) throw new UserError(`${seedFile} cannot be used: ${describeViolations(violations)}`);
  const sessions = createSessions(stateLimit * 2 ** 20, (budget) => createFaults(options, budget), seeded?.world);
  const upstream = createUpstream(options.upstream, options.generations, options.onExchange);
  const common = { limits, dynamic, seed, upstream };
  const served = () => contract;

  const sessionOf = (name = ""): Session => {
    if (typeof name !== "string") throw new TypeError(`a session is named by a string, not ${inspect(name)}`);
    return openSession(sessions, name);
  };
  const storeOf = (session: Session) => (stateless ? undefined : { session, budget: sessions.budget, closed });
  /** `undefined` if the client went away before its body ended. Never rejects. */
  const answerTo = async (request: MockRequest): Promise<Answer | undefined> => {
    const start = performance.now();
    const time = new Date().toISOString();
    const { secrets } = contract;
    const isControl = isControlTarget(request.target);
    // The page looks every second, which neither uses a session nor belongs in the log.
    const isLook = isControl && (request.method === "GET" || request.method === "HEAD");
    const session = (isLook ? peekSession : openSession)(sessions, request.headers["x-mock-session"] ?? "");
    const { faults, overrides } = session;
    const receipt: Receipt = { received: undefined, bodySize: 0 };
    session.inProgress += 1;
    const answering = isControl
      ? answerControl(request, { sessions, session, contract }, limits)
      : respond(request, contract, { ...common, store: storeOf(session), faults, overrides, receipt });
    // Whatever goes wrong with one request, the mock goes on.
    const answered = await answering.catch(answerException);
    const answer = answered !== undefined && isRefusal(answered) ? answerRefusal(answered) : answered;
    if (answer?.delay !== undefined && answer.delay > 0) await pause(answer.delay, request);
    session.inProgress -= 1;
    if (answer === undefined) return undefined;
    const notes = isControl ? [] : [session.note, answer.note].filter((note) => note !== undefined);
    const logged: RequestEntry = {
      time,
      method: shorten(request.method),
      target: secrets.maskTarget(request.target),
      status: answer.status,
      milliseconds: Math.round((performance.now() - start) * 1_000) / 1_000,
      ...(answer.reason !== undefined && { reason: answer.reason.slice(0, longestReason) }),
      ...(notes.length > 0 && { note: notes.join("; ") }),
      ...(answer.violations !== undefined && { violations: answer.violations }),
      ...(answer.exception !== undefined && { exception: answer.exception }),
    };
    const kept = createKeptRequest(logged, request, receipt, secrets);
    if (!isControl) keepRequest(sessions, session, kept);
    if (!isLook || answer.status >= 400) options.log?.(logged);
    void notify(onResponse, kept);
    return withCors(request, answer);
  };
  const mock: InProcessMock = {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      let failure: unknown;
      const incoming = fromFetch(request, (error) => (failure = error));
      const answer = await answerTo(incoming);
      request.signal.throwIfAborted();
      if (answer === undefined) throw failedFetch(failure);
      return toFetchResponse(request, answer, incoming);
    },
    faults: rulesForPrograms((name) => sessionOf(name).faults, served),
    overrides: rulesForPrograms((name) => sessionOf(name).overrides, served),
    reset: (name) => {
      resetSession(sessions, sessionOf(name));
    },
    state: (name) => structuredClone(writeSnapshot(sessionOf(name).world)),
    restore: (state, name) => {
      const violations = restoreSession(sessions, sessionOf(name), structuredClone(state), contract.resourceTypes());
      if (violations.length > 0)
        throw new TypeError(`The state does not fit the contract: ${describeViolations(violations)}`);
    },
    requests: (name) => sessionOf(name).requests.map(({ readEntry }) => readEntry()),
  };
  return {
    ...mock,
    mock,
    respond: answerTo,
    version: () => sessions.budget.changes,
    writeState: () => writeSessions(sessions),
    /** Continues with an earlier state of some sessions, and returns what of it does not fit the contract. */
    readState: (state: Readonly<Record<string, unknown>>) =>
      Object.entries(state).flatMap(([name, one]) =>
        restoreSession(sessions, sessionOf(name), one, contract.resourceTypes()),
      ),
    /**
     * Serves other generations from the next request on, and returns the parts of the state that do not fit them.
     * Throws {@link UserError}, and goes on with the old ones.
     */
    replace: (generations: readonly Generation[]): readonly string[] => {
      ({ contract, closed, seeded } = readContract(generations, options));
      if (sessions.budget.changes === 0 && seeded === undefined) return [];
      const dropped = refitSessions(sessions, contract.resourceTypes(), seeded?.world);
      return [...(seeded?.violations ?? []), ...dropped].map(({ message }) => message);
    },
  };
}

/** A listener that fails is a warning for its author; the request does not suffer. */
async function notify(onResponse: MockOptions["onResponse"], { readEntry }: KeptRequest): Promise<void> {
  try {
    const result: unknown = onResponse?.(readEntry());
    await result;
  } catch (error) {
    process.emitWarning(
      `onResponse failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}

/** Serves a contract, with what the options say of its resources. Throws {@link UserError}. */
function readContract(generations: readonly Generation[], { generation, seedState, unknown }: EngineOptions) {
  const contract = serveContract(generations, generation);
  const seeded = seedState === undefined ? undefined : readSeed(seedState, contract.resourceTypes());
  return { contract, seeded, closed: readUnknown(unknown, contract.resourceTypes) };
}

function describeViolations([first, ...others]: readonly Violation[]): string {
  return `${first?.message ?? ""}${others.length === 0 ? "" : `, and ${others.length} more`}`;
}
