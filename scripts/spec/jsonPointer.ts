import { isObject } from "./json.ts";
import { percentDecode } from "./percentEncoding.ts";

/** The JSON Pointer that leads through some keys (RFC 6901, section 3): "" without any. */
export function jsonPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The keys that a JSON Pointer leads through. In the fragment of a URI, they are percent-decoded too (RFC 6901, section 6). */
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
