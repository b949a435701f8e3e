import { recall } from "../contract/text.ts";
import { membersOf, parseJson } from "../spec/json.ts";
import { isReference } from "../spec/openapi.ts";
import { hiding } from "../spec/schemas.ts";
import { kindOf } from "./phrases.ts";
import {
  compareChoices,
  compareDiscriminator,
  compareSubtypes,
  compareWithChoice,
  meaningIn,
} from "./compareChoices.ts";
import { bounds, compareLimits, compareTypes, extents, limits } from "./compareLimits.ts";
import { compareProperties } from "./compareProperties.ts";
import {
  compareGaps,
  compareLifecycle,
  createComparison,
  isSameMeaning,
  isSameValue,
  tell,
  type Comparison,
} from "./comparison.ts";
import { isTrue, type FlatPair, type Use } from "./flatPair.ts";
import {
  conditions,
  flatten,
  holderIn,
  nameOfView,
  notes,
  schemaMaps,
  schemasIn,
  singleSchemas,
  type FlatSchema,
  type SchemaView,
  type Written,
} from "./flatSchema.ts";
import { childOf, pairMaps, pointerOfPlace, targetPlace, type Place } from "./places.ts";

/** Cached comparisons, by the two documents and then by the places and their use. */
const compared = new WeakMap<object, WeakMap<object, Map<string, Comparison>>>();

/** Compares two states of the schemas for a value. Without schemas, any value is allowed. */
export function compareSchemas(before: SchemaView, after: SchemaView, use: Use): Comparison {
  const place = after[0] ?? before[0];
  if (place === undefined) return createComparison();
  const names = [nameOfView(before), nameOfView(after)] as const;
  const comparison = compareViews(before.map(withoutReference), after.map(withoutReference), use);
  return names[0] === undefined || names[1] === undefined || names[0] === names[1]
    ? comparison
    : { differences: [], parts: [comparison], names: [names[0], names[1]] };
}

function compareViews(before: SchemaView, after: SchemaView, use: Use): Comparison {
  const [first, last] = [before[0] ?? after[0], after[0] ?? before[0]];
  if (first === undefined || last === undefined) return createComparison();
  const byDocument = recall(compared, first.document, () => new WeakMap<object, Map<string, Comparison>>());
  const known = recall(byDocument, last.document, () => new Map<string, Comparison>());
  const { direction = "", closed = [] } = use;
  const key = [...before.map(pointerOfPlace), "to", ...after.map(pointerOfPlace), direction, ...closed].join(" ");
  const found = known.get(key);
  if (found !== undefined) return found;
  const comparison = createComparison();
  // A schema may refer to itself.
  known.set(key, comparison);
  const flat = { before: flatten(before), after: flatten(after) };
  const views = { before, after };
  compareFlat(comparison, { ...flat, views, place: last, closed, direction: use.direction, compare: compareSchemas });
  return comparison;
}

/** A schema without a reference that is all it consists of. */
function withoutReference(place: Place): Place {
  const target = isReference(place.value) && Object.keys(place.value).length === 1 ? targetPlace(place) : undefined;
  return target === undefined ? place : withoutReference(target);
}

