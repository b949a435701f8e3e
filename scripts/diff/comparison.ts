import { canonicalJson, isObject, pointerKeys, stringOf, stringsOf, valueAt } from "../values/json.ts";
import { compareText } from "../values/text.ts";
import { reachable } from "../values/collections.ts";
import { lifecycleDays, lifecycleOf, type Lifecycle } from "../spec/lifecycle.ts";
import { mapObjects, referencesIn } from "../spec/walk.ts";
import type { RatedDifference } from "./changes.ts";
import {
  differenceTypes,
  type Circumstances,
  type DifferenceCode,
  type DifferenceType,
  type Extent,
  type FactsOf,
  type Removal,
} from "./differences.ts";
import type { FieldChange } from "./phrases.ts";
import { childOf, fieldValues, followPlace, memberOf, placeAt, type BothPlaces, type Place } from "./places.ts";

/** A difference between two places. */
export interface PlacedDifference extends RatedDifference {
  /** The place of the difference, in the old document if it was removed. */
  readonly place: Place;
  /** The object that it is reported for. */
  readonly subject: Place;
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
  told: Told<Code> & Pick<RatedDifference, "field" | "isGone">,
): void {
  const { code, place, subject = place, direction, extent, fillsGap = false, field, isGone } = told;
  const { kind, rule, breaks, isNote, isAnnounced, sentence, listed }: DifferenceType<FactsOf<Code>> =
    differenceTypes[code];
  const removal = isAnnounced === true ? removalOf(place) : undefined;
  const facts = { ...told.facts, ...removal };
  const found = { code, facts, words: sentence(facts), listed: listed?.(facts), field, isGone, place, subject };
  if (isNote === true || fillsGap) {
    to.differences.push({ impact: "patch", kind: isNote === true ? kind : "clarified", ...found });
    return;
  }
  const isMajor = breaks?.({ direction, extent }, facts) === true;
  const broken = typeof rule === "object" ? direction && rule[direction] : rule;
  const rating = isMajor ? ({ impact: "major", rule: broken } as const) : ({ impact: "minor" } as const);
  to.differences.push({ ...rating, kind, direction, notice: removal?.notice, ...found });
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

/** Whether fewer or more values are allowed, if some were lost or gained. */
export function extentOf(hasLost: boolean, hasGained: boolean): Extent {
  if (hasLost === hasGained) return hasLost ? "other" : "same";
  return hasLost ? "fewer" : "more";
}

/** Fields that are notes, and whether their values are reported. */
const explaining: Readonly<Record<string, "told" | "untold">> = {
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
  const texts = Object.keys(explaining).filter((field) => !untouched.includes(field) && !hasSameTags(pair, field));
  compareTexts(to, pair, texts);
  if (!untouched.includes("deprecated")) compareLifecycle(to, pair);
  compareGaps(to, pair);
}

/** Returns whether a field has the same tags in any order. */
function hasSameTags({ before, after }: BothPlaces, field: string): boolean {
  const tagsOf = (place: Place) => sortedStrings(valueAt(place.value, [field]));
  return field === "tags" && isSameValue(tagsOf(before), tagsOf(after));
}

/** Compares fields that are notes. */
export function compareTexts(to: Comparison, both: BothPlaces, fields: readonly string[]): void {
  const { after: subject } = both;
  for (const field of differingFields(both, fields)) {
    const code = explaining[field] === "told" ? "note-changed" : "prose-changed";
    tell(to, { code, facts: fieldChange(both, field), place: childOf(subject, field) ?? subject, subject });
  }
}

/** Reports whether something is deprecated, and its dates. */
export function compareLifecycle(to: Comparison, { before, after }: BothPlaces): void {
  const [old, current] = [lifecycleAt(before), lifecycleAt(after)];
  const { deprecatedOn, sunset } = current;
  const at = (field: string) => ({ place: childOf(after, field) ?? after, subject: after });
  if (old.isDeprecated !== current.isDeprecated) {
    const where = at("deprecated");
    if (!current.isDeprecated) tell(to, { ...where, code: "undeprecated", facts: {} });
    else {
      const facts = { deprecatedOn, sunset, hasReplacement: namesReplacement(after) };
      tell(to, { ...where, code: "deprecated", facts });
    }
    return;
  }
  if (old.deprecatedOn !== deprecatedOn) {
    const facts = { field: lifecycleDays.deprecatedOn, before: old.deprecatedOn, after: deprecatedOn };
    tell(to, { ...at(lifecycleDays.deprecatedOn), code: "deprecation-dated", facts });
  }
  if (old.sunset === sunset) return;
  const where = at(lifecycleDays.sunset);
  if (sunset === undefined) tell(to, { ...where, code: "sunset-removed", facts: {} });
  else if (old.sunset === undefined) tell(to, { ...where, code: "sunset-set", facts: { after: sunset } });
  else tell(to, { ...where, code: "sunset-moved", facts: { before: old.sunset, after: sunset } });
}

function lifecycleAt(place: Place): Lifecycle {
  return lifecycleOf({ ...objectOf(followPlace(place).value), ...objectOf(place.value) });
}

/**
 * Returns whether the description of something deprecated contains code or a link, which may be the replacement. Where a
 * whole generation is deprecated, its own description may name it, too.
 */
function namesReplacement(place: Place): boolean {
  const info = memberOf(placeAt(place.document, []), "info");
  const isWhole = valueAt(info?.value, [lifecycleDays.deprecatedOn]) !== undefined;
  const texts = [place, followPlace(place), ...(isWhole && info !== undefined ? [info] : [])];
  return texts.some(({ value }) => /[`[]/.test(stringOf(valueAt(value, ["description"])) ?? ""));
}

/** How a removal was announced: whether on a day before, a later one, or none. */
function removalOf(place: Place): Removal {
  const { isDeprecated, deprecatedSince, deprecatedOn, sunset } = lifecycleAt(place);
  if (!isDeprecated) return { notice: "removed-without-deprecation" };
  const since = deprecatedSince ?? deprecatedOn;
  if (sunset === undefined) return { notice: "removed-without-sunset", since };
  const today = new Date().toISOString().slice(0, 10);
  return { notice: sunset < today ? "removed-as-announced" : "removed-before-sunset", since, sunset };
}

/** The gaps that an object no longer has. */
export function closedGaps(before: unknown, after: unknown): readonly string[] {
  const kept = gapsOf(after);
  return gapsOf(before).filter((gap) => !kept.includes(gap));
}

function gapsOf(value: unknown): readonly string[] {
  return sortedStrings(valueAt(value, ["x-unspecified"]));
}

export function compareGaps(to: Comparison, { before, after }: BothPlaces): void {
  const where = { place: childOf(after, "x-unspecified") ?? after, subject: after };
  const closed = closedGaps(before.value, after.value);
  const opened = closedGaps(after.value, before.value);
  if (closed.length > 0) tell(to, { ...where, code: "gaps-closed", facts: { gaps: closed } });
  if (opened.length > 0) tell(to, { ...where, code: "gaps-opened", facts: { gaps: opened } });
}

function objectOf(value: unknown): object {
  return isObject(value) ? value : {};
}

/** Reports a field that has no comparison of its own, if it means something else. Returns whether it does. */
export function compareMeaning(to: Comparison, both: BothPlaces, field: string, where: Circumstances): boolean {
  const [before, after] = [both.before, both.after].map((place) => childOf(place, field));
  if ((before && meaningOf(before)) === (after && meaningOf(after))) return false;
  tellField(to, both, field, { code: "uncompared", facts: { field }, ...where });
  return true;
}

/** A value with everything that it refers to, as JSON without texts, examples and extensions. */
export function meaningOf({ document, value }: Pick<Place, "document" | "value">): string {
  const targetOf = (reference: string) => valueAt(document, pointerKeys(reference));
  const reached = reachable(referencesIn(value), (reference) => referencesIn(targetOf(reference)));
  const targets = [...reached].toSorted(compareText).map((reference) => [reference, withoutNotes(targetOf(reference))]);
  return canonicalJson([withoutNotes(value), targets]);
}

function withoutNotes(value: unknown): unknown {
  return mapObjects(value, (object) =>
    Object.fromEntries(Object.entries(object).filter(([field]) => !(field in explaining) && !field.startsWith("x-"))),
  );
}
