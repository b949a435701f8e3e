import { getOrCreate } from "../values/collections.ts";
import { isReference } from "../spec/openapi.ts";
import { hiding, type Direction } from "../spec/schemas.ts";
import { compareChoices, compareDiscriminator, compareSubtypes } from "./compareChoices.ts";
import { bounds, compareLimits, compareTypes, limits } from "./compareLimits.ts";
import {
  compareGaps,
  compareLifecycle,
  createComparison,
  isSameMeaning,
  isSameValue,
  meaningOf,
  sortedStrings,
  tell,
  type Comparison,
} from "./comparison.ts";
import {
  flatten,
  hasValue,
  holderIn,
  impliedIn,
  isNothing,
  isTrue,
  keyOfView,
  nameOfView,
  notes,
  schemasIn,
  singleSchemas,
  valueIn,
  valuesIn,
  type FlatPair,
  type FlatSchema,
  type SchemaView,
  type Use,
  type KeywordSource,
} from "./flatSchema.ts";
import { childOf, pairRenamed, pointerOfPlace, targetPlace, type NamedPair, type Place } from "./places.ts";

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
  const byDocument = getOrCreate(compared, first.document, () => new WeakMap<object, Map<string, Comparison>>());
  const known = getOrCreate(byDocument, last.document, () => new Map<string, Comparison>());
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
    tell(to, { code, facts: { keyword: mark }, place: childOf(place, mark) ?? place, subject: place, direction });
  }
}

/** Compares fields of the schema itself: notes, lifecycle and gaps. */
function compareOwn(to: Comparison, pair: FlatPair): void {
  const { before, after, place } = pair;
  for (const note of notes) compareNote(to, note, pair);
  const holderOf = (flat: FlatSchema, keywords: readonly string[]) =>
    keywords.flatMap((keyword) => holderIn(flat, keyword) ?? [])[0] ?? { ...place, value: {} };
  const holdersOf = (...keywords: readonly string[]) => {
    return { before: holderOf(before, keywords), after: holderOf(after, keywords) };
  };
  compareLifecycle(to, holdersOf("deprecated", "x-deprecated-on", "x-sunset"));
  compareGaps(to, holdersOf("x-unspecified"));
}

/** Compares the texts of a kind. Each of several schemas for a value may have its own. */
function compareNote(to: Comparison, note: string, { before, after, views, place }: FlatPair): void {
  const [old, current] = [before.written.get(note) ?? [], after.written.get(note) ?? []];
  const isIn = (list: readonly KeywordSource[], { value }: KeywordSource) =>
    list.some((one) => isSameValue(one.value, value));
  // The texts of a schema on one side only are reported with the schema.
  const isOwn = ({ holder }: KeywordSource, view: SchemaView, other: FlatSchema) =>
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

/** Compares the properties. Those on only one side may have been renamed. */
function compareProperties(to: Comparison, pair: FlatPair, isOtherType: boolean): void {
  const { before, after } = pair;
  const [old, current] = [schemasIn(before, "properties"), schemasIn(after, "properties")];
  const properties = pairRenamed(old, current, (one, other) =>
    isSameMeaning(compareSchemas(one, other, { direction: undefined })),
  );
  if (old.size > 1 && properties.every((one) => one.after === undefined))
    tellEmptied(to, pair, [...old.keys()], isOtherType);
  else for (const property of properties) compareProperty(to, pair, property);
  const told = properties.filter((one) => one.after === undefined || one.former !== one.name);
  compareRequired(to, pair, new Set(told.flatMap(({ former, name }) => [former, name])));
}

function compareProperty(to: Comparison, pair: FlatPair, { former, name, before, after }: NamedPair<SchemaView>): void {
  const { direction } = pair;
  const view = after ?? before ?? [];
  const [place] = view;
  if (place === undefined) return;
  const where = { place, direction: isHiddenView(view, direction) ? undefined : direction };
  if (after === undefined) tell(to, { ...where, code: "property-removed", facts: { name } });
  else if (before === undefined) compareAdded(to, pair, after);
  else if (former === name) to.parts.push(compareSchemas(before, after, { direction }));
  else tell(to, { ...where, code: "property-renamed", facts: { before: former, after: name } });
}

/** Reports a property that is listed now. Before, it may have had the schema of unlisted ones. */
function compareAdded(to: Comparison, { before, direction }: FlatPair, view: SchemaView): void {
  const [place] = view;
  if (place === undefined) return;
  tell(to, { code: "property-added", facts: {}, place, direction });
  const former = schemasIn(before, "additionalProperties").get("") ?? [];
  if (former.length > 0 && !isNothing(former)) to.parts.push(compareSchemas(former, view, { direction }));
}

/** Reports once that no property is left. If the type is another one, it says so. */
function tellEmptied(to: Comparison, pair: FlatPair, names: readonly string[], isOtherType: boolean): void {
  const { after, place, direction } = pair;
  const isObject = impliedIn(after).length === 0 || impliedIn(after).includes("object");
  if (isObject || !isOtherType) tell(to, { code: "properties-removed", facts: { names }, place, direction });
}

function isHiddenView(view: SchemaView | undefined, direction: Direction | undefined): boolean {
  return view !== undefined && direction !== undefined && isTrue(flatten(view), hiding[direction]);
}

/**
 * Compares which properties are required. Properties in `told` were added or removed, which is reported
 * already.
 */
function compareRequired(to: Comparison, pair: FlatPair, told: ReadonlySet<string>): void {
  const { before, after, place, direction } = pair;
  const [old, current] = [before, after].map((flat) => sortedStrings(valueIn(flat, "required")));
  if (old === undefined || current === undefined) return;
  const views = {
    ...Object.fromEntries(schemasIn(before, "properties")),
    ...Object.fromEntries(schemasIn(after, "properties")),
  };
  const isReported = (name: string) => !told.has(name) && !isHiddenView(views[name], direction);
  const gained = current.filter((name) => !old.includes(name) && isReported(name));
  const lost = old.filter((name) => !current.includes(name) && isReported(name));
  const holder = after.written
    .get("required")
    ?.find(({ value }) => gained.some((name) => hasValue(value, name)))?.holder;
  const subject = holder ?? holderIn(after, "required") ?? place;
  const where = { place: childOf(subject, "required") ?? subject, subject, direction };
  if (gained.length > 0) tell(to, { ...where, code: "properties-became-required", facts: { names: gained } });
  if (lost.length > 0) tell(to, { ...where, code: "properties-became-optional", facts: { names: lost } });
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
