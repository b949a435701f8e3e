/* The shapes of received values as YAML for the sources: as schemas, and as examples. */
import type { Shape } from "../exchange/shapes.ts";

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
