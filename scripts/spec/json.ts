/** Tells whether a value is an object with string keys: neither `null` nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The elements of an array; none if the value is something else. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Those elements of an array that are objects. */
export function objectsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return elementsOf(value).filter(isObject);
}

/** The members of an object; none if the value is something else. */
export function membersOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** A copy of an object with other values; without members if the value is something else. */
export function mapMembers(value: unknown, change: (member: unknown, name: string) => unknown) {
  return Object.fromEntries(membersOf(value).map(([name, member]) => [name, change(member, name)]));
}

/** The strings of a list such as `x-unspecified`; none if the value is something else. */
export function stringsOf(value: unknown): readonly string[] {
  return elementsOf(value).filter((item) => typeof item === "string");
}

/** A value that is a string; `undefined` if it is something else. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value of a JSON text; `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of an object that are strings; none if the value is something else. */
export function stringMembersOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    membersOf(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
