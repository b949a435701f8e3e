import type { ResourceType } from "../../contract/resources.ts";
import { isObject, stringMembersOf, stringsOf } from "../../spec/json.ts";
import { jsonPointer } from "../../spec/jsonPointer.ts";
import type { MockState } from "../mockTypes.ts";
import {
  createWorld,
  findResource,
  isIdentifier,
  storeResource,
  type Budget,
  type StoredResource,
  type World,
} from "./world.ts";

/** Something in a snapshot that the contract has no place for. */
export interface StateViolation {
  /** A JSON Pointer into the snapshot. */
  readonly pointer: string;
  readonly message: string;
}

export function writeSnapshot({ resources, counters }: World): MockState {
  return {
    resources: Object.fromEntries(Array.from(resources, ([type, ofType]) => [type, [...ofType]])),
    counters: Object.fromEntries(counters),
  };
}

/** Makes a world of whatever in a snapshot fits the contract, and lists what does not. */
export function readSnapshot(
  value: unknown,
  types: ReadonlyMap<string, ResourceType>,
  budget: Budget,
): { readonly world: World; readonly violations: readonly StateViolation[] } {
  const world = createWorld();
  const violations: StateViolation[] = [];
  const report = (keys: readonly (number | string)[], message: string) => {
    violations.push({ pointer: jsonPointer(keys.map(String)), message });
  };
  const { resources, counters } = isObject(value) ? value : {};
  if (!isObject(resources)) report(["resources"], "must be an object");
  for (const [name, items] of Object.entries(isObject(resources) ? resources : {})) {
    const type = types.get(name);
    if (type === undefined) report(["resources", name], "is no resource of this contract");
    else if (!Array.isArray(items)) report(["resources", name], "must be an array");
    else {
      for (const [index, item] of items.entries()) {
        const resource = readResource(item, type);
        const place = ["resources", name, index];
        if (resource === undefined) report(place, "does not fit the contract");
        else if (!storeResource(world, budget, type, resource, findResource(world, type, resource)))
          report(place, "is more than --state-limit (in code: stateLimit) allows");
      }
    }
  }
  const counted = new Set(Array.from(types.values(), countersOf).flat());
  for (const [name, count] of Object.entries(isObject(counters) ? counters : {})) {
    const isCount = Number.isInteger(count) && Number(count) >= 0 && Number(count) <= 2 ** 32;
    if (counted.has(name) && isCount) world.counters.set(name, Number(count));
    else report(["counters", name], "is no count that the mock keeps");
  }
  return { world, violations };
}

/** Names of a type's counters: of its resources, and of the times that each property was renewed. */
function countersOf({ name, properties }: ResourceType): readonly string[] {
  return [name, ...Array.from(properties, (property) => `${name} ${property}`)];
}

function readResource(value: unknown, type: ResourceType): StoredResource | undefined {
  if (!isObject(value) || !isObject(value["properties"])) return undefined;
  const { properties, absent, isDeleted } = value;
  const scope = stringMembersOf(value["scope"]);
  const identifiers = type.keys.flatMap((key) => (Object.hasOwn(properties, key) ? [properties[key]] : []));
  const isIdentified = (type.keys.length === 0 || identifiers.length > 0) && identifiers.every(isIdentifier);
  if (!isIdentified || !type.scope.every((name) => Object.hasOwn(scope, name))) return undefined;
  return { scope, properties, absent: stringsOf(absent), isDeleted: isDeleted === true };
}
