import { isObject, mapMembers } from "../values/json.ts";
import { isReference } from "./openapi.ts";
import { dataFields, nameMaps, valueFields } from "./schemaKeywords.ts";

/** A value in a description, and its place. */
export interface WalkedValue {
  readonly value: unknown;
  readonly key: string;
  readonly parent: WalkedValue | undefined;
  /** Number of keys that lead to the value. */
  readonly depth: number;
  /** True if the keys of the value are names rather than fields. */
  readonly isMap: boolean;
}

/**
 * Every value of a description, outer ones first, without data and extensions. Iterative, so that nesting
 * can't overflow the stack.
 */
export function* walk(root: unknown): Generator<WalkedValue, void> {
  const waiting: WalkedValue[] = [{ value: root, key: "", parent: undefined, depth: 0, isMap: false }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    yield place;
    const { value, isMap, depth } = place;
    const isList = Array.isArray(value);
    const members: [string, unknown][] = isList || isObject(value) ? Object.entries(value) : [];
    for (const [key, member] of members.toReversed()) {
      if (!isList && !isMap && !isDescribed(key, member)) continue;
      const hasNames = !isList && !isMap && isNameMap(key, member);
      waiting.push({ value: member, key, parent: place, depth: depth + 1, isMap: hasNames });
    }
  }
}

export function keysTo({ key, parent }: WalkedValue): readonly string[] {
  return parent === undefined ? [] : [...keysTo(parent), key];
}

/** The distinct references in a part of a description. */
export function referencesIn(part: unknown): ReadonlySet<string> {
  const references = new Set<string>();
  for (const { value } of walk(part)) if (isReference(value)) references.add(value.$ref);
  return references;
}

/** Copies a part of a description and changes each object, inner ones first. */
export function mapObjects(
  value: unknown,
  change: (object: Readonly<Record<string, unknown>>, keys: readonly string[]) => unknown,
  keys: readonly string[] = [],
  isMap = false,
): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => mapObjects(item, change, [...keys, String(index)]));
  }
  if (!isObject(value)) return value;
  const copy = mapMembers(value, (member, key) => {
    const isData = !isMap && !isDescribed(key, member);
    return isData ? member : mapObjects(member, change, [...keys, key], !isMap && isNameMap(key, member));
  });
  return isMap ? copy : change(copy, keys);
}

/** Returns whether the keys in a field are names. */
export function isNameMap(key: string, member: unknown): boolean {
  return isObject(member) && (nameMaps.has(key) || key === "examples");
}

/** Returns whether a field contains values rather than references, such as a schema's list of examples. */
export function holdsValues(key: string, member: unknown): boolean {
  return valueFields.has(key) || (key === "examples" && Array.isArray(member));
}

/** Returns whether a field is part of the description. Named examples are. A schema's list of examples is data. */
export function isDescribed(key: string, member: unknown): boolean {
  return key === "examples" ? isObject(member) : !dataFields.has(key) && !key.startsWith("x-");
}
