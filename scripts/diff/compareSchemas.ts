import { recall } from "../values/collections.ts";
import { isReference } from "../spec/openapi.ts";
import { hiding } from "../spec/schemas.ts";
import { compareChoices, compareDiscriminator, compareSubtypes } from "./compareChoices.ts";
import { bounds, compareLimits, compareTypes, limits } from "./compareLimits.ts";
import { compareProperties } from "./compareProperties.ts";
import { compareGaps, compareLifecycle, createComparison, isSameValue, tell, type Comparison } from "./comparison.ts";
import { isTrue, type FlatPair, type Use } from "./flatPair.ts";
import {
  flatten,
  holderIn,
  isNothing,
  keyOfView,
  nameOfView,
  notes,
  schemasIn,
  singleSchemas,
  valuesIn,
  type FlatSchema,
  type SchemaView,
  type Written,
} from "./flatSchema.ts";
import { meaningOf } from "./meaning.ts";
import { childOf, pointerOfPlace, targetPlace, type Place } from "./places.ts";

/** Cached comparisons, by the two documents and then by the places and their use. */
const compared = new WeakMap<object, WeakMap<object, Map<string, Comparison>>>();

/** Compares two states of the schemas for a value. Without schemas, any value is allowed. */
export function compareSchemas(before: SchemaView, after: SchemaView, use: Use): Comparison {
  const views = { before: withoutReference(before), after: withoutReference(after) };
  // What differs between a component and another use of it is the use.
  const isOne = keyOfView(views.before) === keyOfView(views.after);
  const [place = before[0]] = isOne ? views.after : after;
  if (place === undefined) return createComparison();
  const comparison = compareViews(views, place, use);
  const names = [nameOfView(before), nameOfView(after)] as const;
  return names[0] === undefined || names[1] === undefined || names[0] === names[1]
    ? comparison
    : { differences: [], parts: [comparison], names: [names[0], names[1]] };
}

function compareViews(views: FlatPair["views"], place: Place, { direction, closed = [] }: Use): Comparison {
  const { before, after } = views;
  const [first = place, last = place] = [before[0], after[0]];
  const byDocument = recall(compared, first.document, () => new WeakMap<object, Map<string, Comparison>>());
  const known = recall(byDocument, last.document, () => new Map<string, Comparison>());
  const way = [keyOfView(before), "to", keyOfView(after), "at", pointerOfPlace(place)];
  const key = [...way, direction ?? "", ...closed].join(" ");
  const found = known.get(key);
  if (found !== undefined) return found;
  const comparison = createComparison();
  // A schema may refer to itself.
  known.set(key, comparison);
  const flat = { before: flatten(before), after: flatten(after) };
  compareFlat(comparison, { ...flat, views, place, closed, direction, compare: compareSchemas });
  return comparison;
}

/** A view without a reference that is all it consists of. */
function withoutReference(view: SchemaView): SchemaView {
  const [place, ...others] = view;
  if (place === undefined || others.length > 0) return view;
  const isAlone = isReference(place.value) && Object.keys(place.value).length === 1;
  const target = isAlone ? targetPlace(place) : undefined;
  return target === undefined ? view : withoutReference([target]);
}

function compareFlat(to: Comparison, pair: FlatPair): void {
  const { before, after, direction } = pair;
  compareOwn(to, pair);
  compareMarks(to, pair);
  const isHidden = direction !== undefined && [before, after].some((flat) => isTrue(flat, hiding[direction]));
  const used = isHidden ? { ...pair, direction: undefined } : pair;
  compareDiscriminator(to, used);
  if (compareChoices(to, used)) return;
  compareSubtypes(to, used);
  const isOtherType = compareTypes(to, used);
  compareLimits(to, used);
  compareProperties(to, used, isOtherType);
  compareInner(to, used, isOtherType);
  compareRest(to, used);
}

/** Compares whether values are in requests or in responses only. */
function compareMarks(to: Comparison, { before, after, place, direction }: FlatPair): void {
  for (const mark of direction === undefined ? Object.values(hiding) : [hiding[direction]]) {
    const isMarked = isTrue(after, mark);
    if (isTrue(before, mark) === isMarked) continue;
    const code = isMarked ? "direction-mark-added" : "direction-mark-removed";
    tell(to, { code, facts: { mark }, place: childOf(place, mark) ?? place, subject: place, direction });
  }
}

