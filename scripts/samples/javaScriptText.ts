import { isObject } from "../values/json.ts";

/** Text above this length is split into several lines if its place is unknown. */
export const maxLineLength = 60;

/** Length of the lines in samples, which fit into the docs from a width of 1,280 pixels on. */
export const maxSampleLineLength = 55;

/** The place of a value in a sample. */
export interface LinePlace {
  /** The length of its line, without indentation. */
  readonly line: number;
  /** The number of characters in the line before and after the value. */
  readonly taken: number;
}

/** The number of characters for a value on one line. */
export function roomAt(place: LinePlace | undefined): number {
  return place === undefined ? maxLineLength : place.line - place.taken;
}

/** The place of a member on a separate line, within a value at a place. */
export function memberPlace(place: LinePlace | undefined, taken: string, indentation = 2): LinePlace | undefined {
  return place && { line: place.line - indentation, taken: taken.length };
}

/** A value as JSON, with escapes in place of the line separators of Unicode, which nobody sees. */
export function visibleJson(value: unknown, indentation = 0): string {
  if (value === undefined) return "undefined";
  const text = JSON.stringify(value, null, indentation);
  return text.replaceAll("\u2028", String.raw`\u2028`).replaceAll("\u2029", String.raw`\u2029`);
}

/** A JSON value in JavaScript: on one line if it is short, with quotes around keys only if necessary. */
export function literal(value: unknown): string {
  return literalAt(undefined, value);
}

/** A value at a place in the format of {@link literal}. */
export function literalAt(place: LinePlace | undefined, value: unknown): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => literalAt(memberPlace(place, ","), item));
    return inBrackets("[", items, "]", roomAt(place));
  }
  if (!isObject(value)) return visibleJson(value);
  const members = Object.entries(value).map(([key, member]) => {
    return [key, literalAt(memberPlace(place, `${propertyName(key)}: ,`), member)] as const;
  });
  return objectText(Object.fromEntries(members), roomAt(place));
}

/** An object literal whose values are expressions. */
export function objectText(expressions: Readonly<Record<string, string>>, room = maxLineLength): string {
  const members = Object.entries(expressions).map(([key, text]) => {
    // Any other spelling of this name sets the prototype.
    const name = key === "__proto__" ? '["__proto__"]' : propertyName(key);
    return name === text && isVariable(text) ? name : `${name}: ${text}`;
  });
  return inBrackets("{", members, "}", room);
}

/** Returns whether an expression is the name of a variable, which is also the name of a property. */
function isVariable(expression: string): boolean {
  return isIdentifier(expression) && !["true", "false", "null", "this"].includes(expression);
}

/** A call of a function. */
interface Call {
  readonly name: string;
  /** Its first argument. */
  readonly value: unknown;
  /** The members of its second argument. If it is empty, there is no second argument. */
  readonly options: Readonly<Record<string, string>>;
  readonly place: LinePlace;
}

/**
 * A call whose options begin on its first line if there is room. Otherwise, each argument is on separate
 * lines.
 */
export function callText({ name, value, options, place }: Call): string {
  const { line, taken } = place;
  const start = `${name}(${literal(value)}`;
  const hasOptions = Object.keys(options).length > 0;
  const call = hasOptions ? `${start}, ${objectText(options, line - taken - `${start}, )`.length)})` : `${start})`;
  const [first = ""] = call.split("\n");
  // Code after the call is on its last line.
  if (first.length <= (first === call ? line - taken : line)) return call;
  const written = [literal(value), ...(hasOptions ? [objectText(options, roomAt(memberPlace(place, ",")))] : [])];
  return inBrackets(`${name}(`, written, ")", line - taken);
}

/** The name of a property in an object, with quotes only if necessary. */
export function propertyName(name: string): string {
  return isIdentifier(name) ? name : JSON.stringify(name);
}

function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

/** The access to a member of an object: `.name`. */
export function memberAccess(name: string): string {
  return propertyName(name) === name ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Indents each line that isn't empty. */
export function indent(text: string, spaces = 2): string {
  // In regular expressions, lines also end at separators that may be in strings.
  const lines = text.split("\n").map((line) => (line === "" ? "" : " ".repeat(spaces) + line));
  return lines.join("\n");
}

/** Items between brackets, on separate lines if they are long. */
export function inBrackets(open: string, items: readonly string[], close: string, room = maxLineLength): string {
  if (items.length === 0) return open + close;
  const space = open === "{" ? " " : "";
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  const isShort = line.length <= room && !line.includes("\n");
  return isShort ? line : `${open}\n${items.map((item) => `${indent(item)},\n`).join("")}${close}`;
}
