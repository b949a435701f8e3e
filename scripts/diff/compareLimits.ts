import { elementsOf, valueAt } from "../values/json.ts";
import { compareText } from "../values/text.ts";
import type { DifferenceCode, Extent } from "./differences.ts";
import { kindOf } from "./phrases.ts";
import { closedGaps, extentOf, isSameValue, sortedStrings, tell, type Comparison, type Told } from "./comparison.ts";
import { includesType, keywordMerges } from "../spec/mergedSchema.ts";
import {
  hasValue,
  holderIn,
  impliedIn,
  knownTypes,
  listedIn,
  typesIn,
  valueIn,
  valuesIn,
  type FlatSchema,
} from "./flatSchema.ts";
import type { FlatPair } from "./flatPair.ts";
import { childOf, type Place } from "./places.ts";

/** Compares the types. Returns `true` if they differ in a way that makes other differences relevant. */
export function compareTypes(to: Comparison, pair: FlatPair): boolean {
  const { before, after } = pair;
  // Listed values say what changed by themselves.
  if (before.written.has("enum") && after.written.has("enum")) return false;
  const [old, current] = [knownTypes(before), knownTypes(after)];
  if (isSameValue(old, current)) return false;
  const lacks = (list: readonly string[], other: readonly string[]) =>
    list.length > 0 && (other.length === 0 || other.some((type) => !includesType(list, type)));
  // A schema with properties implied an object even without a type.
  const isSaid = isSameValue(impliedIn(before), impliedIn(after));
  const extent = isSaid ? "same" : extentOf(lacks(current, old), lacks(old, current));
  // The list of values is told by itself.
  if (before.written.has("enum") && extent === "more") return false;
  if (after.written.has("enum") && extent === "fewer") return false;
  tellKeyword(to, pair, "type", { code: "schema-type-changed", facts: { before: old, after: current }, extent });
  return true;
}

/** Compares the keywords that limit values, and the default. */
export function compareLimits(to: Comparison, pair: FlatPair): void {
  compareEnum(to, pair);
  compareBounds(to, pair);
  for (const [keyword, compare] of Object.entries(limits)) {
    const [olds, currents] = [valuesIn(pair.before, keyword), valuesIn(pair.after, keyword)];
    const old = mergedValue(pair.before, keyword, currents);
    const current = mergedValue(pair.after, keyword, olds);
    if (isSameValue(old, current)) continue;
    const extent = compare(old, current);
    const facts = { field: keyword, before: old, after: current };
    tellKeyword(to, pair, keyword, { code: "schema-constraint-changed", facts, extent });
  }
  compareDefault(to, pair);
  compareKnownValues(to, pair);
}

/**
 * The value of a keyword, or the one that the other schemas don't have, if there are several. Of several patterns, each
 * applies.
 */
function mergedValue(flat: FlatSchema, keyword: string, others: readonly unknown[]): unknown {
  const values = valuesIn(flat, keyword);
  if (values.length < 2 || keywordMerges[keyword] !== undefined) return valueIn(flat, keyword);
  return values.find((value) => !hasValue(others, value));
}

type Measure = (before: unknown, after: unknown) => Extent;

const lower: Measure = (before, after) => (Number(after ?? 0) > Number(before ?? 0) ? "fewer" : "more");
const upper: Measure = (before, after) => (Number(after ?? Infinity) < Number(before ?? Infinity) ? "fewer" : "more");
const exact: Measure = (before, after) =>
  ({ added: "fewer", removed: "more", changed: "other" } as const)[kindOf(before, after)];

/** How keywords limit values. */
export const limits: Readonly<Record<string, Measure>> = {
  ...{ minLength: lower, minItems: lower, minProperties: lower },
  ...{ maxLength: upper, maxItems: upper, maxProperties: upper },
  ...{ pattern: exact, contentEncoding: exact, contentMediaType: exact, uniqueItems: exact },
  format: (before, after) => {
    const [old, current] = [before, after].map((format) => (hints.has(format) ? undefined : format));
    if (old === current) return "same";
    if (hasWider(old, current)) return "more";
    return hasWider(current, old) ? "fewer" : exact(old, current);
  },
  multipleOf: (before, after) => {
    const [old, current] = [Number(before), Number(after)];
    if (before === undefined || after === undefined) return exact(before, after);
    return extentOf(!Number.isInteger(old / current), !Number.isInteger(current / old));
  },
};

/** Formats that limit no value. */
const hints = new Set<unknown>(["password"]);

/** Formats of which all values are of the other one, too. */
const wider: Readonly<Record<string, readonly unknown[]>> = {
  ...{ int32: ["int64"], float: ["double"], email: ["idn-email"], hostname: ["idn-hostname"] },
  ...{ uri: ["uri-reference", "iri", "iri-reference"], iri: ["iri-reference"], "uri-reference": ["iri-reference"] },
};

function hasWider(format: unknown, other: unknown): boolean {
  return typeof format === "string" && Object.hasOwn(wider, format) && wider[format]?.includes(other) === true;
}

function compareEnum(to: Comparison, pair: FlatPair): void {
  const [old, current] = [pair.before, pair.after].map(listedIn);
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
  pair: FlatPair,
  keyword: string,
  told: Pick<Told<Code>, "code" | "facts" | "extent">,
): void {
  const { before, after, direction, closed } = pair;
  const subject = changedHolder(pair, keyword);
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

/** The schema with a changed keyword. What is unchanged where it's written is a change of the place that refers to it. */
export function changedHolder({ after, views, place }: FlatPair, keyword: string): Place {
  const holder = holderIn(after, keyword);
  const former = views.before[0]?.document;
  if (holder === undefined || former === undefined) return place;
  const written = (root: object) => [keyword, "const"].map((field) => valueAt(root, [...holder.keys, field]));
  return isSameValue(written(former), written(holder.document)) ? place : holder;
}
