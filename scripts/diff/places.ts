import { jsonPointer, membersOf, pointerKeys, valueAt } from "../values/json.ts";
import { isReference, type OpenApiDocument } from "../spec/openapi.ts";

/** A value of a bundle, and its keys. */
export interface Place {
  readonly document: OpenApiDocument;
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** A place in two states of a generation. One of them may be missing. */
export interface Pair {
  readonly before: Place | undefined;
  readonly after: Place | undefined;
}

/** Two places to compare. */
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

/** The value of a field, even if it is a reference. `undefined` if the field is missing. */
export function childOf(place: Place | undefined, key: string): Place | undefined {
  const value = valueAt(place?.value, [key]);
  return place === undefined || value === undefined ? undefined : { ...place, keys: [...place.keys, key], value };
}

/** The value of a field, or the target of its reference. */
export function memberOf(place: Place | undefined, ...keys: readonly string[]): Place | undefined {
  return keys.reduce((current, key) => {
    const child = childOf(current, key);
    return child && followPlace(child);
  }, place);
}

/** The place at the end of a chain of references. In a bundle, every chain has an end. */
export function followPlace(place: Place): Place {
  const target = targetPlace(place);
  return target === undefined ? place : followPlace(target);
}

/** The target of a reference. `undefined` if the place isn't a reference. */
export function targetPlace({ document, value }: Place): Place | undefined {
  return isReference(value) ? placeAt(document, pointerKeys(value.$ref)) : undefined;
}

/** The members of a map or a list. */
export function childrenOf(place: Place | undefined): readonly Place[] {
  const { value } = place ?? {};
  const keys = Array.isArray(value) ? [...value.keys()].map(String) : membersOf(value).map(([name]) => name);
  return keys.flatMap((key) => childOf(place, key) ?? []);
}

/** The members of a map or a list, by a name. */
export function childrenBy(place: Place | undefined, nameBy: (child: Place) => string): ReadonlyMap<string, Place> {
  return new Map(childrenOf(place).map((child) => [nameBy(child), child]));
}

/** A field that is a text. */
export function textAt({ value }: Place, field: string): string {
  return String(valueAt(value, [field]));
}

/** A field of two places. `undefined` where it is missing. */
export function fieldOf({ before, after }: Pair, field: string): Pair {
  return { before: memberOf(before, field), after: memberOf(after, field) };
}

export function isBoth(pair: Pair): pair is BothPlaces {
  return pair.before !== undefined && pair.after !== undefined;
}

/** The last key of a place. */
export function nameOf({ keys }: Pick<Place, "keys">): string {
  return keys.at(-1) ?? "";
}

/** The members of two maps, paired by name. References are not followed. */
export function pairMembers({ before, after }: Pair, nameBy = (name: string) => name): ReadonlyMap<string, Pair> {
  return pairMaps(byNormalName(before, nameBy), byNormalName(after, nameBy));
}

/** The members of a map by their names, in one spelling. Of several with the same, the others keep their own. */
function byNormalName(map: Place | undefined, nameBy: (name: string) => string): ReadonlyMap<string, Place> {
  const named = new Map<string, Place>();
  const isOther = (child: Place) => Number(nameBy(nameOf(child)) !== nameOf(child));
  for (const child of childrenOf(map).toSorted((a, b) => isOther(a) - isOther(b))) {
    const name = nameBy(nameOf(child));
    named.set(named.has(name) ? nameOf(child) : name, child);
  }
  return named;
}

/** The values of a field of two places. `undefined` where it is missing. */
export function fieldValues({ before, after }: BothPlaces, field: string): readonly [before: unknown, after: unknown] {
  return [valueAt(before.value, [field]), valueAt(after.value, [field])];
}

/** Two places with their references followed. */
export function followBoth({ before, after }: BothPlaces): BothPlaces {
  return { before: followPlace(before), after: followPlace(after) };
}

/** A value in two states, and its names there. The names differ if it was renamed. */
export interface NamedPair<Value> {
  readonly former: string;
  readonly name: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/**
 * The values of two maps, paired by name, or else by content: a value that is gone was renamed if there is just one new
 * value that is the same, and the other way round.
 */
export function pairRenamed<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  isSame: (before: Value, after: Value) => boolean,
): readonly NamedPair<Value>[] {
  const pairs = pairMaps(before, after);
  const [gone, come] = [onlyIn(pairs, "before"), onlyIn(pairs, "after")];
  const links = gone.flatMap((old) =>
    come.filter((one) => isSame(old.value, one.value)).map((one) => [old, one] as const),
  );
  const renamed = links.filter(([old, one]) => links.every(([was, is]) => (was === old) === (is === one)));
  const formers = new Map(renamed.map(([old, { name }]) => [name, old]));
  const left = new Set(renamed.map(([{ name }]) => name));
  return [...pairs]
    .filter(([name]) => !left.has(name))
    .map(([name, { before, after }]) => {
      const { name: former, value } = formers.get(name) ?? { name, value: before };
      return { former, name, before: value, after };
    });
}

/** The values that only one state has. */
function onlyIn<Value>(
  pairs: ReadonlyMap<string, { readonly before: Value | undefined; readonly after: Value | undefined }>,
  side: keyof Pair,
) {
  const other = side === "before" ? "after" : "before";
  return [...pairs].flatMap(([name, { [side]: value, [other]: missing }]) =>
    value && !missing ? [{ name, value }] : [],
  );
}

/** Two places whose names differ, where one covers the other. */
export interface NamedLink extends BothPlaces {
  /** Whether the place after covers less or more. */
  readonly extent: "fewer" | "more";
}

/** Links places that only one state has, if the name of one covers that of the other, as a range does. */
export function linkCovered(
  pairs: ReadonlyMap<string, Pair>,
  covers: (range: string, name: string, side: keyof Pair) => boolean,
): readonly NamedLink[] {
  return onlyIn(pairs, "before").flatMap(({ value: before }) =>
    onlyIn(pairs, "after").flatMap(({ value: after }): readonly NamedLink[] => {
      const [was, is] = [nameOf(before), nameOf(after)];
      if (covers(was, is, "before")) return [{ before, after, extent: "fewer" }];
      return covers(is, was, "after") ? [{ before, after, extent: "more" }] : [];
    }),
  );
}

/** The values of two maps, paired by name. */
export function pairMaps<Value>(before: ReadonlyMap<string, Value>, after: ReadonlyMap<string, Value>) {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return new Map(names.map((name) => [name, { before: before.get(name), after: after.get(name) }] as const));
}

/** The components that have a schema in their `allOf`. */
export function subtypesIn(document: OpenApiDocument, pointer: string): readonly Place[] {
  const isOf = (part: Place) => {
    const target = targetPlace(part);
    return target !== undefined && pointerOfPlace(target) === pointer;
  };
  const schemas = childrenOf(placeAt(document, ["components", "schemas"]));
  return schemas.filter((schema) => childrenOf(childOf(schema, "allOf")).some(isOf));
}
