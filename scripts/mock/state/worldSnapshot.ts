import type { ResourceType, ResourceTypes } from "../../contract/resources.ts";
import { isObject, jsonPointer, membersOf, stringMembersOf, stringsOf } from "../../spec/json.ts";
import type { MockState } from "../mockTypes.ts";
import type { Violation } from "../../exchange/refusal.ts";
import { createWorld, findResource, isIdentifier, storeResource } from "./world.ts";
import type { Budget } from "./budget.ts";
import type { StoredResource, World, WritableWorld } from "./world.ts";

/** Reports what is wrong at the end of some keys. */
export type Report = (keys: readonly string[], message: string) => unknown;

/** All that was written in a world, without what it began with. */
export function writeSnapshot({ seed, resources, counters }: World): MockState {
  const written = Array.from(resources, ([type, ofType]) => {
    const seeded = seed?.resources.get(type) ?? [];
    return [type, ofType.filter((resource, index) => resource !== seeded[index])] as const;
  });
  return {
    resources: Object.fromEntries(written.filter(([, ofType]) => ofType.length > 0)),
    counters: Object.fromEntries(counters),
  };
}

/** Makes a world that begins with a seed of whatever in a snapshot fits the contract, and lists what does not. */
export function readSnapshot(value: unknown, types: ResourceTypes, budget: Budget, seed: World | undefined) {
  const world = createWorld(seed);
  const { resources, counters } = isObject(value) ? value : {};
  const find = (name: string) => types.get(name) ?? "is no resource of this contract";
  const violations = storeResources(resources, ["resources"], { world, budget }, { find, read: readResource });
  const counted = new Set(Array.from(types.values(), countersOf).flat());
  for (const [name, count] of membersOf(counters)) {
    const isCount = Number.isInteger(count) && Number(count) >= 0 && Number(count) <= 2 ** 32;
    if (counted.has(name) && isCount) world.counters.set(name, Number(count));
    else violations.push(violationAt(["counters", name], "is no count that the mock keeps"));
  }
  return { world, violations };
}

/** How resources are read from JSON. */
interface ResourceReader {
  /** Gives the type of a name, or says that there is none. */
  readonly find: (name: string) => ResourceType | string;
  /** Makes a resource, which counts unless something is reported. */
  readonly read: (item: unknown, type: ResourceType, report: Report) => StoredResource;
}

/** Stores resources by the names of their types, which stand at the end of some keys, and returns what is wrong with them. */
export function storeResources(
  value: unknown,
  keys: readonly string[],
  into: WritableWorld,
  { find, read }: ResourceReader,
): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (more, message) => violations.push(violationAt([...keys, ...more], message));
  if (!isObject(value)) report([], "must be an object");
  for (const [name, items] of membersOf(value)) {
    const type = find(name);
    if (typeof type === "string" || !Array.isArray(items)) {
      report([name], typeof type === "string" ? type : "must be an array");
      continue;
    }
    for (const [index, item] of items.entries()) {
      const before = violations.length;
      const resource = read(item, type, (more, message) => report([name, String(index), ...more], message));
      if (violations.length > before) continue;
      if (!storeResource(into, type, resource, findResource(into.world, type, resource)))
        report([name, String(index)], "is more than --state-limit (in code: stateLimit) allows");
    }
  }
  return violations;
}

function countersOf({ name, properties }: ResourceType): readonly string[] {
  return [name, ...["secrets", ...properties].map((counted) => `${name} ${counted}`)];
}

function readResource(item: unknown, { keys, scope: places }: ResourceType, report: Report): StoredResource {
  const { properties, scope: sent, absent, isDeleted } = isObject(item) ? item : {};
  const scope = stringMembersOf(sent);
  const known = isObject(properties) ? properties : {};
  const identifiers = keys.filter((key) => Object.hasOwn(known, key)).map((key) => known[key]);
  const isIdentified = (keys.length === 0 || identifiers.length > 0) && identifiers.every(isIdentifier);
  const isPlaced = places.every((name) => Object.hasOwn(scope, name));
  if (!isIdentified || !isPlaced || !isObject(properties)) report([], "does not fit the contract");
  return { scope, properties: known, absent: stringsOf(absent), isDeleted: isDeleted === true };
}

function violationAt(keys: readonly string[], message: string): Violation {
  const pointer = jsonPointer(keys);
  return { in: "body", pointer, message: `${pointer} ${message}`.trim() };
}
