import { elementsOf, pointerKeys, stringsOf, valueAt } from "../spec/json.ts";
import { kindOf } from "./phrases.ts";
import { differencesOf, isSameMeaning, tell, type Comparison } from "./comparison.ts";
import type { Extent } from "./differences.ts";
import type { FlatPair } from "./flatPair.ts";
import {
  flatten,
  hasValue,
  holderIn,
  isAlike,
  nameOfView,
  notes,
  schemasIn,
  typesIn,
  valueIn,
  type FlatSchema,
  type SchemaView,
} from "./flatSchema.ts";
import { meaningOf } from "./meaning.ts";
import {
  childOf,
  childrenOf,
  fieldOf,
  isBoth,
  nameOf,
  pairMaps,
  pairMembers,
  placeAt,
  pointerOfPlace,
  subtypesIn,
  type Place,
} from "./places.ts";

const choices = ["anyOf", "oneOf"] as const;

/** The alternatives of a schema, and their keyword. */
function choiceOf(
  flat: FlatSchema,
): { readonly keyword: "anyOf" | "oneOf"; readonly alternatives: readonly Place[] } | undefined {
  const [keyword, second] = choices.filter((name) => flat.written.has(name));
  if (keyword === undefined || second !== undefined) return undefined;
  return { keyword, alternatives: childrenOf(childOf(holderIn(flat, keyword), keyword)) };
}

/** Returns whether a schema is a choice without other keywords for values. */
function isChoiceAlone(flat: FlatSchema): boolean {
  const isOwn = (keyword: string) =>
    ["anyOf", "oneOf", "discriminator", ...notes].includes(keyword) || keyword.startsWith("x-");
  return [...flat.written.keys()].every(isOwn) && flat.schemas.size === 0 && flat.others.size === 0;
}

/** Compares a schema with a choice that includes it. Returns `false` if the pair isn't of this kind. */
export function compareWithChoice(to: Comparison, pair: FlatPair): boolean {
  const [before, after] = [choiceOf(pair.before), choiceOf(pair.after)];
  if ((before === undefined) === (after === undefined)) return false;
  const { keyword, alternatives } = before ?? after ?? { keyword: "anyOf", alternatives: [] };
  if (!isChoiceAlone(before === undefined ? pair.after : pair.before)) return false;
  const alone = before === undefined ? pair.views.before : pair.views.after;
  const same = alternatives.find((one) => isSameMeaning(pair.compare(alone, [one], { direction: undefined })));
  if (same === undefined) return false;
  const kind = before === undefined ? "added" : "removed";
  for (const one of alternatives) {
    if (one !== same) tellAlternative(to, pair, { keyword, kind, place: one, others: alternatives });
  }
  return true;
}

interface LoneAlternative {
  readonly keyword: string;
  readonly kind: "added" | "removed";
  readonly place: Place;
  /** The alternatives of its schema. */
  readonly others: readonly Place[];
}

function tellAlternative(to: Comparison, pair: FlatPair, lone: LoneAlternative): void {
  const { direction, place: subject } = pair;
  const { keyword, kind, place } = lone;
  const facts = { keyword, name: nameOfView([place]) };
  tell(to, { code: `alternative-${kind}`, facts, place, subject, direction, extent: extentOf(pair, lone) });
}

/**
 * How an added or removed alternative changes which values are allowed. `oneOf` excludes the values of an
 * alternative that is part of another, because they match both.
 */
function extentOf({ compare, before, after }: FlatPair, { keyword, kind, place, others }: LoneAlternative): Extent {
  const [extent, opposite] = kind === "added" ? (["more", "fewer"] as const) : (["fewer", "more"] as const);
  if (keyword === "anyOf" || [before, after].some(({ written }) => written.has("discriminator"))) return extent;
  const isWithin = (one: Place, other: Place) =>
    differencesOf(compare([one], [other], { direction: "request" })).every(({ impact }) => impact !== "major");
  const rest = others.filter((other) => other !== place);
  if (rest.some((other) => isWithin(place, other))) return opposite;
  return rest.some((other) => isWithin(other, place)) ? "other" : extent;
}