/** Compares fields of the schema itself: notes, lifecycle and gaps. */
function compareOwn(to: Comparison, pair: FlatPair): void {
  const { before, after, place } = pair;
  for (const note of notes) compareNote(to, note, pair);
  const holderOf = (flat: FlatSchema, ...keywords: readonly string[]) =>
    keywords.map((keyword) => holderIn(flat, keyword)).find((holder) => holder !== undefined);
  const none = { ...place, value: {} };
  const life = ["deprecated", "x-deprecated-on", "x-sunset"];
  compareLifecycle(to, { before: holderOf(before, ...life) ?? none, after: holderOf(after, ...life) ?? none });
  compareGaps(to, {
    before: holderOf(before, "x-unspecified") ?? none,
    after: holderOf(after, "x-unspecified") ?? none,
  });
}

/** Compares the texts of a kind. Each of several schemas for a value may have its own. */
function compareNote(to: Comparison, note: string, { before, after, views, place }: FlatPair): void {
  const [old, current] = [before.written.get(note) ?? [], after.written.get(note) ?? []];
  const isIn = (list: readonly Written[], { value }: Written) => list.some((one) => isSameValue(one.value, value));
  // The texts of a schema on one side only are reported with the schema.
  const isOwn = ({ holder }: Written, view: SchemaView, other: FlatSchema) =>
    other.pointers.has(pointerOfPlace(holder)) || view.some((one) => pointerOfPlace(one) === pointerOfPlace(holder));
  const lost = old.filter((one) => !isIn(current, one) && isOwn(one, views.before, after));
  const gained = current.filter((one) => !isIn(old, one) && isOwn(one, views.after, before));
  for (let index = 0; index < Math.max(lost.length, gained.length); index += 1) {
    const [former, now] = [lost[index], gained[index]];
    const isLeft = former !== undefined && after.pointers.has(pointerOfPlace(former.holder));
    const holder = now?.holder ?? (isLeft ? place : former?.holder) ?? place;
    const facts = { field: note, before: former?.value, after: now?.value };
    tell(to, { code: "prose-changed", facts, place: childOf(holder, note) ?? holder, subject: holder });
  }
}

/** Compares the schemas of items and unlisted properties. If they changed with the type, they are reported with it. */
function compareInner(to: Comparison, { before, after, place, direction }: FlatPair, isOtherType: boolean): void {
  for (const keyword of ["items", "additionalProperties"]) {
    const [old, current] = [before, after].map((flat) => schemasIn(flat, keyword).get("") ?? []);
    if (old === undefined || current === undefined || (isOtherType && keyword === "items")) continue;
    const isClosed = isNothing(current);
    if (isNothing(old) === isClosed) {
      if (!isClosed) to.parts.push(compareSchemas(old, current, { direction }));
    } else {
      const code = isClosed ? "subschema-forbidden" : "subschema-opened";
      // Responses may have more properties than the listed ones.
      const extent = isClosed ? "fewer" : keyword === "items" ? "more" : "same";
      const where = { place: current[0] ?? childOf(place, keyword) ?? place, subject: place };
      tell(to, { code, facts: { keyword }, ...where, direction, extent });
    }
  }
}

/** Keywords without subschemas that rules compare. */
const ruled = new Set([
  ...["type", "enum", "default", "required", "discriminator", "deprecated", "readOnly", "writeOnly"],
  ...[...notes, ...Object.keys(limits), ...bounds.flatMap(({ inclusive, exclusive }) => [inclusive, exclusive])],
]);

/** Compares the keywords that no rule covers, and those that allow everything, which only types show. */
function compareRest(to: Comparison, { before, after, place, direction }: FlatPair): void {
  const written = new Set([before, after].flatMap((flat) => [...flat.written.keys()]));
  for (const keyword of [...written].filter((one) => !ruled.has(one) && !one.startsWith("x-"))) {
    const where = { place: childOf(place, keyword) ?? place, subject: place, direction };
    const [old = [], current = []] = [before, after].map((flat) => valuesIn(flat, keyword));
    if (!singleSchemas.includes(keyword)) {
      const [meaning, meaningNow] = [meaningsOf(before, keyword), meaningsOf(after, keyword)];
      if (meaning !== meaningNow) tell(to, { ...where, code: "uncompared", facts: { field: keyword } });
    } else if (![before, after].some(({ schemas }) => schemas.has(keyword)) && old.length !== current.length) {
      const change = current.length === 0 ? "removed" : "added";
      tell(to, { ...where, code: "anything-written", facts: { keyword, change } });
    }
  }
}

function meaningsOf({ written }: FlatSchema, keyword: string): string {
  const parts = written.get(keyword) ?? [];
  return parts.map(({ value, holder }) => meaningOf({ ...holder, value: { [keyword]: value } })).join();
}
