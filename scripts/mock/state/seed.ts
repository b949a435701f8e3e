import { UserError } from "../../contract/failures.ts";
import type { Properties, ResourceType, ResourceTypes } from "../../contract/resources.ts";
import { suggestNames } from "../../values/similarName.ts";
import { isObject, membersOf } from "../../values/json.ts";
import { responseViolation } from "../../exchange/validator.ts";
import { moveTimes } from "./movedTimes.ts";
import { identifiersOf } from "./resourceEffects.ts";
import { createWorld, findResource, isIdentifier, type StoredResource } from "./world.ts";
import { storeResources, type Report } from "./worldSnapshot.ts";

/**
 * Creates a world from the parts of a seed that fit the contract, and lists the rest. A seed has lists of
 * resources by type name. Each resource has the properties that responses show, and the path parameters that
 * lead to it.
 */
export function readSeed(seed: unknown, types: ResourceTypes) {
  const world = createWorld();
  const budget = { limit: Infinity, used: 0, changes: 0 };
  const read: typeof readSeeded = (item, type, report) => {
    const resource = readSeeded(item, type, report);
    if (findResource(world, type, resource)) report([], "has the identifier of an earlier one");
    return resource;
  };
  return {
    world,
    violations: storeResources(seed, [], { world, budget }, { find: (name) => findType(name, types), read }),
  };
}

/**
 * The closed types: all types, or those that are named. Their resources exist only if they were seeded or
 * created. Throws {@link UserError}.
 */
export function readUnknown(unknown: unknown, types: () => ResourceTypes): ReadonlySet<ResourceType> {
  if (unknown === undefined || unknown === 404) return new Set(unknown && types().values());
  const named = membersOf(unknown).map(([name, status]) => {
    const type = status === 404 ? findType(name, types()) : "must have 404";
    return typeof type === "string" ? `${name} ${type}` : type;
  });
  const [wrong = "must be 404, or 404 for names of types"] = named.filter((type) => typeof type === "string");
  const found = named.filter((type) => typeof type !== "string");
  if (found.length > 0 && found.length === named.length) return new Set(found);
  throw new UserError(`--unknown (in code: unknown): ${wrong}`);
}

/**
 * Finds a type by its name. The generation may be left out if the rest is unique. Returns a message if there
 * is no match.
 */
function findType(name: string, types: ResourceTypes): ResourceType | string {
  const found = [...types.values()].filter(({ isFound }) => isFound);
  const alike = found.filter((type) => type.name.endsWith(` ${name}`));
  const own = found.find((type) => type.name === name) ?? (alike.length === 1 ? alike[0] : undefined);
  const names = found.map((type) => type.name);
  return own ?? `is not a type of resource: ${suggestNames(name, names)}`;
}

function readSeeded(item: unknown, type: ResourceType, report: Report): StoredResource {
  const { keys, parameters, properties: known } = type;
  const scope: Record<string, string> = {};
  const properties: Record<string, unknown> = {};
  if (!isObject(item)) report([], "must be an object");
  for (const [name, value] of membersOf(item)) {
    // In braces, as in the path, it's the path parameter with the same name as a property.
    const parameter = name.startsWith("{") && name.endsWith("}") ? name.slice(1, -1) : name;
    const stored = parameter === name ? storedName(name, type) : undefined;
    const isParameter = parameters.has(parameter) && !keys.includes(name);
    if (isParameter) scope[parameter] = String(value);
    if (stored !== undefined) properties[stored] = value;
    const found = type.views.flatMap(({ names, schemas, document }) => {
      const schema = schemas.get(names.get(stored ?? "") ?? "");
      return schema === undefined ? [] : [responseViolation(schema, document)(value)];
    });
    // It's enough if one response can show it. The others have the values of their examples.
    const [violation] = found.includes(undefined) ? [] : found;
    if (violation !== undefined) report([name], `${violation.pointer} ${violation.message}`.trim());
    else if (stored === undefined && !isParameter) {
      const hint = suggestNames(name, [...keys, ...known, ...parameters]);
      report([name], `is neither a property of ${type.name} nor in its path: ${hint}`);
    } else if ((isParameter || keys.includes(name)) && !isIdentifier(value)) report([name], "must be a number or text");
  }
  const own = keys.find((name) => isIdentifier(properties[name]));
  if (own === undefined && keys.length > 0) report([], `lacks its identifier: ${keys.join(" or ")}`);
  const missing = type.scope.filter((name) => !Object.hasOwn(scope, name));
  if (missing.length > 0) report([], `lacks path parameters: ${missing.join(" and ")}`);
  const identifiers = own === undefined ? {} : identifiersOf(type, own, String(properties[own]));
  const ordered = orderTimes(properties, type, report);
  return { scope, properties: { ...identifiers, ...ordered }, absent: [], isDeleted: false };
}

/**
 * Adds a missing end to a start, at the same distance as in the example. Reports an end that is before its
 * start.
 */
function orderTimes(properties: Properties, { moves, examples }: ResourceType, report: Report): Properties {
  const example: Properties = examples()[0]?.properties ?? {};
  const ordered = moveTimes(properties, { properties: example, example }, moves, () => true);
  for (const [end, start] of Object.entries(moves)) {
    const from = String(properties[start] ?? example[start]);
    if (Object.hasOwn(properties, end) && properties[end] !== ordered[end])
      report([end], `is before ${start}, ${from}`);
  }
  return ordered;
}

/**
 * The stored name of a property, which responses may show under other names. `undefined` if no response shows
 * it.
 */
function storedName(name: string, { keys, properties, views }: ResourceType): string | undefined {
  if (keys.includes(name) || properties.has(name)) return name;
  return views.flatMap((view) => view.properties.get(name) ?? [])[0];
}