export function compareChoices(to: Comparison, pair: FlatPair): void {
  const { before, after, place, direction } = pair;
  const areBoth = (flat: FlatSchema) => choices.every((keyword) => flat.written.has(keyword));
  if (areBoth(before) || areBoth(after)) {
    for (const field of choices.filter((one) => meaningIn(before, one) !== meaningIn(after, one)))
      tell(to, {
        code: "uncompared",
        facts: { field },
        place: childOf(place, field) ?? place,
        subject: place,
        direction,
      });
    return;
  }
  const [old, current] = [choiceOf(before), choiceOf(after)];
  if (old === undefined && current === undefined) return;
  if (old === undefined || current === undefined) {
    const { keyword } = old ?? current ?? { keyword: "anyOf" };
    const code = old === undefined ? "alternatives-added" : "alternatives-removed";
    const where = childOf(holderIn(after, keyword), keyword) ?? place;
    tell(to, { code, facts: { keyword }, place: where, subject: place, direction });
    return;
  }
  if (old.keyword !== current.keyword && !(areApart(old.alternatives) && areApart(current.alternatives))) {
    const where = childOf(holderIn(after, current.keyword), current.keyword) ?? place;
    // A value that matches several alternatives is no longer accepted, or is new in responses.
    const extent = current.keyword === "oneOf" ? "fewer" : "more";
    const facts = { before: old.keyword, after: current.keyword };
    tell(to, { code: "alternatives-changed", facts, place: where, subject: place, direction, extent });
  }
  const pairs = pairAlternatives(old.alternatives, current.alternatives, pair.compare);
  for (const [one, other] of pairs) to.parts.push(pair.compare([one], [other], { direction }));
  const isLeft = (one: Place) => !pairs.flat().includes(one);
  for (const { kind, keyword, alternatives } of [
    { kind: "removed", ...old },
    { kind: "added", ...current },
  ] as const) {
    for (const place of alternatives.filter(isLeft)) {
      tellAlternative(to, pair, { keyword, kind, place, others: alternatives });
    }
  }
}

/** The value of a keyword, and everything that it refers to. */
export function meaningIn(flat: FlatSchema, keyword: string): string | undefined {
  const { document } = holderIn(flat, keyword) ?? {};
  return document && meaningOf({ document, value: valueIn(flat, keyword) });
}

/** Compares discriminators: their property, and its values. */
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
    tell(to, {
      ...told,
      code: "discriminator-property-changed",
      facts: { before: String(name), after: String(nameNow) },
    });
  }
  for (const [value, { before, after }] of pairMembers(fieldOf(both, "mapping"))) {
    const schemas = [before, after].map((one) => (one === undefined ? [] : [mappedSchema(one)]));
    const kind = kindOf(before, after);
    const pointers = new Set(schemas.flat().map(pointerOfPlace));
    const isSame =
      pointers.size === 1 || isSameMeaning(pair.compare(schemas[0] ?? [], schemas[1] ?? [], { direction: undefined }));
    if (kind === "changed" && isSame) continue;
    const facts = { value, isListed: hasListedValues(schemas.flat(), name) };
    tell(to, { ...told, code: `discriminator-value-${kind}`, facts });
  }
}

/** Compares the schemas that have a schema with a discriminator in their `allOf`, and so are its alternatives. */
export function compareSubtypes(to: Comparison, pair: FlatPair): void {
  const { before, after, place: subject, direction } = pair;
  if ([before, after].some(({ written }) => choices.some((keyword) => written.has(keyword)))) return;
  const [old, current] = [subtypesOf(pair.views.before, before), subtypesOf(pair.views.after, after)];
  for (const [name, subtype] of pairMaps(old, current)) {
    if (isBoth(subtype)) {
      to.parts.push(pair.compare([subtype.before], [subtype.after], { direction }));
      continue;
    }
    const kind = subtype.after === undefined ? "removed" : "added";
    const where = { place: subtype.after ?? subtype.before ?? subject, subject, direction };
    const facts = { keyword: "discriminator", name };
    tell(to, { ...where, code: `alternative-${kind}`, facts, extent: kind === "added" ? "more" : "fewer" });
  }
}

