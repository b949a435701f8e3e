import { elementsOf, membersOf } from "../spec/json.ts";
import { compareText } from "../contract/text.ts";
import { isOfType, type Direction } from "../spec/schemas.ts";
import type { DifferenceCode, Extent } from "./differences.ts";
import { kindOf } from "./phrases.ts";
import { closedGaps, isSameValue, sortedStrings, tell, type Comparison, type Told } from "./comparison.ts";
import { includesType } from "../spec/mergedSchema.ts";
import { hasValue, holderIn, impliedIn, typesIn, valueIn, type FlatSchema } from "./flatSchema.ts";
import type { FlatPair } from "./flatPair.ts";
import { childOf } from "./places.ts";

/** Compares the types. Returns `true` if they differ in a way that makes other differences relevant. */
export function compareTypes(to: Comparison, pair: FlatPair): boolean {
  const { before, after } = pair;
  const [old, current] = [typesIn(before), typesIn(after)];
  if (isSameValue(old, current) || isTypeImplied(before, after)) return false;
  const lacks = (list: readonly string[], other: readonly string[]) =>
    list.length > 0 && (other.length === 0 || other.some((type) => !includesType(list, type)));
  // A schema with properties implied an object even without a type.
  const isSaid = isSameValue(impliedIn(before), impliedIn(after));
  const extent = isSaid ? "same" : extentOf(lacks(current, old), lacks(old, current));
  tellKeyword(to, pair, "type", { code: "schema-type-changed", facts: { before: old, after: current }, extent });
  return true;
}

function extentOf(hasLost: boolean, hasGained: boolean): Extent {
  if (hasLost === hasGained) return hasLost ? "other" : "same";
  return hasLost ? "fewer" : "more";
}

/** Returns whether the listed values imply the types. */
function isTypeImplied(before: FlatSchema, after: FlatSchema): boolean {
  const [isListed, isListedNow] = [before, after].map((flat) => flat.written.has("enum"));
  if (isListed === true && isListedNow === true) return true;
  const isUntyped = (flat: FlatSchema) => typesIn(flat).length === 0;
  return (isListed === true && isUntyped(before)) || (isListedNow === true && isUntyped(after));
}

/** Compares the keywords that limit values, and the default. */
export function compareLimits(to: Comparison, pair: FlatPair): void {
  compareEnum(to, pair);
  compareBounds(to, pair);
  for (const [keyword, compare] of Object.entries(limits)) {
    const [old, current] = [valueIn(pair.before, keyword), valueIn(pair.after, keyword)];
    if (isSameValue(old, current)) continue;
    const extent = compare(old, current, pair.direction);
    const facts = { field: keyword, before: old, after: current };
    tellKeyword(to, pair, keyword, { code: codeOfLimit(keyword, current), facts, extent });
  }
  compareDefault(to, pair);
  compareKnownValues(to, pair);
}

type Measure = (before: unknown, after: unknown, direction: Direction | undefined) => Extent;

const lower: Measure = (before, after) => (Number(after ?? 0) > Number(before ?? 0) ? "fewer" : "more");
const upper: Measure = (before, after) => (Number(after ?? Infinity) < Number(before ?? Infinity) ? "fewer" : "more");
const exact: Measure = (before, after) => extents[kindOf(before, after)];

/** The effect on the allowed values if a limiting keyword is added, removed or changed. */
export const extents = { added: "fewer", removed: "more", changed: "other" } as const;

/** How keywords limit values. */
export const limits: Readonly<Record<string, Measure>> = {
  ...{ minLength: lower, minItems: lower, minProperties: lower, minContains: lower },
  ...{ maxLength: upper, maxItems: upper, maxProperties: upper, maxContains: upper },
  ...{ pattern: exact, contentEncoding: exact, contentMediaType: exact, uniqueItems: exact, false: exact },
  // Elements and attributes have other names or places.
  xml: () => "other",
  format: widened((narrow, wide) => `${String(narrow)} ${String(wide)}`, ["int32 int64", "float double"]),
  multipleOf: (before, after) => {
    const [old, current] = [Number(before), Number(after)];
    if (before === undefined || after === undefined) return exact(before, after, undefined);
    return extentOf(!Number.isInteger(old / current), !Number.isInteger(current / old));
  },
  dependentRequired: (before, after) => extentOf(hasMore(after, before), hasMore(before, after)),
};

function codeOfLimit(keyword: string, after: unknown) {
  if (keyword === "false") return after === undefined ? "schema-allowed" : "schema-forbidden";
  if (keyword === "dependentRequired") return "dependent-required-changed";
  return keyword === "minContains" || keyword === "maxContains" ? "contains-changed" : "schema-constraint-changed";
}

/** Measures a keyword with values that include each other: `int64` includes `int32`. */
function widened(pairOf: (narrow: unknown, wide: unknown) => string, wider: readonly string[]): Measure {
  return (before, after, direction) => {
    if (wider.includes(pairOf(before, after))) return "more";
    return wider.includes(pairOf(after, before)) ? "fewer" : exact(before, after, direction);
  };
}

/** Returns whether one `dependentRequired` requires a property that the other doesn't. */
function hasMore(one: unknown, other: unknown): boolean {
  const others = new Map(membersOf(other));
  return membersOf(one).some(([name, list]) => elementsOf(list).some((value) => !hasValue(others.get(name), value)));
}

