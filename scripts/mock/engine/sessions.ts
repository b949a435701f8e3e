import type { Faults } from "../rules/faults.ts";
import type { MockState, OverrideRule, SessionEntry } from "../mockTypes.ts";
import type { KeptRequest } from "./requestEntry.ts";
import { overrideRules } from "../rules/overrides.ts";
import { createRuleList, type RuleList } from "../rules/rules.ts";
import type { ResourceTypes } from "../../contract/resources.ts";
import type { Budget } from "../state/budget.ts";
import { readSeed } from "../state/seed.ts";
import { createWorld, type World } from "../state/world.ts";
import { readSnapshot, writeSnapshot } from "../state/worldSnapshot.ts";

/** The isolated state behind a session name, for example of one test. */
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
  /** Approximate memory use of all kept requests, in bytes. */
  requestsSize: number;
  /** The `id` of the latest response's entry. */
  latestId: number;
  /** The names of the most recently evicted sessions. */
  readonly ended: Set<string>;
  /** Called with each request that is kept. */
  readonly listeners: Set<(session: Session, request: KeptRequest) => void>;
  readonly createFaults: (budget: Budget) => Faults;
  /**
   * Sessions by name, the least recently used first. Requests without a session name share the one with the
   * empty name.
   */
  readonly all: Map<string, Session>;
}

/** Maximum number of sessions, and of remembered names of evicted ones. */
const most = 1_000;
const keptRequests = 200;
/** Memory limit for the kept requests of all sessions together, in bytes. */
const keptSize = 2 ** 24;
const maxIdleTime = 60 * 60 * 1_000;

/**
 * Creates an empty set of sessions. `limit` is the memory, in bytes, for the resources and rules of all
 * sessions together.
 */
export function createSessions(limit: number, createFaults: Sessions["createFaults"], seed?: World): Sessions {
  const budget = { limit, used: 0, changes: 0 };
  // In microseconds, so that ids also increase over restarts.
  const latestId = Date.now() * 1_000;
  const all = new Map([["", createSession(createFaults(budget), budget, seed)]]);
  return { budget, seed, requestsSize: 0, latestId, ended: new Set(), listeners: new Set(), createFaults, all };
}

/**
 * Returns the session with a name, and creates it from the seed if there is none. Evicts sessions that are
 * idle or too many.
 */
export function openSession(sessions: Sessions, name: string, now = Date.now()): Session {
  const { all, ended } = sessions;
  makeRoom(sessions, !all.has(name), now);
  const session = peekSession(sessions, name);
  if (ended.delete(name))
    session.note = `the session was started over: the mock keeps ${most} sessions and had evicted it`;
  session.lastUsed = now;
  all.delete(name);
  all.set(name, session);
  return session;
}

/**
 * Returns the session with a name without marking it as used. If there is none, returns a new one that isn't
 * stored.
 */
export function peekSession({ all, budget, createFaults, seed }: Sessions, name: string): Session {
  return all.get(name) ?? createSession(createFaults(budget), budget, seed);
}

function replaceWorld({ budget }: Sessions, session: Session, world: World): void {
  budget.used += world.size - session.world.size;
  budget.changes += 1;
  session.world = world;
}

/** Resets a session to the seed. Removes its written data, requests and rules. */
export function resetSession(sessions: Sessions, session: Session): void {
  replaceWorld(sessions, session, createWorld(sessions.seed));
  while (session.requests.length > 0) forgetRequest(sessions, session);
  session.faults.clear();
  session.overrides.clear();
}

/** Resets a session, and deletes it unless one of its requests is in progress. */
export function endSession(sessions: Sessions, name: string): void {
  const session = sessions.all.get(name);
  if (session === undefined) return;
  resetSession(sessions, session);
  if (name !== "" && session.inProgress === 0) sessions.all.delete(name);
}

/** Ends all sessions. */
export function endSessions(sessions: Sessions): void {
  for (const name of [...sessions.all.keys()]) endSession(sessions, name);
}

/**
 * Keeps an answered request. If the requests take too much memory, the least recently used sessions drop
 * theirs.
 */
export function keepRequest(sessions: Sessions, session: Session, request: KeptRequest): void {
  session.note = undefined;
  session.lastUsed = Date.now();
  session.requests.push(request);
  for (const listener of sessions.listeners) listener(session, request);
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

/** The sessions, the least recently used first. */
export function listSessions({ all }: Sessions): readonly SessionEntry[] {
  return Array.from(all, ([name, { world, requests, lastUsed }]) => {
    const resources = Object.values(writeSnapshot(world).resources).flat().length;
    return { name, lastUsed: new Date(lastUsed).toISOString(), requests: requests.length, resources };
  });
}

/**
 * Replaces the state of a session with seeded resources. If they don't fit the contract, nothing changes, and
 * the violations are returned.
 */
export function seedSession(sessions: Sessions, session: Session, value: unknown, types: ResourceTypes) {
  const { world, violations } = readSeed(value, types);
  return violations.length > 0 ? violations : restoreSession(sessions, session, writeSnapshot(world), types);
}

/** The worlds with written resources or counts, by session name. */
export function writeSessions({ all }: Sessions): Readonly<Record<string, MockState>> {
  const written = [...all].filter(([, { world }]) => world.size > 0 || world.counters.size > 0);
  return Object.fromEntries(written.map(([name, { world }]) => [name, writeSnapshot(world)]));
}

/**
 * Restores a session from a snapshot. If the snapshot doesn't fit the contract, nothing changes, and the
 * reasons are returned.
 */
export function restoreSession(sessions: Sessions, session: Session, value: unknown, types: ResourceTypes) {
  const { limit, used } = sessions.budget;
  const budget = { limit, used: used - session.world.size, changes: 0 };
  const { world, violations } = readSnapshot(value, types, budget, sessions.seed);
  if (violations.length === 0) replaceWorld(sessions, session, world);
  return violations;
}

/**
 * Refits every session's world to another contract. `seed` is the new contract's seed. Resources that fit are
 * kept. The others are dropped, and the reasons are returned.
 */
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

/**
 * Evicts sessions that have been idle for long. If there is still one too many, evicts the least recently
 * used one, preferably one without written data.
 */
function makeRoom(sessions: Sessions, isForNew: boolean, now: number): void {
  const { all, ended } = sessions;
  for (const [name, { lastUsed, inProgress }] of all) {
    if (now - lastUsed <= maxIdleTime) break;
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
