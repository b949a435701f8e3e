import { jsonPointer, membersOf, pointerKeys, valueAt } from "../spec/json.ts";
import { isReference, type OpenApiDocument } from "../spec/openapi.ts";

/** A value of a bundle, and the keys that lead to it. */
export interface Place {
  readonly document: OpenApiDocument;
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** A place in each of two states of a generation, as far as it is there. */
export interface Pair {
  readonly before: Place | undefined;
  readonly after: Place | undefined;
}

/** Two places that are compared. */
export interface BothPlaces {
  readonly before: Place;
  readonly after: Place;
}

export function placeAt(document: OpenApiDocument, keys: readonly string[]): Place {
  return { document, keys, value: valueAt(document, keys) };
}

export function pointerOfPlace({ keys }: Place): string {
  return jsonPointer(keys);
}

/** What a place has in a field, even if that is a reference; `undefined` if it has nothing there. */
export function childOf(place: Place | undefined, key: string): Place | undefined {
  const value = valueAt(place?.value, [key]);
  return place === undefined || value === undefined ? undefined : { ...place, keys: [...place.keys, key], value };
}

/** What a place has in a field, or what that refers to. */
export function memberOf(place: Place | undefined, ...keys: readonly string[]): Place | undefined {
  return keys.reduce((current, key) => {
    const child = childOf(current, key);
    return child && followPlace(child);
  }, place);
}

/** The place at the end of a chain of references. A bundle has none that leads to nothing or to itself. */
export function followPlace(place: Place): Place {
  const target = targetPlace(place);
  return target === undefined ? place : followPlace(target);
}

/** The place that a reference leads to; `undefined` if the place holds none. */
export function targetPlace({ document, value }: Place): Place | undefined {
  return isReference(value) ? placeAt(document, pointerKeys(value.$ref)) : undefined;
}

/** The members of a map or a list, each by its key. */
export function childrenOf(place: Place | undefined): readonly Place[] {
  const { value } = place ?? {};
  const keys = Array.isArray(value) ? [...value.keys()].map(String) : membersOf(value).map(([name]) => name);
  return keys.flatMap((key) => childOf(place, key) ?? []);
}

/** The field of a place that both have, or one of them; `undefined` if neither has. */
export function fieldOf({ before, after }: Pair, field: string): Pair {
  return { before: memberOf(before, field), after: memberOf(after, field) };
}

export function isBoth(pair: Pair): pair is BothPlaces {
  return pair.before !== undefined && pair.after !== undefined;
}

/** The key that leads to a place. */
export function nameOf({ keys }: Pick<Place, "keys">): string {
  return keys.at(-1) ?? "";
}

/** The members of two maps, paired by their names; references are not followed. */
export function pairMembers({ before, after }: Pair, nameBy = (name: string) => name): ReadonlyMap<string, Pair> {
  const byName = (map: Place | undefined) => new Map(childrenOf(map).map((child) => [nameBy(nameOf(child)), child]));
  return pairMaps(byName(before), byName(after));
}

/** Two places without references. */
export function followBoth({ before, after }: BothPlaces): BothPlaces {
  return { before: followPlace(before), after: followPlace(after) };
}

/**
 * The names that have come for those that have gone, of what is otherwise the same. Where that could be one of several, none
 * is told.
 */
export function renamedIn<Value>(
  named: ReadonlyMap<string, { readonly before: Value | undefined; readonly after: Value | undefined }>,
  isSame: (before: Value, after: Value) => boolean,
): ReadonlyMap<string, string> {
  const gone = [...named].flatMap(([name, { before, after }]) => (before && !after ? [{ name, value: before }] : []));
  const come = [...named].flatMap(([name, { before, after }]) => (after && !before ? [{ name, value: after }] : []));
  const pairs = gone.flatMap((old) =>
    come.filter((one) => isSame(old.value, one.value)).map((one) => [old.name, one.name] as const),
  );
  return new Map(pairs.filter(([old, now]) => pairs.every(([one, other]) => (one === old) === (other === now))));
}

/** The values of two maps by the names that one of them has, or both. */
export function pairMaps<Value>(before: ReadonlyMap<string, Value>, after: ReadonlyMap<string, Value>) {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return new Map(names.map((name) => [name, { before: before.get(name), after: after.get(name) }] as const));
}