function compareFlat(to: Comparison, pair: FlatPair): void {
  const { before, after, direction } = pair;
  compareOwn(to, pair);
  compareMarks(to, pair);
  const isHidden = direction !== undefined && [before, after].some((flat) => isTrue(flat, hiding[direction]));
  const used = isHidden ? { ...pair, direction: undefined } : pair;
  if (compareWithChoice(to, used)) return;
  const isOtherType = compareTypes(to, used);
  compareLimits(to, used);
  compareProperties(to, used);
  compareInner(to, used, isOtherType);
  compareConditions(to, used);
  compareChoices(to, used);
  compareDiscriminator(to, used);
  compareSubtypes(to, used);
  compareOthers(to, used);
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

/** Keywords with schemas of members and items. */
const innerKeywords = [...singleSchemas, ...schemaMaps.filter((keyword) => keyword !== "properties")];

/** Compares the schemas of members and items. If they changed with the type, they are reported with it. */
function compareInner(to: Comparison, pair: FlatPair, isOtherType: boolean): void {
  for (const keyword of innerKeywords) {
    for (const [name, views] of pairMaps(schemasIn(pair.before, keyword), schemasIn(pair.after, keyword))) {
      const { before = [], after = [] } = views;
      const [isClosed, isClosedNow] = [isNothing(before), isNothing(after)];
      const isOne = before.length === 0 || after.length === 0 || isClosed || isClosedNow;
      if (isClosed && isClosedNow) continue;
      if (!isOne) to.parts.push(compareSchemas(before, after, { direction: pair.direction }));
      else if (!isOtherType || keyword !== "items") tellInner(to, pair, { keyword, member: name, before, after });
    }
  }
}

/** Compares schemas that only limit a value in combination with others. */
function compareConditions(to: Comparison, { before, after, place, direction }: FlatPair): void {
  for (const keyword of conditions) {
    const [old, current] = [schemasIn(before, keyword).get(""), schemasIn(after, keyword).get("")];
    const isReversed = keyword === "not" || keyword === "if";
    const comparison = compareSchemas(old ?? [], current ?? [], { direction: isReversed ? undefined : direction });
    if (old !== undefined && current !== undefined && !isReversed) to.parts.push(comparison);
    if (old === undefined && current === undefined) continue;
    if (old !== undefined && current !== undefined && (!isReversed || isSameMeaning(comparison))) continue;
    const change = kindOf(old, current);
    const code = isReversed ? "condition-changed" : "applicator-changed";
    const where = { place: current?.[0] ?? place, subject: place };
    tell(to, { code, facts: { keyword, change }, ...where, direction, extent: extents[change] });
  }
}

function isNothing([only, ...others]: SchemaView): boolean {
  return others.length === 0 && only?.value === false;
}

/** The schemas of some members or items. Without schemas, any value is allowed. */
interface InnerSchemas {
  readonly keyword: string;
  /** The name of the member, if the keyword has several. */
  readonly member: string;
  readonly before: SchemaView;
  readonly after: SchemaView;
}

/** Reports that the schema of members or items was added or removed. */
function tellInner(to: Comparison, pair: FlatPair, { keyword, member, before, after }: InnerSchemas): void {
  const { place, direction } = pair;
  const isNarrower = isNothing(after) || before.length === 0;
  // Responses may have more fields than the listed ones.
  const isListing = keyword === "additionalProperties" || keyword === "unevaluatedProperties";
  const widening = isListing && isNothing(before) ? "same" : "more";
  const change = isNothing(after) ? "forbidden" : innerChanges[kindOf(before[0], after[0])];
  const where = { place: after[0] ?? (before[0] && childOf(place, keyword)) ?? place, subject: place };
  const extent = isNarrower ? "fewer" : widening;
  tell(to, { code: `subschema-${change}`, facts: { keyword, member }, ...where, direction, extent });
}

/** The schema of members or items is only on one side, or allows values now. */
const innerChanges = { added: "added", removed: "removed", changed: "opened" } as const;

/** Compares the parts that can't be merged. */
function compareOthers(to: Comparison, { before, after, place, direction }: FlatPair): void {
  for (const [text, { before: old, after: current }] of pairMaps(before.others, after.others)) {
    if (old !== undefined && current !== undefined) continue;
    const code = old === undefined ? "combined-part-added" : "combined-part-removed";
    const [[keyword] = [""]] = membersOf(parseJson(text));
    tell(to, { code, facts: { keyword }, place: current ?? old ?? place, subject: place, direction });
  }
}

/** Keywords without subschemas that rules compare. */
const ruled = new Set([
  ...["type", "enum", "default", "required", "anyOf", "oneOf", "discriminator", "deprecated", "readOnly", "writeOnly"],
  ...[...notes, ...Object.keys(limits), ...bounds.flatMap(({ inclusive, exclusive }) => [inclusive, exclusive])],
]);

/** Compares the keywords that no rule covers, and those that allow everything, which only types show. */
function compareRest(to: Comparison, { before, after, place, direction }: FlatPair): void {
  const written = [...new Set([...before.written.keys(), ...after.written.keys()])];
  for (const keyword of written.filter((one) => !ruled.has(one) && !one.startsWith("x-"))) {
    const where = { place: childOf(place, keyword) ?? place, subject: place, direction };
    if (singleSchemas.includes(keyword)) {
      const change = kindOf(holderIn(before, keyword), holderIn(after, keyword));
      const isSchema = before.schemas.has(keyword) || after.schemas.has(keyword);
      if (change !== "changed" && !isSchema)
        tell(to, { ...where, code: "anything-written", facts: { keyword, change } });
    } else if (meaningIn(before, keyword) !== meaningIn(after, keyword))
      tell(to, { ...where, code: "uncompared", facts: { field: keyword } });
  }
}
