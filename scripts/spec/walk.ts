import { isObject, mapMembers } from "./json.ts";
import { isReference } from "./openapi.ts";
import { dataFields, nameMaps, valueFields } from "./schemaKeywords.ts";

/** A value in a description, and where it is. */
export interface WalkedValue {
  readonly value: unknown;
  readonly key: string;
  readonly parent: WalkedValue | undefined;
  /** Number of keys that lead to the value. */
  readonly depth: number;
  /** True if the keys of the value are names, not fields. */
  readonly isMap: boolean;
}

/** Every value that belongs to a description, the outer ones first: no data or extensions. It needs no stack, however deep they are. */
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

/** The references in a part of a description: what `$ref` says, each once. */
export function referencesIn(part: unknown): ReadonlySet<string> {
  const references = new Set<string>();
  for (const { value } of walk(part)) if (isReference(value)) references.add(value.$ref);
  return references;
}

/** A copy of a part of a description, at some keys, in which each object has been changed: those inside it first. */
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

/** Tells whether the keys in a field are names. */
export function isNameMap(key: string, member: unknown): boolean {
  return isObject(member) && (nameMaps.has(key) || key === "examples");
}

/** Tells whether a field holds values, in which nothing refers to anything: a schema's list of examples, too. */
export function holdsValues(key: string, member: unknown): boolean {
  return valueFields.has(key) || (key === "examples" && Array.isArray(member));
}

/** Examples by name are objects of the description; a schema's list of examples is data. */
function isDescribed(key: string, member: unknown): boolean {
  return key === "examples" ? isObject(member) : !dataFields.has(key) && !key.startsWith("x-");
}
