import { isObject, membersOf } from "../spec/json.ts";

/** Compares by code units, so the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A copy of an object with its members in the order of their names; without members if the value is something else. */
export function sortMembers(value: unknown) {
  return Object.fromEntries(membersOf(value).sort(([a], [b]) => compareText(a, b)));
}

/** The same JSON for equal values. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (isObject(member) ? sortMembers(member) : member));
}

/** Values by key, in their order. `Map.groupBy` is not in Node 20, where the mock runs too. */
export function groupBy<T, Key>(values: readonly T[], keyOf: (value: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const value of values) recall(groups, keyOf(value), () => []).push(value);
  return groups;
}

/** The value of a key in a map: if there is none yet, it is made and kept. */
export function recall<Key, Value>(
  known: Pick<Map<Key, Value>, "get"> & { readonly set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

/** Some values and all that they lead to, directly or not. */
export function reachable<T>(starts: Iterable<T>, next: (value: T) => Iterable<T>): ReadonlySet<T> {
  const reached = new Set(starts);
  // What is added while the set is iterated over is visited too.
  for (const value of reached) for (const other of next(value)) reached.add(other);
  return reached;
}

/** A number of things in words: `1 operation`, `2 operations`. */
export function countOf(count: number | string, noun: string): string {
  return `${String(count)} ${noun}${String(count) === "1" ? "" : "s"}`;
}

/** Names in words: `a, b, and c`, or of alternatives `a, b, or c`. */
export function listInWords(names: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat("en", { type }).format(names);
}

/** What is before the first separator in a text, and what is behind it; only the whole text if it has none. */
export function splitOnce(text: string, separator: string): [before: string, after?: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** A text without what it may end with. */
export function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, text.length - end.length) : text;
}

/** Tells whether a text consists of decimal digits. */
export function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

/** A text with one blank for each of its line breaks and other white space. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** A text with a capital at its beginning. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first paragraph of a Markdown text, on one line and without its marks. */
export function firstParagraph(markdown: string): string {
  const [paragraph = ""] = markdown.split(/\n\s*\n/);
  const withoutTargets = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return onOneLine(withoutTargets).replaceAll("*", "").replaceAll("`", "").trim();
}

/** The first sentence of a Markdown text, on one line and without its marks. */
export function firstSentence(markdown: string): string {
  const paragraph = firstParagraph(markdown);
  return /^.*?[.!?](?=\s+[\p{L}\p{N}]|$)/u.exec(paragraph)?.[0] ?? paragraph;
}

/** Text as a part of a URL or a file name: lower-case letters and digits of ASCII, with hyphens between them. */
export function slugOf(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-");
}

/** Takes a name, with a number behind it if that is taken already. */
export function distinctName(wanted: string, taken: Set<string>, separator = "-"): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}${separator}${count}`;
  taken.add(name);
  return name;
}

/** Text as a regular expression that matches it. `RegExp.escape` is not in Node 20. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Text as it is written in an element of XML or HTML. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A text in which all but the printable characters of ASCII are escaped as in JSON: a header can have it. */
export function escapeForHeader(text: string): string {
  return escapeCharacters(text, /[^ -~]/g);
}

/** A text in which some characters are escaped as in JSON. */
export function escapeCharacters(text: string, characters: RegExp): string {
  return text.replaceAll(characters, (one) => String.raw`\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
