import { membersOf, pointerKeys, stringsOf, valueAt } from "../values/json.ts";
import { discriminatorValues } from "../spec/schemas.ts";
import { isSchema } from "../spec/openapi.ts";
import { kindOf } from "./phrases.ts";
import { differencesOf, isSameMeaning, isSameValue, meaningOf, tell, type Comparison } from "./comparison.ts";
import {
  flatten,
  hasValue,
  holderIn,
  isAlike,
  isText,
  knownTypes,
  listedIn,
  nameOfView,
  schemasIn,
  valueIn,
  type Choice,
  type FlatPair,
  type FlatSchema,
  type SchemaView,
} from "./flatSchema.ts";
import {
  childOf,
  isBoth,
  nameOf,
  pairMaps,
  placeAt,
  pointerOfPlace,
  subtypesIn,
  type Pair,
  type Place,
} from "./places.ts";

/** One of the ranges that the values of a schema come from: an alternative, or all of the schema if it has no choice. */
interface Range {
  /** The alternative as written. `undefined` for all of the schema. */
  readonly place: Place | undefined;
  /** The alternative with the rest of its schema. */
  readonly view: SchemaView;
  readonly name: string | undefined;
  readonly types: readonly string[];
  readonly listed: readonly unknown[] | undefined;
  readonly properties: ReadonlySet<string>;
  /** The listed values of required properties. */
  readonly constants: ReadonlyMap<string, readonly unknown[]>;
}

/** A range with what tells it from others, which is read often. */
function rangeOf(place: Place | undefined, view: SchemaView): Range {
  const flat = flatten(view);
  const types = knownTypes(flat);
  const written = place === undefined ? view : [place];
  const properties = schemasIn(flat, "properties");
  const constants = stringsOf(valueIn(flat, "required")).flatMap((name) => {
    const listed = listedIn(flatten(properties.get(name) ?? []));
    return listed === undefined ? [] : [[name, listed] as const];
  });
  return {
    ...{ place, view, types, name: types.join() === "null" ? "null" : nameOfView(written) },
    ...{ listed: listedIn(flat), properties: new Set(properties.keys()), constants: new Map(constants) },
  };
}

interface Side {
  readonly choice: Choice | undefined;
  readonly ranges: readonly Range[];
}

/**
 * Compares schemas of which one has a choice, range by range. Returns `false` if there is none, or nothing to tell of it. A
 * choice that the profile refuses isn't compared.
 */
export function compareChoices(to: Comparison, pair: FlatPair): boolean {
  const { before, after, views, place: subject, direction } = pair;
  const [choice] = [...after.choices, ...before.choices];
  if (choice === undefined) return false;
  if (isComparable(before) && isComparable(after)) {
    compareRanges(to, pair, sideOf(before, views.before), sideOf(after, views.after));
    return true;
  }
  const [old, current] = [before, after].map(({ choices }) =>
    choices.map(({ keyword, alternatives }) => [keyword, ...alternatives.map(meaningOf).toSorted()]),
  );
  if (isSameValue(old, current)) return false;
  const place = childOf(choice.holder, choice.keyword) ?? subject;
  tell(to, { code: "uncompared", facts: { field: choice.keyword }, place, subject, direction });
  return true;
}

function sideOf(flat: FlatSchema, view: SchemaView): Side {
  const [choice] = flat.choices;
  const ranges = choice?.alternatives.map((place) => rangeOf(place, [place])) ?? [rangeOf(undefined, view)];
  return { choice, ranges: apartFromNull(ranges) };
}

/** Ranges of which at most one has `null`, and nothing else. */
function apartFromNull(ranges: readonly Range[]): readonly Range[] {
  const isMixed = ({ types }: Range) => types.length > 1 && types.includes("null");
  const part = ({ view }: Range, only: "null" | "others") =>
    view.map((one, index) => (index === view.length - 1 ? { ...one, only } : one));
  const [first] = ranges.some(({ types }) => types.join() === "null") ? [] : ranges.filter(isMixed);
  return [
    ...ranges.map((range) => (isMixed(range) ? rangeOf(range.place, part(range, "others")) : range)),
    ...(first === undefined ? [] : [rangeOf(first.place ?? first.view.at(-1), part(first, "null"))]),
  ];
}

/**
 * Returns whether a schema has no choice, or is one and nothing more, of which a value may match several alternatives or
 * names its own.
 */
