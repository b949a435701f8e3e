import type { Faults } from "./faults.ts";
import type { MockState, OverrideRule } from "../mockTypes.ts";
import type { KeptRequest } from "./requestEntry.ts";
import { overrideRules } from "./overrides.ts";
import { createRuleList, type RuleList } from "./rules.ts";
import type { ResourceTypes } from "../../contract/resources.ts";
import type { Budget } from "../state/budget.ts";
import { createWorld, type World } from "../state/world.ts";
import { readSnapshot, writeSnapshot } from "../state/worldSnapshot.ts";

/** The state that a test, or whoever else names a session, has for itself. */
export interface Session {
  world: World;
  readonly faults: Faults;
  readonly overrides: RuleList<OverrideRule>;
  readonly requests: KeptRequest[];
  /** A remark for the next request's entry. */
  note: string | undefined;
  lastUsed: number;
  inProgress: number;
}

export interface Sessions {
  readonly budget: Budget;
  seed: World | undefined;
  /** About how much memory all kept requests take, in bytes. */
  requestsSize: number;
  /** The names of the last sessions that gave way to others. */
  readonly ended: Set<string>;
  readonly createFaults: (budget: Budget) => Faults;
  /** By name, the longest unused first. The one without a name is that of all requests that name none. */
  readonly all: Map<string, Session>;
}

/** The most sessions, and the most names of those that gave way. */
const most = 1_000;
const keptRequests = 200;
/** How much memory the requests of all sessions together may take, in bytes. */
const keptSize = 2 ** 24;
const longestIdle = 60 * 60 * 1_000;

/** `limit`: how much memory resources and rules of all sessions together may take, in bytes. */
export function createSessions(limit: number, createFaults: Sessions["createFaults"], seed?: World): Sessions {
  const budget = { limit, used: 0, changes: 0 };
  const all = new Map([["", createSession(createFaults(budget), budget, seed)]]);
  return { budget, seed, requestsSize: 0, ended: new Set(), createFaults, all };
}

/** The session of a name, which begins with the seed. It takes the place of others if they are idle or too many. */
export function openSession(sessions: Sessions, name: string, now = Date.now()): Session {
  const { all, ended } = sessions;
  makeRoom(sessions, !all.has(name), now);
  const session = peekSession(sessions, name);
  if (ended.delete(name)) session.note = `the session began anew: with ${most} others, it had been the longest unused`;
  session.lastUsed = now;
  all.delete(name);
  all.set(name, session);
  return session;
}

/** The session of a name, without using it: if there is none, one that nobody else gets. */
export function peekSession({ all, budget, createFaults, seed }: Sessions, name: string): Session {
  return all.get(name) ?? createSession(createFaults(budget), budget, seed);
}

function replaceWorld({ budget }: Sessions, session: Session, world: World): void {
  budget.used += world.size - session.world.size;
  budget.changes += 1;
  session.world = world;
}

/** Lets a session begin anew: without what was written, requests and rules. */
export function resetSession(sessions: Sessions, session: Session): void {
  replaceWorld(sessions, session, createWorld(sessions.seed));
  while (session.requests.length > 0) forgetRequest(sessions, session);
  session.faults.clear();
  session.overrides.clear();
}

/** Resets a session, and ends it unless a request is in progress in it. */
export function endSession(sessions: Sessions, name: string): void {
  const session = sessions.all.get(name);
  if (session === undefined) return;
  resetSession(sessions, session);
  if (name !== "" && session.inProgress === 0) sessions.all.delete(name);
}

/** Keeps a request that has its answer. If there is too much in all sessions, the longest unused ones forget theirs. */
export function keepRequest(sessions: Sessions, session: Session, request: KeptRequest): void {
  session.note = undefined;
  session.lastUsed = Date.now();
  session.requests.push(request);
  sessions.requestsSize += request.size;
  if (session.requests.length > keptRequests) forgetRequest(sessions, session);
  if (sessions.requestsSize <= keptSize) return;
  for (const one of sessions.all.values()) {
    while (sessions.requestsSize > keptSize && one.requests.length > 0) forgetRequest(sessions, one);
  }
}

function forgetRequest(sessions: Sessions, { requests }: Session): void {
  sessions.requestsSize -= requests.shift()?.size ?? 0;
}

/** The worlds in which something was written or counted, by the names of their sessions. */
export function writeSessions({ all }: Sessions): Readonly<Record<string, MockState>> {
  const written = [...all].filter(([, { world }]) => world.size > 0 || world.counters.size > 0);
  return Object.fromEntries(written.map(([name, { world }]) => [name, writeSnapshot(world)]));
}

/** Gives a session the world of a snapshot. If that does not fit the contract, nothing changes, and the reasons are returned. */
export function restoreSession(sessions: Sessions, session: Session, value: unknown, types: ResourceTypes) {
  const { limit, used } = sessions.budget;
  const budget = { limit, used: used - session.world.size, changes: 0 };
  const { world, violations } = readSnapshot(value, types, budget, sessions.seed);
  if (violations.length === 0) replaceWorld(sessions, session, world);
  return violations;
}

/** Keeps of every world what fits another contract, whose seed is read already, and returns what does not. */
export function refitSessions(sessions: Sessions, types: ResourceTypes, seed: World | undefined) {
  sessions.seed = seed;
  return [...sessions.all.values()].flatMap((session) => {
    const budget = { ...sessions.budget, used: 0 };
    const { world, violations } = readSnapshot(writeSnapshot(session.world), types, budget, seed);
    replaceWorld(sessions, session, world);
    return violations;
  });
}

function createSession(faults: Faults, budget: Budget, seed: World | undefined): Session {
  const overrides = createRuleList(overrideRules, budget);
  return { world: createWorld(seed), faults, overrides, requests: [], note: undefined, lastUsed: 0, inProgress: 0 };
}

/** Ends sessions that nobody has used for long. If one more is too many, one ends that has written nothing, if there is one. */
function makeRoom(sessions: Sessions, isForNew: boolean, now: number): void {
  const { all, ended } = sessions;
  for (const [name, { lastUsed, inProgress }] of all) {
    if (now - lastUsed <= longestIdle) break;
    if (name !== "" && inProgress === 0) endSession(sessions, name);
  }
  if (!isForNew || all.size < most) return;
  const idle = [...all].filter(([name, { inProgress }]) => name !== "" && inProgress === 0);
  const [name] = idle.find(([, { world }]) => world.size === 0) ?? idle[0] ?? [];
  if (name === undefined) return;
  endSession(sessions, name);
  const [oldest = ""] = ended.add(name);
  if (ended.size > most) ended.delete(oldest);
}
