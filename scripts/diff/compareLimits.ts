import { elementsOf } from "../values/json.ts";
import { compareText } from "../values/text.ts";
import type { Bound, DifferenceCode, Extent } from "./differences.ts";
import { kindOf } from "./phrases.ts";
import {
  closedGaps,
  differingFields,
  extentOf,
  isSameValue,
  sortedStrings,
  tell,
  type Comparison,
  type Told,
} from "./comparison.ts";
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
  type FlatPair,
  type FlatSchema,
} from "./flatSchema.ts";
import { childOf, placeAt, type Place } from "./places.ts";

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
    const before = mergedValue(pair.before, keyword, currents);
    const after = mergedValue(pair.after, keyword, olds);
    if (isSameValue(before, after)) continue;
    const facts = { field: keyword, before, after };
    const extent = compare(before, after);
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
  const others = (list: unknown, known: unknown) =>
    elementsOf(list)
      .filter((value) => !hasValue(known, value))
      .toSorted((a, b) => compareText(String(a), String(b)));
  const [lost, gained] = [others(old, current), others(current, old)];
  const facts = { field: "enum", before: old, after: current };
  if (old === undefined) tellKeyword(to, pair, "enum", { code: "enum-added", facts });
  else if (current === undefined) tellKeyword(to, pair, "enum", { code: "enum-removed", facts });
  else if (lost.length + gained.length > 0)
    tellKeyword(to, pair, "enum", { code: "enum-changed", facts: { gained, lost } });
}

/** The keywords that limit numbers on either side, and the name for both. */
export const bounds = [
  { name: "Lower bound", inclusive: "minimum", exclusive: "exclusiveMinimum", sign: 1 },
  { name: "Upper bound", inclusive: "maximum", exclusive: "exclusiveMaximum", sign: -1 },
] as const;

interface Limit extends Bound {
  /** The limit itself. For integers, above 0 is the same as from 1. */
  readonly limit: number;
}

function compareBounds(to: Comparison, pair: FlatPair): void {
  for (const bound of bounds) {
    const [before, after] = [boundOf(pair.before, bound), boundOf(pair.after, bound)];
    const strictness = compareStrictness(before, after, bound.sign);
    if (strictness === 0) continue;
    const { keyword } = after.value === undefined ? before : after;
    const facts = { name: bound.name, before, after };
    const extent = strictness < 0 ? "fewer" : "more";
    tellKeyword(to, pair, keyword, { code: "schema-bound-changed", facts, extent });
  }
}

function boundOf(flat: FlatSchema, { inclusive, exclusive, sign }: (typeof bounds)[number]): Limit {
  const isInteger = isSameValue(typesIn(flat), ["integer"]);
  const found = [inclusive, exclusive].flatMap((keyword): readonly Limit[] => {
    const value = valueIn(flat, keyword);
    if (typeof value !== "number") return [];
    const isBeyond = keyword === exclusive;
    const isNext = isBeyond && isInteger && Number.isInteger(value);
    return [{ keyword, value, limit: isNext ? value + sign : value, isExclusive: isBeyond && !isNext }];
  });
  const none = { keyword: inclusive, value: undefined, limit: -Infinity * sign, isExclusive: false };
  const [strictest = none] = found.toSorted((one, other) => compareStrictness(other, one, sign));
  return strictest;
}

/** Compares by how many values are allowed. The least strict bound comes first. */
function compareStrictness(one: Limit, other: Limit, sign: number): number {
  if (one.limit === other.limit) return Number(one.isExclusive) - Number(other.isExclusive);
  return (one.limit - other.limit) * sign;
}

function compareDefault(to: Comparison, pair: FlatPair): void {
  const [before, after] = [valueIn(pair.before, "default"), valueIn(pair.after, "default")];
  if (isSameValue(before, after)) return;
  tellKeyword(to, pair, "default", { code: "default-changed", facts: { field: "default", before, after } });
}

/** Compares the known values. If one side has an enum, that has been reported. */
function compareKnownValues(to: Comparison, pair: FlatPair): void {
  const field = "x-extensible-enum";
  const [before, after] = [valueIn(pair.before, field), valueIn(pair.after, field)];
  const [values, others] = [sortedStrings(before), sortedStrings(after)];
  if (isSameValue(values, others) || pair.before.written.has("enum") !== pair.after.written.has("enum")) return;
  const lost = values.filter((value) => !others.includes(value));
  tellKeyword(to, pair, field, { code: "known-values-changed", facts: { field, before, after, lost } });
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
  const [gaps, gapsNow] = [before, after].map((flat) => ({ "x-unspecified": valueIn(flat, "x-unspecified") }));
  const fillsGap =
    valueIn(before, keyword) === undefined &&
    !["enum", "type"].includes(keyword) &&
    [...closed, ...closedGaps(gaps, gapsNow)].some((gap) => gap.startsWith(keyword.replace("exclusiveM", "m")));
  tell(to, { ...told, place: written ?? subject, subject, direction, field: keyword, isGone, fillsGap });
}

/**
 * The schema that a change of a keyword is reported for: the one that has it, or if nothing changed there, the place that
 * refers to it now.
 */
function changedHolder({ after, views, place }: FlatPair, keyword: string): Place {
  const holder = holderIn(after, keyword);
  const former = views.before[0]?.document;
  if (holder === undefined || former === undefined) return place;
  const both = { before: placeAt(former, holder.keys), after: holder };
  return differingFields(both, [keyword, "const"]).length === 0 ? place : holder;
}