function isComparable({ written, schemas, choices }: FlatSchema): boolean {
  const isOwn = (keyword: string) => keyword === "discriminator" || isText(keyword);
  const isAlone = choices.length === 1 && schemas.size === 0 && [...written.keys()].every(isOwn);
  return choices.length === 0 || (isAlone && (choices[0]?.keyword === "anyOf" || written.has("discriminator")));
}

/**
 * Compares two sets of ranges. What is sent must still be within a range of those who receive it: each old range within
 * a new one in requests, and each new range within an old one in responses.
 */
function compareRanges(to: Comparison, pair: FlatPair, old: Side, current: Side): void {
  const { compare, direction, place: subject } = pair;
  const isWithin = (one: Range, other: Range) =>
    !isApart(one, other) &&
    isListedIn(one, other) &&
    differencesOf(compare(one.view, other.view, { direction })).every(({ impact }) => impact !== "major");
  const isOldCovered = (one: Range) => current.ranges.some((other) => isWithin(one, other));
  const isNewCovered = (one: Range) => old.ranges.some((other) => isWithin(other, one));
  const pairs = pairRanges(old.ranges, current.ranges, pair);
  for (const [one, other] of pairs) {
    const isRated = isWithin(one, other) || !(direction === "request" ? isOldCovered(one) : isNewCovered(other));
    to.parts.push(compare(one.view, other.view, { direction: isRated ? direction : undefined }));
  }
  const paired = new Set(pairs.flat());
  const lost = old.ranges.filter((one) => !paired.has(one));
  const gained = current.ranges.filter((one) => !paired.has(one));
  const choice = current.choice ?? old.choice;
  if (choice === undefined) return;
  const where = { place: childOf(choice.holder, choice.keyword) ?? subject, subject, direction };
  if ([...lost, ...gained].some(({ place }) => place === undefined)) {
    const isCovered = direction === "request" ? lost.every(isOldCovered) : gained.every(isNewCovered);
    const code = current.choice === undefined ? "alternatives-removed" : "alternatives-added";
    tell(to, { ...where, code, facts: { keyword: choice.keyword }, extent: isCovered ? "same" : "other" });
    return;
  }
  const toldOf = ({ place = subject, name }: Range) => ({ ...where, place, facts: { keyword: choice.keyword, name } });
  for (const one of lost) {
    const extent = direction === "request" && isOldCovered(one) ? "same" : "fewer";
    tell(to, { code: "alternative-removed", ...toldOf(one), extent });
  }
  for (const one of gained) {
    const extent = direction === "response" && isNewCovered(one) ? "same" : "more";
    tell(to, { code: "alternative-added", ...toldOf(one), extent });
  }
}

/** Compares discriminators: their property, and its values, written or not. */
export function compareDiscriminator(to: Comparison, pair: FlatPair): void {
  const [old, current] = [holderIn(pair.before, "discriminator"), holderIn(pair.after, "discriminator")];
  const both = { before: childOf(old, "discriminator"), after: childOf(current, "discriminator") };
  const { direction, place } = pair;
  const told = { place: both.after ?? place, subject: place, direction };
  if (!isBoth(both)) {
    if (both.before === both.after) return;
    const code = both.before === undefined ? "discriminator-added" : "discriminator-removed";
    tell(to, { ...told, code, facts: {} });
    return;
  }
  const [name, nameNow] = [both.before, both.after].map(({ value }) => valueAt(value, ["propertyName"]));
  if (name !== nameNow) {
    const facts = { before: String(name), after: String(nameNow) };
    tell(to, { ...told, code: "discriminator-property-changed", facts });
  }
  const values = pairMaps(mappedSchemas(both.before, pair.before), mappedSchemas(both.after, pair.after));
  for (const [value, mapped] of values) {
    const { before, after } = mapped;
    const kind = kindOf(before, after);
    if (kind === "changed" && isSameSchema(mapped, pair.compare)) continue;
    const facts = { value, isListed: hasListedValues([before ?? [], after ?? []].flat(), name) };
    tell(to, { ...told, code: `discriminator-value-${kind}`, facts });
  }
}

function isSameSchema({ before, after }: Pair, compare: FlatPair["compare"]): boolean {
  if (before === undefined || after === undefined) return false;
  return (
    pointerOfPlace(before) === pointerOfPlace(after) ||
    isSameMeaning(compare([before], [after], { direction: undefined }))
  );
}

