import type { ResourceType } from "../../contract/resources.ts";
import { memoryOf, spend, type Budget } from "./budget.ts";

/** A resource as requests have written it. It is immutable: a new version replaces it. */
export interface StoredResource {
  /** The path parameters within which its identifiers are unique. */
  readonly scope: Readonly<Record<string, string>>;
  /** Its identifiers and the written properties. Other properties come from the example. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Properties that the example has and the resource doesn't. */
  readonly absent: readonly string[];
  readonly isDeleted: boolean;
}

type Identified = Pick<StoredResource, "properties" | "scope">;

/** All resources of one session, in addition to those in the examples. */
export interface World {
  /** The initial resources, which are immutable and shared with other worlds. */
  readonly seed: World | undefined;
  /** Memory use of the written resources, in bytes. */
  size: number;
  /** Resources by type name, including seeded ones, in the order in which they were first written. */
  readonly resources: Map<string, StoredResource[]>;
  /**
   * Positions of resources among those of their type, by type, scope and identifier. Seeded resources are
   * included.
   */
  readonly index: Map<string, number>;
  /** How many resources of each type were created, and how often each list with renewed values was read. */
  readonly counters: Map<string, number>;
}

/** A world, and its budget for writing. */
export interface WritableWorld {
  readonly world: World;
  readonly budget: Budget;
}

/** Returns whether a value can identify a resource. */
export function isIdentifier(value: unknown): value is number | string {
  return typeof value === "string" ? value !== "" : Number.isFinite(value);
}

const maxCreated = 2 ** 32;

export function createWorld(seed?: World): World {
  return { seed, size: 0, resources: new Map(seed?.resources), index: new Map(), counters: new Map() };
}

/** Finds a written resource by any of its identifiers. */
export function findResource(world: World, type: ResourceType, resource: Identified): StoredResource | undefined {
  const position = positionOf(world, type, resource);
  return position === undefined ? undefined : world.resources.get(type.name)?.[position];
}

/**
 * Writes a resource, in place of `previous` if that is given. Returns `false`, and changes nothing, if the
 * budget has no room.
 */
export function storeResource(
  { world, budget }: WritableWorld,
  type: ResourceType,
  resource: StoredResource,
  previous: StoredResource | undefined,
): boolean {
  const seeded = world.seed?.resources.get(type.name) ?? [];
  const known = world.resources.get(type.name) ?? [];
  const position = (previous && positionOf(world, type, previous)) ?? known.length;
  const isOwn = previous !== undefined && previous !== seeded[position];
  const growth = sizeOf(type, resource) - (isOwn ? sizeOf(type, previous) : 0);
  if (!spend(budget, growth)) return false;
  const ofType = known === seeded ? [...known] : known;
  ofType[position] = resource;
  world.resources.set(type.name, ofType);
  for (const key of indexKeysOf(type, resource)) world.index.set(key, position);
  budget.changes += 1;
  world.size += growth;
  return true;
}

/** The next number of a counter, from 0. */
export function countUp({ world, budget }: WritableWorld, name: string): number {
  const count = world.counters.get(name) ?? 0;
  world.counters.set(name, Math.min(count + 1, maxCreated));
  budget.changes += 1;
  return count;
}

/** Approximate memory of a resource and its index entries, in bytes. */
function sizeOf(type: ResourceType, resource: StoredResource): number {
  return memoryOf(resource) + indexKeysOf(type, resource).join("").length + 200;
}

function positionOf(world: World, type: ResourceType, resource: Identified): number | undefined {
  return indexKeysOf(type, resource)
    .map((key) => world.index.get(key) ?? world.seed?.index.get(key))
    .find((position) => position !== undefined);
}

function indexKeysOf(type: ResourceType, { scope, properties }: Identified): readonly string[] {
  const inScope = [type.name, type.scope.map((name) => scope[name])];
  if (type.keys.length === 0) return [JSON.stringify(inScope)];
  const identifiers = type.keys.filter((key) => isIdentifier(properties[key]));
  return identifiers.map((key) => JSON.stringify([...inScope, key, String(properties[key])]));
}
