/* The shapes of received values. */
import { membersOf } from "../values/json.ts";
import { jsonType } from "../values/jsonType.ts";
import { isCredentialField } from "./secrets.ts";

/** The shape of several values: their types, and the shapes of properties and items. */
export interface Shape {
  readonly types: readonly string[];
  readonly properties: Readonly<Record<string, Shape>>;
  /** `undefined` if no array had an item. */
  readonly items: Shape | undefined;
}

const nothing: Shape = { types: [], properties: {}, items: undefined };

/** The maximum depth. Deeper values have no shape. */
const deepest = 8;

/** The shape of a value, without properties that may be secrets, or whose names are data. */
export function shapeOfValue(value: unknown, depth = 0): Shape {
  const types = [typeOfValue(value)];
  if (depth === deepest) return { ...nothing, types };
  if (Array.isArray(value)) {
    const shapes = value.map((item) => shapeOfValue(item, depth + 1));
    return { ...nothing, types, items: shapes.length === 0 ? undefined : shapes.reduce(mergeShapes) };
  }
  const members = membersOf(value).filter(([name]) => isPropertyName(name));
  const shapes = members.map(([name, member]) => [name, shapeOfValue(member, depth + 1)] as const);
  return { ...nothing, types, properties: Object.fromEntries(shapes) };
}

/** Combines the shapes of two values. */
export function mergeShapes(one: Shape, other: Shape): Shape {
  const types = [...new Set([...one.types, ...other.types])];
  // An object would treat `__proto__` as its prototype.
  const properties = new Map(Object.entries(one.properties));
  for (const [name, shape] of Object.entries(other.properties))
    properties.set(name, mergeOptional(properties.get(name), shape));
  return {
    // Each integer is a number.
    types: types.includes("number") ? types.filter((type) => type !== "integer") : types,
    properties: Object.fromEntries(properties),
    items: other.items === undefined ? one.items : mergeOptional(one.items, other.items),
  };
}

function mergeOptional(one: Shape | undefined, other: Shape): Shape {
  return one === undefined ? other : mergeShapes(one, other);
}

/** Checks whether a property may be proposed. Possible secrets are never proposed. */
export function isPropertyName(name: string): boolean {
  return /^[\w$.@-]{1,64}$/.test(name) && !isCredentialField(name);
}

function typeOfValue(value: unknown): string {
  return Number.isInteger(value) ? "integer" : jsonType(value);
}
