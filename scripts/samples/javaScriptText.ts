import { isObject } from "../spec/json.ts";

/** Length above which text is written on several lines, in any language. */
export const longestLine = 60;

/** A JSON value as JavaScript writes it: on one line if it is short, keys without quotes if they need none. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return inBrackets("[", value.map(literal), "]");
  if (!isObject(value)) return JSON.stringify(value);
  return objectText(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, literal(member)])));
}

/** An object literal whose values are expressions. */
export function objectText(expressions: Readonly<Record<string, string>>): string {
  const members = Object.entries(expressions).map(([key, text]) => {
    // Any other form of this name sets the prototype.
    const name = key === "__proto__" ? '["__proto__"]' : propertyName(key);
    return name === text ? name : `${name}: ${text}`;
  });
  return inBrackets("{", members, "}");
}

/** A call with a value and options, which are left out if there are none: each in lines of its own where they are long. */
export function callText(name: string, value: unknown, options: Readonly<Record<string, string>>): string {
  const written = [literal(value), ...(Object.keys(options).length > 0 ? [objectText(options)] : [])];
  const call = `${name}(${written.join(", ")})`;
  const [line = ""] = call.split("\n");
  return line.length < longestLine ? call : inBrackets(`${name}(`, written, ")");
}

/** A property's name as it is written in an object: without quotes if it needs none. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Spaces before each line that is not empty. */
export function indent(text: string, spaces = 2): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(spaces));
}

/** Items between brackets, in lines of their own if they are long. */
export function inBrackets(open: string, items: readonly string[], close: string): string {
  if (items.length === 0) return open + close;
  const space = open === "{" ? " " : "";
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  const isShort = line.length <= longestLine && !line.includes("\n");
  return isShort ? line : `${open}\n${items.map((item) => `${indent(item)},\n`).join("")}${close}`;
}
