import { jsonPointer } from "../../spec/jsonPointer.ts";
import { isObject, stringsOf } from "../../spec/json.ts";
import type { ResourceType } from "../../contract/resources.ts";
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
    resources: Object.fromEntries([...resources].map(([type, ofType]) => [type, [...ofType.values()]])),
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
  const { resources, counters = {} } = isObject(value) ? value : {};
  if (!isObject(resources)) violations.push({ pointer: "/resources", message: "must be an object" });
  for (const [name, ofType] of Object.entries(isObject(resources) ? resources : {})) {
    const type = types.get(name);
    const pointer = jsonPointer(["resources", name]);
    if (type === undefined || !Array.isArray(ofType)) {
      const message = type === undefined ? "is no resource of this contract" : "must be an array";
      violations.push({ pointer, message });
      continue;
    }
    for (const [index, item] of ofType.entries()) {
      const resource = readResource(item, type);
      const place = `${pointer}/${index}`;
      if (resource === undefined) violations.push({ pointer: place, message: "does not fit the contract" });
      else if (!storeResource(world, budget, type, resource, sameResource(world, type, resource))) {
        violations.push({ pointer: place, message: "is more than --state-limit (in code: stateLimit) allows" });
      }
    }
  }
  const counted = new Set(Array.from(types.values(), countersOf).flat());
  for (const [name, count] of Object.entries(isObject(counters) ? counters : {})) {
    const isCount = Number.isInteger(count) && Number(count) >= 0 && Number(count) <= 2 ** 32;
    if (counted.has(name) && isCount) world.counters.set(name, Number(count));
    else violations.push({ pointer: jsonPointer(["counters", name]), message: "is no count that the mock keeps" });
  }
  return { world, violations };
}

/** What is counted of a type: its resources, and how often each property was renewed. */
function countersOf({ name, properties }: ResourceType): readonly string[] {
  return [name, ...Array.from(properties, (property) => `${name} ${property}`)];
}

function sameResource(world: World, type: ResourceType, { scope, properties }: StoredResource) {
  return type.keys
    .map((key) => findResource(world, type, scope, key, properties[key]))
    .find((known) => known !== undefined);
}

function readResource(value: unknown, type: ResourceType): StoredResource | undefined {
  if (!isObject(value) || !isObject(value["properties"])) return undefined;
  const given = isObject(value["scope"]) ? value["scope"] : {};
  const texts = Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const scope = new Map(texts);
  const { properties } = value;
  const identifiers = type.keys.flatMap((key) => (Object.hasOwn(properties, key) ? [properties[key]] : []));
  const isIdentified = (type.keys.length === 0 || identifiers.length > 0) && identifiers.every(isIdentifier);
  if (!isIdentified || type.scope.some((name) => !scope.has(name))) return undefined;
  return {
    scope: Object.fromEntries(scope),
    properties,
    absent: stringsOf(value["absent"]),
    isDeleted: value["isDeleted"] === true,
  };
}
