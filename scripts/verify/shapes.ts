/* The shapes of received values, as schemas and as YAML for the sources. */
import { membersOf } from "../spec/json.ts";
import { isCredentialField } from "../exchange/secrets.ts";

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
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** A schema for a shape, as lines of YAML below a name. */
export function schemaLines(name: string, shape: Shape): readonly string[] {
  const { types, properties, items } = shape;
  const [type = "", ...others] = types;
  const inside =
    others.length === 0
      ? [`type: ${yamlScalar(type)}`]
      : ["type:", ...indent(types.map((one) => `- ${yamlScalar(one)}`))];
  const members = Object.entries(properties);
  if (members.length > 0) {
    const lines = members.flatMap(([member, schema]) => schemaLines(member, schema));
    inside.push("properties:", ...indent(lines));
  } else if (types.includes("object")) inside.push("additionalProperties: true");
  if (items !== undefined) inside.push(...schemaLines("items", items));
  else if (types.includes("array")) inside.push("items: {}");
  return [`${yamlScalar(name)}:`, ...indent(inside)];
}

function exampleLines({ types: [type = "null"], properties, items }: Shape): readonly string[] {
  const members = Object.entries(properties);
  if (type === "object" && members.length > 0) return members.flatMap(([name, shape]) => memberLines(name, shape));
  if (type !== "array") return [scalars.get(type) ?? "null"];
  const [first = "[]", ...others] = items === undefined ? [] : exampleLines(items);
  return items === undefined ? [first] : [`- ${first}`, ...indent(others)];
}

/** An invented value for a shape, as lines of YAML below a name. Received values may be private. */
export function memberLines(name: string, shape: Shape): readonly string[] {
  const [first = "", ...others] = exampleLines(shape);
  const isBlock = others.length > 0 || first.startsWith("- ") || first.endsWith(":") || first.includes(": ");
  const key = `${yamlScalar(name)}:`;
  return isBlock ? [key, ...indent([first, ...others])] : [`${key} ${first}`];
}

const scalars: ReadonlyMap<string, string> = new Map([
  ["boolean", "true"],
  ["integer", "1"],
  ["number", "1.5"],
  ["object", "{}"],
  ["string", "example"],
]);

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** Plain scalars that YAML 1.1 or 1.2 doesn't read as text. */
const otherScalars = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/** A text as a plain scalar of YAML if possible, or else in double quotes. */
export function yamlScalar(text: string): string {
  const isText = /^[A-Za-z_$][\w$.-]*$/.test(text) && !otherScalars.includes(text.toLowerCase());
  return isText ? text : JSON.stringify(text);
}
