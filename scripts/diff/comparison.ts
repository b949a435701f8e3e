import { canonicalJson, compareText, reachable } from "../contract/text.ts";
import { isObject, stringOf, stringsOf, valueAt } from "../spec/json.ts";
import { lifecycleDays, lifecycleOf } from "../spec/lifecycle.ts";
import type { Direction } from "../spec/schemas.ts";
import type { ChangeKind, Fact, GapChange, Impact, Sentence } from "./changes.ts";
import { fieldText, gapsText, proseText } from "./changeText.ts";
import { childOf, fieldValues, type BothPlaces, type Place } from "./places.ts";

/** A difference between two places. */
export interface PlacedDifference {
  readonly impact: Impact;
  readonly kind: ChangeKind;
  readonly rule?: string | undefined;
  readonly direction?: Direction | undefined;
  readonly gaps?: GapChange;
  /** The place of the difference, in the old document if it was removed. */
  readonly place: Place;
  /** The object that it is reported for. */
  readonly subject: Place;
  readonly fact: Fact;
}

/**
 * The differences between two places, and between their parts and references. The comparison may contain
 * itself.
 */
export interface Comparison {
  readonly differences: PlacedDifference[];
  readonly parts: Comparison[];
  /** The old and the new name of a named schema. */
  readonly names?: readonly [before: string, after: string];
}

export function createComparison(): Comparison {
  return { differences: [], parts: [] };
}

/** All differences at any depth, without duplicates. */
export function differencesOf(comparison: Comparison): readonly PlacedDifference[] {
  return [...reachable([comparison], ({ parts }) => parts)].flatMap(({ differences }) => differences);
}

/** Returns whether two places mean the same, apart from notes. */
export function isSameMeaning(comparison: Comparison): boolean {
  return differencesOf(comparison).every(({ impact }) => impact === "patch");
}

/** A difference, with the rule that makes it a breaking change if there is one. */
interface Told {
  readonly kind: "added" | "removed" | "changed";
  readonly place: Place;
  /** Default: the place itself. */
  readonly subject?: Place;
  readonly text: string;
  readonly rule?: string | false | undefined;
  readonly direction?: Direction | undefined;
}

export function tell(to: Comparison, told: Told & Pick<Sentence, "isNamed" | "field" | "isGone">): void {
  const { kind, place, subject = place, text, rule, direction, ...rest } = told;
  const breaks = rule === false || rule === undefined ? undefined : rule;
  const impact = breaks === undefined ? "minor" : "major";
  to.differences.push({
    ...{ impact, kind, place, subject, direction },
    rule: breaks,
    fact: { type: "sentence", text, ...rest },
  });
}

/** Reports a field with a changed value. */
export function tellField(
  to: Comparison,
  both: BothPlaces,
  field: string,
  more: Partial<Pick<Told, "text" | "rule" | "direction">> = {},
): void {
  const { after } = both;
  const [old, current] = fieldValues(both, field);
  const place = childOf(after, field) ?? after;
  tell(to, {
    ...{ kind: "changed", place, subject: after, text: fieldText(field, old, current) },
    ...{ field, isGone: current === undefined },
    ...more,
  });
}

/** The fields whose values differ. Lists are compared in order. */
export function differingFields({ before, after }: BothPlaces, fields: readonly string[]): readonly string[] {
  return fields.filter((field) => !isSameValue(valueAt(before.value, [field]), valueAt(after.value, [field])));
}

/** The strings of an unordered list. */
export function sortedStrings(list: unknown): readonly string[] {
  return stringsOf(list).toSorted(compareText);
}

/** Returns whether two values are equal, in any order of their members. */
export function isSameValue(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (typeof before !== "object" || typeof after !== "object") return false;
  return canonicalJson(before) === canonicalJson(after);
}

/** Fields that are notes, and whether their values are reported. */
const explaining: Readonly<Record<string, "told" | "untold">> = {
  ...{ summary: "told", title: "told", tags: "told" },
  ...{ description: "untold", example: "untold", examples: "untold", externalDocs: "untold", links: "untold" },
};

/** Compares the common fields of objects: notes, lifecycle and gaps. */
export function compareNotes(to: Comparison, pair: BothPlaces, untouched: readonly string[] = []): void {
  const fields = Object.keys(explaining).filter((field) => !untouched.includes(field));
  for (const field of differingFields(pair, fields)) if (!hasSameTags(pair, field)) tellNote(to, pair, field);
  compareLifecycle(to, pair);
  compareGaps(to, pair);
}

/** Returns whether a field has the same tags in any order. */
function hasSameTags({ before, after }: BothPlaces, field: string): boolean {
  const tagsOf = (place: Place) => sortedStrings(valueAt(place.value, [field]));
  return field === "tags" && isSameValue(tagsOf(before), tagsOf(after));
}

/** Reports a changed note. */
export function tellNote(to: Comparison, both: BothPlaces, field: string): void {
  const { after } = both;
  const [old, current] = fieldValues(both, field);
  const text = explaining[field] === "told" ? fieldText(field, old, current) : proseText(field, old, current);
  explain(to, childOf(after, field) ?? after, after, text);
}

/** Reports a clarification. */
export function explain(to: Comparison, place: Place, subject: Place, text: string): void {
  to.differences.push({ impact: "patch", kind: "clarified", place, subject, fact: { type: "sentence", text } });
}

export function compareLifecycle(to: Comparison, { before, after }: BothPlaces): void {
  const [old, current] = [before, after].map(({ value }) => lifecycleOf(isObject(value) ? value : {}));
  if (old === undefined || current === undefined) return;
  const { isDeprecated, deprecatedOn: since, sunset } = current;
  const told = { impact: "minor", subject: after } as const;
  if (old.isDeprecated !== isDeprecated || old.deprecatedOn !== since) {
    const kind = isDeprecated ? "deprecated" : "changed";
    const place = childOf(after, "deprecated") ?? after;
    to.differences.push({ ...told, kind, place, fact: { type: "deprecation", isDeprecated, since, sunset } });
  } else if (old.sunset !== sunset) {
    const kind = sunset === undefined ? "changed" : "deprecated";
    const place = childOf(after, lifecycleDays.sunset) ?? after;
    to.differences.push({ ...told, kind, place, fact: { type: "sunset", day: sunset, former: stringOf(old.sunset) } });
  }
}

/** The gaps that only one of two states of an object has. */
export function gapChange(before: unknown, after: unknown): GapChange {
  const [old, current] = [before, after].map((value) => sortedStrings(valueAt(value, ["x-unspecified"])));
  return {
    closed: (old ?? []).filter((gap) => current?.includes(gap) !== true),
    opened: (current ?? []).filter((gap) => old?.includes(gap) !== true),
  };
}

export function compareGaps(to: Comparison, { before, after }: BothPlaces): void {
  const gaps = gapChange(before.value, after.value);
  if (gaps.closed.length + gaps.opened.length === 0) return;
  const impact = gaps.opened.length > 0 ? "minor" : "patch";
  const place = childOf(after, "x-unspecified") ?? after;
  const fact = { type: "sentence", text: gapsText(gaps) } as const;
  to.differences.push({ impact, kind: "clarified", gaps, place, subject: after, fact });
}
