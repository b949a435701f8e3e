import { isObject } from "./json.ts";
import { dataFields, nameMaps } from "./schemaKeywords.ts";

/**
 * A copy of a description, or of a part of one at some keys, in which each object has been changed: those inside it
 * first. Data, extensions and maps of names are not objects of a description.
 */
export function mapObjects(
  value: unknown,
  change: (object: Readonly<Record<string, unknown>>, keys: readonly string[]) => unknown,
  keys: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => mapObjects(item, change, [...keys, String(index)]));
  }
  if (!isObject(value)) return value;
  const copy = mapMembers(value, (member, key) => {
    if (dataFields.has(key) || key.startsWith("x-")) return member;
    const inner = [...keys, key];
    return nameMaps.has(key) && isObject(member)
      ? mapMembers(member, (named, name) => mapObjects(named, change, [...inner, name]))
      : mapObjects(member, change, inner);
  });
  return change(copy, keys);
}

function mapMembers(
  object: Readonly<Record<string, unknown>>,
  change: (member: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, change(member, key)]));
}