/** The schemas for the values of a discriminator. A component that isn't mapped stands for its name. */
function mappedSchemas(discriminator: Place, flat: FlatSchema): ReadonlyMap<string, Place> {
  const { document, value } = discriminator;
  const written = membersOf(valueAt(value, ["mapping"])).map(([name, target]) => {
    const text = String(target);
    const keys = text.includes("#") ? pointerKeys(text) : ["components", "schemas", text];
    return [name, placeAt(document, keys)] as const;
  });
  const references = Object.fromEntries(written.map(([name, target]) => [name, `#${pointerOfPlace(target)}`]));
  const alternatives = flat.choices.flatMap((choice) => choice.alternatives.map((one) => one.value));
  const implied = alternatives.flatMap((alternative) =>
    isSchema(alternative)
      ? discriminatorValues({ propertyName: "", mapping: references }, alternative).map(
          (name) => [name, placeAt(document, pointerKeys(String(valueAt(alternative, ["$ref"]))))] as const,
        )
      : [],
  );
  return new Map([...implied, ...written]);
}

/** Reports changes of the schemas that have one with a discriminator in their `allOf`, which the profile refuses. */
export function compareSubtypes(to: Comparison, { views, place, direction }: FlatPair): void {
  const [old, current] = [views.before, views.after].map(([only]) =>
    only === undefined || childOf(only, "discriminator") === undefined
      ? []
      : subtypesIn(only.document, pointerOfPlace(only)).map((schema) => [nameOf(schema), meaningOf(schema)]),
  );
  if (!isSameValue(old, current)) tell(to, { code: "uncompared", facts: { field: "discriminator" }, place, direction });
}

/** Returns whether schemas list the values of a property, so that a discriminator only repeats them. */
function hasListedValues(schemas: readonly Place[], property: unknown): boolean {
  return schemas.every((one) => {
    const values = schemasIn(flatten([one]), "properties").get(String(property)) ?? [];
    return valueIn(flatten(values), "enum") !== undefined;
  });
}

/** Returns whether no value is in both ranges, because their types or the values of a required property differ. */
function isApart(one: Range, other: Range): boolean {
  const isNumber = (type: string) => type === "integer" || type === "number";
  const meets = (type: string) => other.types.some((some) => some === type || (isNumber(some) && isNumber(type)));
  if (one.types.length > 0 && other.types.length > 0 && !one.types.some(meets)) return true;
  if (one.listed !== undefined && other.listed !== undefined)
    return !one.listed.some((value) => hasValue(other.listed, value));
  return [...one.constants].some(([name, values]) => {
    const others = other.constants.get(name);
    return others !== undefined && values.every((value) => !hasValue(others, value));
  });
}

/** Returns whether a range lists all properties of another. */
function isListedIn(one: Range, other: Range): boolean {
  return [...one.properties].every((name) => other.properties.has(name));
}

/**
 * Pairs the old and new ranges by name, by meaning, and by similarity. Components with different names are added and
 * removed, unless they mean the same.
 */
function pairRanges(
  before: readonly Range[],
  after: readonly Range[],
  { compare }: FlatPair,
): readonly (readonly [Range, Range])[] {
  const pairs: (readonly [Range, Range])[] = [];
  const paired = new Set<Range>();
  const hasSameName = (one: Range, other: Range) => one.name !== undefined && one.name === other.name;
  const meansSame = (one: Range, other: Range) =>
    one.properties.size === other.properties.size &&
    isListedIn(one, other) &&
    !isApart(one, other) &&
    isSameMeaning(compare(one.view, other.view, { direction: undefined }));
  const isLike = (one: Range, other: Range) =>
    (one.name === undefined || other.name === undefined) &&
    !isApart(one, other) &&
    isAlike(flatten(one.view), flatten(other.view));
  for (const test of [hasSameName, meansSame, isLike]) {
    for (const one of before.filter((range) => !paired.has(range))) {
      const candidates = after.filter((other) => !paired.has(other) && test(one, other));
      const shared = ({ properties }: Range) => [...properties].filter((name) => one.properties.has(name)).length;
      const [best] = candidates.toSorted((a, b) => shared(b) - shared(a));
      if (best === undefined) continue;
      pairs.push([one, best]);
      paired.add(one).add(best);
    }
  }
  return pairs;
}
