import type { Faults } from "../faults.ts";
import type { MockState, RequestEntry } from "../mockTypes.ts";
import type { ResourceType } from "../../contract/resources.ts";
import { createWorld, type Budget, type World } from "./world.ts";
import { readSnapshot, writeSnapshot, type StateViolation } from "./worldSnapshot.ts";

/** The state that a test, or whoever else names a session, has for itself. */
export interface Session {
  world: World;
  readonly faults: Faults;
  /** The last requests, the oldest first. */
  readonly requests: RequestEntry[];
  /** When it was last used, in milliseconds since the epoch. */
  lastUsed: number;
  /** Number of requests that are being answered. */
  inProgress: number;
}

export interface Sessions {
  readonly budget: Budget;
  readonly createFaults: () => Faults;
  /** By name, the longest unused first. The one without a name is that of all requests that name none. */
  readonly all: Map<string, Session>;
}

const most = 1_000;
const keptRequests = 200;
/** Time for which a session is kept that nobody uses, in milliseconds. */
const longestIdle = 60 * 60 * 1_000;

/** `limit`: how much all sessions together may write, in bytes. */
export function createSessions(limit: number, createFaults: () => Faults): Sessions {
  const all = new Map([["", createSession(createFaults())]]);
  return { budget: { limit, used: 0, changes: 0 }, createFaults, all };
}

/**
 * The session of a name, which begins empty. Sessions that were idle for an hour end, and so, if there are too many, does
 * the longest unused that has written nothing. `undefined` if there is no room.
 */
export function openSession(sessions: Sessions, name: string, now = Date.now()): Session | undefined {
  const { all, createFaults } = sessions;
  makeRoom(sessions, !all.has(name), now);
  const known = all.get(name);
  if (known === undefined && all.size >= most) return undefined;
  const session = known ?? createSession(createFaults());
  session.lastUsed = now;
  all.delete(name);
  all.set(name, session);
  return session;
}

/** Gives a session another world, by default an empty one. */
export function replaceWorld({ budget }: Sessions, session: Session, world: World = createWorld()): void {
  budget.used += world.size - session.world.size;
  budget.changes += 1;
  session.world = world;
}

/** Lets a session begin anew: without resources, requests and fault rules. */
export function resetSession(sessions: Sessions, session: Session): void {
  replaceWorld(sessions, session);
  session.requests.length = 0;
  session.faults.set([]);
}

export function keepRequest({ requests }: Session, entry: RequestEntry): void {
  requests.push(entry);
  if (requests.length > keptRequests) requests.shift();
}

/** The worlds in which something was written, by the names of their sessions. */
export function writeSessions({ all }: Sessions): Readonly<Record<string, MockState>> {
  const written = [...all].filter(([, { world }]) => world.resources.size > 0);
  return Object.fromEntries(written.map(([name, { world }]) => [name, writeSnapshot(world)]));
}

/** Gives a session the world of a snapshot. If that does not fit the contract, nothing changes, and the reasons are returned. */
export function restoreSession(
  sessions: Sessions,
  session: Session,
  value: unknown,
  types: ReadonlyMap<string, ResourceType>,
): readonly StateViolation[] {
  const { limit, used } = sessions.budget;
  const { world, violations } = readSnapshot(value, types, { limit, used: used - session.world.size, changes: 0 });
  if (violations.length === 0) replaceWorld(sessions, session, world);
  return violations;
}

/** Keeps of every world what fits another contract, and returns what does not. */
export function refitSessions(sessions: Sessions, types: ReadonlyMap<string, ResourceType>): readonly StateViolation[] {
  return [...sessions.all.values()].flatMap((session) => {
    const { limit } = sessions.budget;
    const { world, violations } = readSnapshot(writeSnapshot(session.world), types, { limit, used: 0, changes: 0 });
    replaceWorld(sessions, session, world);
    return violations;
  });
}

function createSession(faults: Faults): Session {
  return { world: createWorld(), faults, requests: [], lastUsed: 0, inProgress: 0 };
}

/** Ends sessions that nobody has used for long, and, if one more is too many, one that has written nothing. */
function makeRoom(sessions: Sessions, isForNew: boolean, now: number): void {
  const { all } = sessions;
  for (const [name, session] of all) {
    const isIdle = now - session.lastUsed > longestIdle;
    if (!isIdle && !(isForNew && all.size >= most)) return;
    if (name === "" || session.inProgress > 0 || (!isIdle && session.world.size > 0)) continue;
    replaceWorld(sessions, session);
    all.delete(name);
  }
}