function compareEnum(to: Comparison, pair: FlatPair): void {
  const isListed = pair.before.written.has("enum") && pair.after.written.has("enum");
  const [old, current] = [pair.before, pair.after].map((flat) =>
    isListed ? typedValues(flat) : valueIn(flat, "enum"),
  );
  if (old === undefined && current === undefined) return;
  const sorted = (list: unknown) => elementsOf(list).toSorted((a, b) => compareText(String(a), String(b)));
  const lost = sorted(old).filter((value) => !hasValue(current, value));
  const gained = sorted(current).filter((value) => !hasValue(old, value));
  const facts = { field: "enum", before: old, after: current };
  if (old === undefined) tellKeyword(to, pair, "enum", { code: "enum-added", facts });
  else if (current === undefined) tellKeyword(to, pair, "enum", { code: "enum-removed", facts });
  else if (lost.length + gained.length > 0) {
    tellKeyword(to, pair, "enum", { code: "enum-changed", facts: { gained, lost } });
  }
}

/** The listed values that have one of the types. */
function typedValues(flat: FlatSchema): readonly unknown[] {
  const types = typesIn(flat);
  const values = elementsOf(valueIn(flat, "enum"));
  return types.length === 0 ? values : values.filter((value) => types.some((type) => isOfType(value, type)));
}

/** The keywords that limit numbers on either side, and the name for both. */
export const bounds = [
  { name: "Lower bound", inclusive: "minimum", exclusive: "exclusiveMinimum", sign: 1 },
  { name: "Upper bound", inclusive: "maximum", exclusive: "exclusiveMaximum", sign: -1 },
] as const;

function compareBounds(to: Comparison, pair: FlatPair): void {
  for (const bound of bounds) {
    const [old, current] = [boundOf(pair.before, bound), boundOf(pair.after, bound)];
    const isLower = current.limit * bound.sign < old.limit * bound.sign;
    if (current.limit === old.limit && current.isExclusive === old.isExclusive) continue;
    const isNarrower = current.limit === old.limit ? current.isExclusive : !isLower;
    const isGone = current.value === undefined;
    const facts = { name: bound.name, before: old, after: current };
    const extent = isNarrower ? "fewer" : "more";
    tellKeyword(to, pair, isGone ? old.keyword : current.keyword, { code: "schema-bound-changed", facts, extent });
  }
}

interface Bound {
  /** The strictest keyword, and its value. */
  readonly keyword: string;
  readonly value: number | undefined;
  /** The limit itself. For integers, above 0 is the same as from 1. */
  readonly limit: number;
  readonly isExclusive: boolean;
}

function boundOf(flat: FlatSchema, { inclusive, exclusive, sign }: (typeof bounds)[number]): Bound {
  const isInteger = isSameValue(typesIn(flat), ["integer"]);
  const read = (keyword: string, isBeyond: boolean): Bound => {
    const found = valueIn(flat, keyword);
    const value = typeof found === "number" ? found : undefined;
    const isNext = isBeyond && isInteger && Number.isInteger(value);
    const limit = (value ?? -Infinity * sign) + (isNext ? sign : 0);
    return { keyword, value, limit, isExclusive: isBeyond && !isNext && value !== undefined };
  };
  const [one, other] = [read(inclusive, false), read(exclusive, true)];
  return (other.limit - one.limit) * sign > 0 || (other.limit === one.limit && other.isExclusive) ? other : one;
}

function compareDefault(to: Comparison, pair: FlatPair): void {
  const [old, current] = [valueIn(pair.before, "default"), valueIn(pair.after, "default")];
  if (isSameValue(old, current)) return;
  const facts = { field: "default", before: old, after: current };
  tellKeyword(to, pair, "default", { code: "default-changed", facts });
}

/** Compares the known values. If one side has an enum, that has been reported. */
function compareKnownValues(to: Comparison, pair: FlatPair): void {
  const [old, current] = [pair.before, pair.after].map((flat) => valueIn(flat, "x-extensible-enum"));
  const [values, others] = [sortedStrings(old), sortedStrings(current)];
  if (isSameValue(values, others) || pair.before.written.has("enum") !== pair.after.written.has("enum")) return;
  const lost = values.filter((value) => !others.includes(value));
  const facts = { field: "x-extensible-enum", before: old, after: current, lost };
  tellKeyword(to, pair, "x-extensible-enum", { code: "known-values-changed", facts });
}

/** Reports a keyword at its place. A keyword that only fills a gap is a clarification. */
function tellKeyword<Code extends DifferenceCode>(
  to: Comparison,
  { before, after, place, direction, closed }: FlatPair,
  keyword: string,
  told: Pick<Told<Code>, "code" | "facts" | "extent">,
): void {
  const subject = holderIn(after, keyword) ?? place;
  const written = childOf(subject, keyword) ?? (keyword === "enum" ? childOf(subject, "const") : undefined);
  const isGone = valueIn(after, keyword) === undefined;
  const own = closedGaps(
    { "x-unspecified": valueIn(before, "x-unspecified") },
    { "x-unspecified": valueIn(after, "x-unspecified") },
  );
  const fillsGap =
    valueIn(before, keyword) === undefined &&
    !["enum", "type"].includes(keyword) &&
    [...closed, ...own].some((gap) => gap.startsWith(keyword.replace("exclusiveM", "m")));
  tell(to, { ...told, place: written ?? subject, subject, direction, field: keyword, isGone, fillsGap });
}
