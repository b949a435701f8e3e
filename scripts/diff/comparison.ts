import { canonicalJson, compareText, reachable } from "../contract/text.ts";
import { isObject, stringOf, stringsOf, valueAt } from "../spec/json.ts";
import { lifecycleDays, lifecycleOf } from "../spec/lifecycle.ts";
import type { Direction } from "../spec/schemas.ts";
import type { ChangeKind, Fact, GapChange, Impact, Sentence } from "./changes.ts";
import {
  differenceTypes,
  type Circumstances,
  type DifferenceCode,
  type DifferenceType,
  type FactsOf,
} from "./differences.ts";
import type { FieldChange } from "./phrases.ts";
import { childOf, fieldValues, type BothPlaces, type Place } from "./places.ts";

/** A difference between two places. */
export interface PlacedDifference {
  readonly impact: Impact;
  readonly kind: ChangeKind;
  readonly rule?: string | undefined;
  readonly direction?: Direction | undefined;
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

/** A difference to report, with the facts that its sentence has. */
export interface Told<Code extends DifferenceCode> extends Circumstances {
  readonly code: Code;
  readonly facts: FactsOf<Code>;
  readonly place: Place;
  /** Default: the place itself. */
  readonly subject?: Place | undefined;
  /** True if it only says what a gap left open. */
  readonly fillsGap?: boolean;
}

/** Reports a difference, rated by the table of differences. */
export function tell<Code extends DifferenceCode>(
  to: Comparison,
  told: Told<Code> & Pick<Sentence, "isNamed" | "field" | "isGone">,
): void {
  const { code, facts, place, subject = place, direction, extent, fillsGap = false, ...rest } = told;
  const { kind, rule, breaks, isNote, sentence }: DifferenceType<FactsOf<Code>> = differenceTypes[code];
  const fact = { type: "sentence", code, facts, words: sentence(facts), ...rest } as const;
  const found = { place, subject, fact };
  if (isNote === true || fillsGap) {
    to.differences.push({ impact: "patch", kind: "clarified", ...found });
    return;
  }
  const isMajor = breaks?.({ direction, extent }, facts) === true;
  const broken = typeof rule === "object" ? direction && rule[direction] : rule;
  const impact = isMajor ? "major" : "minor";
  to.differences.push({ impact, kind, direction, rule: isMajor ? broken : undefined, ...found });
}

/** Reports a field with a changed value. */
export function tellField<Code extends DifferenceCode>(
  to: Comparison,
  both: BothPlaces,
  field: string,
  told: Pick<Told<Code>, "code" | "facts"> & Circumstances,
): void {
  const { after } = both;
  const isGone = fieldValues(both, field)[1] === undefined;
  tell(to, { place: childOf(after, field) ?? after, subject: after, field, isGone, ...told });
}

/** The field of two places, as a fact. */
export function fieldChange(both: BothPlaces, field: string): FieldChange {
  const [before, after] = fieldValues(both, field);
  return { field, before, after };
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
export const explaining: Readonly<Record<string, "told" | "untold">> = {
  ...{ summary: "told", title: "told", tags: "told" },
  ...{ description: "untold", example: "untold", examples: "untold", externalDocs: "untold", links: "untold" },
};

/** Fields of objects that aren't schemas, and that rules compare. */
const ruled = new Set([
  ...["operationId", "parameters", "requestBody", "responses", "callbacks", "security", "servers", "deprecated"],
  ...["name", "in", "required", "style", "explode", "allowEmptyValue", "allowReserved", "schema", "content"],
  ...["headers", "encoding", "value", "externalValue", "url", "variables", "enum", "default"],
  ...["version", "contact", "license", "termsOfService", "type", "scheme", "bearerFormat", "flows", "openIdConnectUrl"],
]);

/**
 * Compares the common fields of objects: notes, lifecycle and gaps. Reports changes of fields that no rule compares, too.
 */
export function compareNotes(to: Comparison, pair: BothPlaces, untouched: readonly string[] = []): void {
  const written = Object.keys({ ...objectOf(pair.before.value), ...objectOf(pair.after.value) });
  const others = written.filter((field) => !ruled.has(field) && !(field in explaining) && !field.startsWith("x-"));
  for (const field of differingFields(pair, others))
    tellField(to, pair, field, { code: "uncompared", facts: { field } });
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
  const { after: subject } = both;
  const code = explaining[field] === "told" ? "note-changed" : "prose-changed";
  tell(to, { code, facts: fieldChange(both, field), place: childOf(subject, field) ?? subject, subject });
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
  const code = gaps.opened.length > 0 ? "gaps-opened" : "gaps-closed";
  tell(to, { code, facts: gaps, place: childOf(after, "x-unspecified") ?? after, subject: after });
}

function objectOf(value: unknown): object {
  return isObject(value) ? value : {};
}
