import { isObject, isReference, type ReferenceObject } from "./openapi.ts";

/** The JSON Pointer that leads through some keys (RFC 6901, section 3): "" without any. */
export function jsonPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * The keys that a JSON Pointer leads through. One in the fragment of a URI (`#/components/...`) is percent-decoded too
 * (RFC 6901, section 6); an escape that cannot be decoded is kept as it is.
 */
export function pointerKeys(pointer: string): string[] {
  const text = pointer.startsWith("#") ? (percentDecode(pointer) ?? pointer) : pointer;
  return text
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The last key of a JSON Pointer or of a reference; of a reference to a component, the component's name. */
export function lastKey(reference: string): string {
  return pointerKeys(`#${reference.slice(reference.lastIndexOf("/"))}`)[0] ?? "";
}

/** The value that some keys lead to; `undefined` if there is none. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((current, key) => {
    if (Array.isArray(current)) return current[Number(key)];
    return isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }, value);
}

/**
 * Follows references within a bundle until it finds something other than a reference.
 * Throws if a reference leads nowhere or in a circle, which a bundle that passed lint does not have.
 */
export function resolve<T extends object>(document: object, referenced: T | ReferenceObject): T {
  const seen = new Set<string>();
  let current = referenced;
  while (isReference(current)) {
    const { $ref } = current;
    const target = $ref.startsWith("#") ? valueAt(document, pointerKeys($ref)) : undefined;
    if (!isOfKind<T | ReferenceObject>(target)) throw new Error(`nothing in the bundle is at ${$ref}`);
    if (seen.has($ref)) throw new Error(`${$ref} refers to itself`);
    seen.add($ref);
    current = target;
  }
  return current;
}

/** Lint has checked that a reference leads to the kind of object that its place requires. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The kind is only known where it is called.
function isOfKind<T extends object>(value: unknown): value is T {
  return isObject(value);
}

/** Text as it stands between the delimiters of a URL. Halves of surrogate pairs, which UTF-8 has not, become U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}

/** Text without its percent-encoding; `undefined` if it is not the percent-encoded form of UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
