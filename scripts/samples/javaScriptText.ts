import { isObject } from "../spec/json.ts";

/** Length above which text is written on several lines, where nothing is known of its place. */
export const longestLine = 60;

/** Length of the lines of programs in samples: a page of the docs has room for them from 1,280 pixels on. */
export const longestSampleLine = 55;

/** Where a value is written in a sample. */
export interface LinePlace {
  /** As many characters has its line, without those that indent it. */
  readonly line: number;
  /** As many of them are taken by what is before and after the value. */
  readonly taken: number;
}

/** As many characters may a value have on one line. */
export function roomAt(place: LinePlace | undefined): number {
  return place === undefined ? longestLine : place.line - place.taken;
}

/** The place of a member, in a line of its own, of what is at a place. */
export function memberPlace(place: LinePlace | undefined, taken: string, indentation = 2): LinePlace | undefined {
  return place && { line: place.line - indentation, taken: taken.length };
}

/** A JSON value as JavaScript writes it: on one line if it is short, keys without quotes if they need none. */
export function literal(value: unknown): string {
  return literalAt(undefined, value);
}

/** As {@link literal} does, a value as it is written at a place. */
export function literalAt(place: LinePlace | undefined, value: unknown): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => literalAt(memberPlace(place, ","), item));
    return inBrackets("[", items, "]", roomAt(place));
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    return [key, literalAt(memberPlace(place, `${propertyName(key)}: ,`), member)] as const;
  });
  return objectText(Object.fromEntries(members), roomAt(place));
}

/** An object literal whose values are expressions. */
export function objectText(expressions: Readonly<Record<string, string>>, room = longestLine): string {
  const members = Object.entries(expressions).map(([key, text]) => {
    // Any other form of this name sets the prototype.
    const name = key === "__proto__" ? '["__proto__"]' : propertyName(key);
    return name === text ? name : `${name}: ${text}`;
  });
  return inBrackets("{", members, "}", room);
}

/** A call of a function. */
interface Call {
  readonly name: string;
  /** Its first argument. */
  readonly value: unknown;
  /** The members of its second argument, which it has if there are any. */
  readonly options: Readonly<Record<string, string>>;
  readonly place: LinePlace;
}

/** A call: its options begin on its first line if there is room, and else each argument is in lines of its own. */
export function callText({ name, value, options, place }: Call): string {
  const { line, taken } = place;
  const start = `${name}(${literal(value)}`;
  const hasOptions = Object.keys(options).length > 0;
  const call = hasOptions ? `${start}, ${objectText(options, line - taken - `${start}, )`.length)})` : `${start})`;
  const [first = ""] = call.split("\n");
  // What comes after the call is on its last line.
  if (first.length <= (first === call ? line - taken : line)) return call;
  const written = [literal(value), ...(hasOptions ? [objectText(options, roomAt(memberPlace(place, ",")))] : [])];
  return inBrackets(`${name}(`, written, ")", line - taken);
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
export function inBrackets(open: string, items: readonly string[], close: string, room = longestLine): string {
  if (items.length === 0) return open + close;
  const space = open === "{" ? " " : "";
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  const isShort = line.length <= room && !line.includes("\n");
  return isShort ? line : `${open}\n${items.map((item) => `${indent(item)},\n`).join("")}${close}`;
}
