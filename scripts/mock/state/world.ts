import type { ResourceType } from "../../contract/resources.ts";
import { memoryOf, spend, type Budget } from "./budget.ts";

/** A resource as requests have written it. Nothing in it changes; a new version takes a resource's place. */
export interface StoredResource {
  /** The path parameters that its identifiers are unique for. */
  readonly scope: Readonly<Record<string, string>>;
  /** Its identifiers, and the properties that were written. The others are those of the example. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Properties that it does not have, although the example has them. */
  readonly absent: readonly string[];
  readonly isDeleted: boolean;
}

type Identified = Pick<StoredResource, "properties" | "scope">;

/** All that exists in one session beside the examples. */
export interface World {
  /** What it began with, which other worlds have too; it never changes. */
  readonly seed: World | undefined;
  /** Its part of the budget, in bytes: what requests have written. */
  size: number;
  /** Those of the seed included, by the names of their types, in the order in which they were first written. */
  readonly resources: Map<string, StoredResource[]>;
  /** Positions of resources among those of their type, by type, scope and identifier; those of the seed are there. */
  readonly index: Map<string, number>;
  /** Number of resources created of each type, and of reads of each list whose values are renewed. */
  readonly counters: Map<string, number>;
}

/** A world, and the budget for what is written in it. */
export interface WritableWorld {
  readonly world: World;
  readonly budget: Budget;
}

/** Tells whether a value can identify a resource. */
export function isIdentifier(value: unknown): value is number | string {
  return typeof value === "string" ? value !== "" : Number.isFinite(value);
}

const mostCreated = 2 ** 32;

export function createWorld(seed?: World): World {
  return { seed, size: 0, resources: new Map(seed?.resources), index: new Map(), counters: new Map() };
}

/** Finds what was written of a resource by any one of its identifiers. */
export function findResource(world: World, type: ResourceType, resource: Identified): StoredResource | undefined {
  const position = positionOf(world, type, resource);
  return position === undefined ? undefined : world.resources.get(type.name)?.[position];
}

/**
 * Writes a resource, in the place of `previous` if that is given. Returns whether it could: beyond the limit nothing
 * changes.
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

/** The next number of a count; the first is 0. */
export function countUp({ world, budget }: WritableWorld, name: string): number {
  const count = world.counters.get(name) ?? 0;
  world.counters.set(name, Math.min(count + 1, mostCreated));
  budget.changes += 1;
  return count;
}

/** About how much memory a resource takes with what the index has of it, in bytes. */
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
