import type { ResourceType, ResourceTypes } from "../../contract/resources.ts";
import { isObject, jsonPointer, membersOf, stringMembersOf, stringsOf } from "../../values/json.ts";
import type { MockState } from "../mockTypes.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import {
  createWorld,
  findResource,
  isIdentifier,
  storeResource,
  type StoredResource,
  type World,
  type WritableWorld,
} from "./world.ts";
import type { Budget } from "./budget.ts";

/** Reports a mistake. The keys lead to its place. */
export type Report = (keys: readonly string[], message: string) => unknown;

/** All written resources and counters of a world, without its seed. */
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

/** Creates a world from a seed and the parts of a snapshot that fit the contract, and lists the rest. */
export function readSnapshot(value: unknown, types: ResourceTypes, budget: Budget, seed: World | undefined) {
  const world = createWorld(seed);
  const { resources, counters } = isObject(value) ? value : {};
  const find = (name: string) => types.get(name) ?? "is not a resource of this contract";
  const violations = storeResources(resources, ["resources"], { world, budget }, { find, read: readResource });
  const counted = new Set(Array.from(types.values(), countersOf).flat());
  for (const [name, count] of membersOf(counters)) {
    const isCount = Number.isInteger(count) && Number(count) >= 0 && Number(count) <= 2 ** 32;
    if (counted.has(name) && isCount) world.counters.set(name, Number(count));
    else violations.push(violationAt(["counters", name], "is not a counter of the mock"));
  }
  return { world, violations };
}

/** Reads resources from JSON. */
interface ResourceReader {
  /** Returns the type with a name, or a message if there is none. */
  readonly find: (name: string) => ResourceType | string;
  /** Creates a resource. The caller drops it if anything is reported. */
  readonly read: (item: unknown, type: ResourceType, report: Report) => StoredResource;
}

/** Stores resources by type name, and returns the mistakes in them. `keys` lead to the resources. */
export function storeResources(
  value: unknown,
  keys: readonly string[],
  into: WritableWorld,
  { find, read }: ResourceReader,
): FoundViolation[] {
  const violations: FoundViolation[] = [];
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

function violationAt(keys: readonly string[], message: string): FoundViolation {
  const pointer = jsonPointer(keys);
  return { code: "state", in: "body", pointer, message: `${pointer} ${message}`.trim() };
}