/** The subtypes of a schema, if it has a discriminator of its own. */
function subtypesOf([only, ...others]: SchemaView, flat: FlatSchema): ReadonlyMap<string, Place> {
  const holder = holderIn(flat, "discriminator");
  if (only === undefined || others.length > 0 || holder === undefined) return new Map();
  const pointer = pointerOfPlace(only);
  if (pointer !== pointerOfPlace(holder)) return new Map();
  return new Map(subtypesIn(only.document, pointer).map((schema) => [nameOf(schema), schema]));
}

/** Returns whether schemas list the values of a property, so that a discriminator only repeats them. */
function hasListedValues(schemas: readonly Place[], property: unknown): boolean {
  return schemas.every((one) => {
    const values = schemasIn(flatten([one]), "properties").get(String(property)) ?? [];
    return valueIn(flatten(values), "enum") !== undefined;
  });
}

/** The schema for a value of a discriminator, by reference or by the name of a component. */
function mappedSchema({ document, value }: Place): Place {
  const target = String(value);
  return placeAt(document, target.includes("#") ? pointerKeys(target) : ["components", "schemas", target]);
}

/**
 * Returns whether no value matches two alternatives, because their types or the values of a required property
 * differ.
 */
function areApart(alternatives: readonly Place[]): boolean {
  return alternatives.every((one, index) =>
    alternatives.slice(index + 1).every((other) => isApart(flatten([one]), flatten([other]))),
  );
}

function isApart(one: FlatSchema, other: FlatSchema): boolean {
  const [types, otherTypes] = [typesIn(one), typesIn(other)];
  const isNumber = (type: string) => type === "integer" || type === "number";
  const meets = types.some((type) => otherTypes.some((some) => some === type || (isNumber(some) && isNumber(type))));
  if (types.length > 0 && otherTypes.length > 0 && !meets) return true;
  const required = stringsOf(valueIn(one, "required")).filter((name) => hasValue(valueIn(other, "required"), name));
  return required.some((name) => {
    const [values, others] = [one, other].map((flat) =>
      valueIn(flatten(schemasIn(flat, "properties").get(name) ?? []), "enum"),
    );
    if (values === undefined || others === undefined) return false;
    return elementsOf(values).every((value) => !hasValue(others, value));
  });
}

/** Pairs the old and new alternatives by name, by meaning, and by similarity. */
function pairAlternatives(
  before: readonly Place[],
  after: readonly Place[],
  compare: FlatPair["compare"],
): readonly (readonly [Place, Place])[] {
  const pairs: (readonly [Place, Place])[] = [];
  const differences = (one: Place, other: Place) => differencesOf(compare([one], [other], { direction: undefined }));
  const hasSameName = (one: Place, other: Place) =>
    nameOfView([one]) !== undefined && nameOfView([one]) === nameOfView([other]);
  const meansSame = (one: Place, other: Place) => differences(one, other).every(({ impact }) => impact === "patch");
  const isLike = (one: Place, other: Place) => isAlike(flatten([one]), flatten([other]));
  for (const test of [hasSameName, meansSame, isLike]) {
    const isLeft = (place: Place) => !pairs.flat().includes(place);
    for (const one of before.filter(isLeft)) {
      const candidates = after.filter((other) => isLeft(other) && test(one, other));
      const [best] = candidates.toSorted((a, b) => differences(one, a).length - differences(one, b).length);
      if (best !== undefined) pairs.push([one, best]);
    }
  }
  return pairs;
}
