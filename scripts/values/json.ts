import { percentDecode } from "./percentEncoding.ts";
import { compareText } from "./text.ts";

/** Returns whether a value is an object with string keys, and not `null` or an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The elements of an array. Empty for any other value. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The elements of an array that are objects. */
export function objectsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return elementsOf(value).filter(isObject);
}

/** The members of an object. Empty for any other value. */
export function membersOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** The members of an object, or the elements of an array by index. Empty for any other value. */
export function entriesOf(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  return Array.isArray(value) ? Object.entries<unknown>(value) : membersOf(value);
}

/**
 * Merges a patch into a value: objects are merged member by member, and anything else replaces what is there. `null` either
 * does that too, or removes a member, as in JSON Merge Patch (RFC 7396).
 */
export function mergePatch(value: unknown, patch: unknown, whenNull: "remove" | "replace"): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(membersOf(value));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null && whenNull === "remove") merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), change, whenNull));
  }
  return Object.fromEntries(merged);
}

/** Copies an object and changes its values. Returns an empty object for any other value. */
export function mapMembers(value: unknown, change: (member: unknown, name: string) => unknown) {
  return Object.fromEntries(membersOf(value).map(([name, member]) => [name, change(member, name)]));
}

/** Copies a value and changes the strings in it, at any depth. Names of members stay. */
export function mapStrings(value: unknown, change: (text: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => mapStrings(element, change));
  if (isObject(value)) return mapMembers(value, (member) => mapStrings(member, change));
  return typeof value === "string" ? change(value) : value;
}

/** Copies an object without some of its members. Returns any other value unchanged. */
export function withoutMembers(value: unknown, names: readonly string[]): unknown {
  return isObject(value) ? Object.fromEntries(membersOf(value).filter(([name]) => !names.includes(name))) : value;
}

/** The strings of a list such as `x-unspecified`. Empty for any other value. */
export function stringsOf(value: unknown): readonly string[] {
  return elementsOf(value).filter((item) => typeof item === "string");
}

/** A string, or `undefined` for any other value. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value of a JSON text. `undefined` if it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The value of a JSON text, with each number that JavaScript would round as a text of its digits. Without the source text
 * of numbers, as in Node.js 20, they are rounded. `undefined` if it isn't JSON.
 */
export function parseExactJson(text: string): unknown {
  const read = (_: string, value: unknown, { source }: { readonly source?: string } = {}) =>
    source !== undefined && typeof value === "number" && isRounded(value, source) ? source : value;
  try {
    return JSON.parse(text, read);
  } catch {
    return undefined;
  }
}

/** Returns whether JavaScript rounds a number. Programs write a double with up to 17 digits. */
function isRounded(value: number, source: string): boolean {
  if (String(value) === source) return false;
  const digits = source
    .replace(/e.*$/i, "")
    .replaceAll(/\D/g, "")
    .replaceAll(/^0+|0+$/g, "");
  const isLarge = !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  return isLarge || digits.length > 17 || (value === 0 && digits !== "");
}

/** The places of integers that were rounded when a value was read, each as keys joined by dots. */
export function roundedValues(value: unknown, keys: readonly string[] = []): readonly string[] {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return [keys.join(".")];
  const members = Array.isArray(value) ? Object.entries(value) : membersOf(value);
  return members.flatMap(([key, member]) => roundedValues(member, [...keys, key]));
}

/** Returns whether two JSON values are equal (JSON Schema 2020-12 Core, section 4.2.2). */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equalJson(a[name], b[name]))
  );
}

/** The members of an object that are strings. Empty for any other value. */
export function stringMembersOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    membersOf(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The JSON Pointer for some keys (RFC 6901, section 3). Empty if there are none. */
export function jsonPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The keys of a JSON Pointer. In a URI fragment, they are percent-decoded as well (RFC 6901, section 6). */
export function pointerKeys(pointer: string): string[] {
  const text = pointer.startsWith("#") ? (percentDecode(pointer) ?? pointer) : pointer;
  return text
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * The last key of a JSON Pointer or of a reference. For a reference to a component, it's the component's
 * name.
 */
export function lastKey(reference: string): string {
  return pointerKeys(`#${reference.slice(reference.lastIndexOf("/"))}`)[0] ?? "";
}

/** The value at some keys. `undefined` if there is none. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((current, key) => {
    if (Array.isArray(current)) return current[Number(key)];
    return isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }, value);
}

/** Copies a value with the part at some keys changed. A missing member is added. Nothing is changed in any other value. */
export function changeAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  change: (part: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  const changed = () => changeAt(valueAt(value, [key]), rest, change);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === key ? changed() : item));
  return isObject(value) ? { ...value, [key]: changed() } : value;
}

/** Copies an object with its members sorted by name. Returns an empty object for any other value. */
export function sortMembers(value: unknown) {
  return Object.fromEntries(membersOf(value).sort(([a], [b]) => compareText(a, b)));
}

/** JSON that is the same for equal values. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (isObject(member) ? sortMembers(member) : member));
}
