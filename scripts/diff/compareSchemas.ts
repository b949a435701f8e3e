import { recall } from "../contract/text.ts";
import { elementsOf, membersOf, parseJson, stringsOf } from "../spec/json.ts";
import { isReference } from "../spec/openapi.ts";
import type { Direction } from "../spec/schemas.ts";
import { codeList, proseText } from "./changeText.ts";
import { compareLimits, compareTypes, isBreaking, type FlatPair } from "./compareLimits.ts";
import {
  compareGaps,
  compareLifecycle,
  createComparison,
  explain,
  findingsOf,
  isSameMeaning,
  isSameValue,
  sortedStrings,
  tell,
} from "./comparison.ts";
import type { Comparison } from "./comparison.ts";
import {
  conditions,
  flatten,
  hasValue,
  holderIn,
  isAlike,
  nameOfView,
  notes,
  schemaMaps,
  schemasIn,
  singleSchemas,
  typesIn,
  valueIn,
  type FlatSchema,
  type View,
  type Written,
} from "./flatSchema.ts";
import { childOf, childrenOf, pairMaps, pointerOf, renamedIn, targetOf, type Place } from "./places.ts";

/** How values of a schema are used. */
export interface Use {
  /** Without one, nobody sends or receives them: whatever differs breaks nobody. */
  readonly direction: Direction | undefined;
  /** Gaps of what the schema belongs to, which it may fill. */
  readonly closed?: readonly string[];
}

/** What has been compared, by the two documents and then by the places and their use. */
const compared = new WeakMap<object, WeakMap<object, Map<string, Comparison>>>();

/** Compares what holds for a value before and after. Without any schema, it can be anything. */
export function compareSchemas(before: View, after: View, use: Use): Comparison {
  const place = after[0] ?? before[0];
  if (place === undefined) return createComparison();
  const names = [nameOfView(before), nameOfView(after)] as const;
  const comparison = compareViews(before.map(withoutReference), after.map(withoutReference), use);
  return names[0] === undefined || names[1] === undefined || names[0] === names[1]
    ? comparison
    : { findings: [], parts: [comparison], names: [names[0], names[1]] };
}

function compareViews(before: View, after: View, use: Use): Comparison {
  const [first, last] = [before[0] ?? after[0], after[0] ?? before[0]];
  if (first === undefined || last === undefined) return createComparison();
  const byDocument = recall(compared, first.document, () => new WeakMap<object, Map<string, Comparison>>());
  const known = recall(byDocument, last.document, () => new Map<string, Comparison>());
  const { direction = "", closed = [] } = use;
  const key = [...before.map(pointerOf), "to", ...after.map(pointerOf), direction, ...closed].join(" ");
  const found = known.get(key);
  if (found !== undefined) return found;
  const comparison = createComparison();
  // A schema may lead back to itself.
  known.set(key, comparison);
  const flat = { before: flatten(before), after: flatten(after) };
  compareFlat(comparison, { ...flat, views: { before, after }, place: last, closed, direction: use.direction });
  return comparison;
}

/** A schema without the reference that it only consists of. */
function withoutReference(place: Place): Place {
  const target = isReference(place.value) && Object.keys(place.value).length === 1 ? targetOf(place) : undefined;
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
  compareOthers(to, used);
}

/** What is never sent, and what is never received. */
const hiding = { request: "readOnly", response: "writeOnly" } as const;

function isTrue(flat: FlatSchema, keyword: string): boolean {
  return valueIn(flat, keyword) === true;
}

/** Compares whether values are sent, or received. */
function compareMarks(to: Comparison, { before, after, place, direction }: FlatPair): void {
  for (const mark of direction === undefined ? Object.values(hiding) : [hiding[direction]]) {
    const isMarked = isTrue(after, mark);
    if (isTrue(before, mark) === isMarked) continue;
    const text = isMarked ? `\`${mark}\` was set to \`true\`.` : `\`${mark}\` was removed.`;
    const rule = direction === "request" ? "request-read-only" : direction && "response-write-only";
    const told = { kind: "changed", place: childOf(place, mark) ?? place, subject: place, text, direction } as const;
    tell(to, { ...told, rule: isMarked && rule });
  }
}

/** Compares what is said of the schema itself: notes, its life and its gaps. */
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

/** Compares the texts of a kind: each of several schemas that hold for one value may have its own. */
function compareNote(to: Comparison, note: string, { before, after, views, place }: FlatPair): void {
  const [old, current] = [before.written.get(note) ?? [], after.written.get(note) ?? []];
  const isIn = (list: readonly Written[], { value }: Written) => list.some((one) => isSameValue(one.value, value));
  // The texts of a schema that only one has go with that.
  const isOwn = ({ holder }: Written, view: View, other: FlatSchema) =>
    other.pointers.has(pointerOf(holder)) || view.some((one) => pointerOf(one) === pointerOf(holder));
  const lost = old.filter((one) => !isIn(current, one) && isOwn(one, views.before, after));
  const gained = current.filter((one) => !isIn(old, one) && isOwn(one, views.after, before));
  for (let index = 0; index < Math.max(lost.length, gained.length); index += 1) {
    const [former, now] = [lost[index], gained[index]];
    const isLeft = former !== undefined && after.pointers.has(pointerOf(former.holder));
    const holder = now?.holder ?? (isLeft ? place : former?.holder) ?? place;
    explain(to, childOf(holder, note) ?? holder, holder, proseText(note, former?.value, now?.value));
  }
}

/** Compares the properties: those that only one has may have another name there. */
function compareProperties(to: Comparison, pair: FlatPair): void {
  const { before, after, direction } = pair;
  const properties = pairMaps(schemasIn(before, "properties"), schemasIn(after, "properties"));
  const removed = [...properties].filter(([, { after: view }]) => view === undefined);
  const renamed = renamedIn(properties, (old, current) =>
    isSameMeaning(compareSchemas(old, current, { direction: undefined })),
  );
  for (const [name, { before: old, after: current }] of properties) {
    const former = [...renamed].find(([, now]) => now === name)?.[0];
    const [first] = current ?? old ?? [];
    if (first === undefined) continue;
    if (old !== undefined && current !== undefined) to.parts.push(compareSchemas(old, current, { direction }));
    else if (former !== undefined) {
      const text = `Property \`${former}\` was renamed to \`${name}\`.`;
      tell(to, { kind: "changed", place: first, text, rule: removalRule(direction), direction });
    } else if (current !== undefined)
      tell(to, { kind: "added", place: first, text: "The field was added.", direction });
    else if (!renamed.has(name)) {
      const rule = !isHiddenView(old, direction) && removalRule(direction);
      tell(to, { kind: "removed", place: first, text: `Property \`${name}\` was removed.`, rule, direction });
    }
  }
  compareRequired(to, pair, new Set([...removed.map(([name]) => name), ...renamed.values()]));
}

function removalRule(direction: Direction | undefined): string | undefined {
  return direction && (direction === "request" ? "request-property-removed" : "property-removed");
}

function isHiddenView(view: View | undefined, direction: Direction | undefined): boolean {
  return view !== undefined && direction !== undefined && isTrue(flatten(view), hiding[direction]);
}

/** Compares which properties are required. Those in `told` came or went, which says it. */
function compareRequired(to: Comparison, pair: FlatPair, told: ReadonlySet<string>): void {
  const { before, after, place, direction } = pair;
  const [old, current] = [before, after].map((flat) => sortedStrings(valueIn(flat, "required")));
  if (old === undefined || current === undefined) return;
  const views = {
    ...Object.fromEntries(schemasIn(before, "properties")),
    ...Object.fromEntries(schemasIn(after, "properties")),
  };
  const isTold = (name: string) => !told.has(name) && !isHiddenView(views[name], direction);
  const gained = current.filter((name) => !old.includes(name) && isTold(name));
  const lost = old.filter((name) => !current.includes(name) && isTold(name));
  const holder = after.written
    .get("required")
    ?.find(({ value }) => gained.some((name) => hasValue(value, name)))?.holder;
  const subject = holder ?? holderIn(after, "required") ?? place;
  const where = { kind: "changed", place: childOf(subject, "required") ?? subject, subject, direction } as const;
  if (gained.length > 0) {
    const text = `Properties became required: ${codeList(gained)}.`;
    tell(to, { ...where, text, rule: direction === "request" && "required-properties-added" });
  }
  if (lost.length > 0) {
    const text = `Properties are no longer required: ${codeList(lost)}.`;
    tell(to, { ...where, text, rule: direction === "response" && "required-properties-removed" });
  }
}

/** Keywords that hold schemas of members and items. */
const innerKeywords = [...singleSchemas, ...schemaMaps.filter((keyword) => keyword !== "properties")];

/** Compares the schemas of members and items. Items that came or went with a type are told with it. */
function compareInner(to: Comparison, pair: FlatPair, isOtherType: boolean): void {
  for (const keyword of innerKeywords) {
    for (const [name, views] of pairMaps(schemasIn(pair.before, keyword), schemasIn(pair.after, keyword))) {
      const { before = [], after = [] } = views;
      const [isClosed, isClosedNow] = [isNothing(before), isNothing(after)];
      const isOne = before.length === 0 || after.length === 0 || isClosed || isClosedNow;
      if (isClosed && isClosedNow) continue;
      if (!isOne) to.parts.push(compareSchemas(before, after, { direction: pair.direction }));
      else if (!isOtherType || keyword !== "items") tellInner(to, pair, keyword, name, { before, after });
    }
  }
}

/** Compares the schemas that say something of a value only together with others. */
function compareConditions(to: Comparison, { before, after, place, direction }: FlatPair): void {
  for (const keyword of conditions) {
    const [old, current] = [schemasIn(before, keyword).get(""), schemasIn(after, keyword).get("")];
    const isReversed = keyword === "not" || keyword === "if";
    const comparison = compareSchemas(old ?? [], current ?? [], { direction: isReversed ? undefined : direction });
    if (old !== undefined && current !== undefined && !isReversed) to.parts.push(comparison);
    if (old === undefined && current === undefined) continue;
    if (old !== undefined && current !== undefined && (!isReversed || isSameMeaning(comparison))) continue;
    const extent = old === undefined ? "fewer" : current === undefined ? "more" : "other";
    const kind = old === undefined ? "added" : current === undefined ? "removed" : "changed";
    const text = `\`${keyword}\` ${kind === "changed" ? kind : `was ${kind}`}.`;
    const rule = isBreaking(extent, direction) && (isReversed ? "condition-changed" : "schema-constraint-changed");
    tell(to, { kind, place: current?.[0] ?? place, subject: place, text, rule, direction });
  }
}

function isNothing([only, ...others]: View): boolean {
  return others.length === 0 && only?.value === false;
}

/** Tells that members or items have a schema now, or none, or none any more. */
function tellInner(
  to: Comparison,
  { place, direction }: FlatPair,
  keyword: string,
  name: string,
  { before, after }: { readonly before: View; readonly after: View },
): void {
  const isNarrower = isNothing(after) || before.length === 0;
  // Responses may have more fields than they list.
  const isListing = keyword === "additionalProperties" || keyword === "unevaluatedProperties";
  const breaks = isNarrower ? direction === "request" : direction === "response" && !(isListing && isNothing(before));
  const what = name === "" ? `\`${keyword}\`` : `\`${name}\` of \`${keyword}\``;
  const value = isNothing(after)
    ? "set to `false`"
    : before.length === 0
      ? "added"
      : after.length === 0
        ? "removed"
        : "opened";
  const kind = before.length === 0 ? "added" : after.length === 0 ? "removed" : "changed";
  const where = after[0] ?? (before[0] && childOf(place, keyword)) ?? place;
  tell(to, {
    kind,
    place: where,
    subject: place,
    text: `${what} was ${value}.`,
    direction,
    rule: breaks && "schema-constraint-changed",
  });
}

const choices = ["anyOf", "oneOf"] as const;

/** The alternatives of a schema, and the keyword that they are in. */
function choiceOf(
  flat: FlatSchema,
): { readonly keyword: "anyOf" | "oneOf"; readonly alternatives: readonly Place[] } | undefined {
  const [keyword, second] = choices.filter((name) => flat.written.has(name));
  if (keyword === undefined || second !== undefined) return undefined;
  return { keyword, alternatives: childrenOf(childOf(holderIn(flat, keyword), keyword)) };
}

/** Tells whether a schema is a choice and says nothing else of values. */
function isChoiceAlone(flat: FlatSchema): boolean {
  const isOwn = (keyword: string) =>
    ["anyOf", "oneOf", "discriminator", ...notes].includes(keyword) || keyword.startsWith("x-");
  return [...flat.written.keys()].every(isOwn) && flat.schemas.size === 0 && flat.others.size === 0;
}

/** Compares a schema with a choice that has it as an alternative. Gives `false` if they are no such two. */
function compareWithChoice(to: Comparison, pair: FlatPair): boolean {
  const [before, after] = [choiceOf(pair.before), choiceOf(pair.after)];
  if ((before === undefined) === (after === undefined)) return false;
  const { keyword, alternatives } = before ?? after ?? { keyword: "anyOf", alternatives: [] };
  if (!isChoiceAlone(before === undefined ? pair.after : pair.before)) return false;
  const alone = before === undefined ? pair.views.before : pair.views.after;
  const same = alternatives.find((one) => isSameMeaning(compareSchemas(alone, [one], { direction: undefined })));
  if (same === undefined) return false;
  for (const one of alternatives) if (one !== same) tellAlternative(to, pair, keyword, one, before === undefined);
  return true;
}

function tellAlternative(
  to: Comparison,
  { place, direction }: FlatPair,
  keyword: string,
  one: Place,
  isAdded: boolean,
): void {
  const rule = direction === (isAdded ? "response" : "request") && "schema-combinator-changed";
  const [kind, text] = isAdded ? (["added", "added"] as const) : (["removed", "removed"] as const);
  const name = nameOfView([one]);
  const what =
    name === undefined ? `An alternative of \`${keyword}\`` : `The alternative \`${name}\` of \`${keyword}\``;
  tell(to, { kind, place: one, subject: place, text: `${what} was ${text}.`, rule, direction });
}

function compareChoices(to: Comparison, pair: FlatPair): void {
  const { before, after, place, direction } = pair;
  const [old, current] = [choiceOf(before), choiceOf(after)];
  if (old === undefined && current === undefined) return;
  if (old === undefined || current === undefined) {
    const { keyword } = old ?? current ?? { keyword: "anyOf" };
    const [kind, narrows] = old === undefined ? (["added", "request"] as const) : (["removed", "response"] as const);
    const where = childOf(holderIn(after, keyword), keyword) ?? place;
    const rule = direction === narrows && "schema-combinator-changed";
    tell(to, { kind, place: where, subject: place, text: `\`${keyword}\` was ${kind}.`, rule, direction });
    return;
  }
  if (old.keyword !== current.keyword && !(areApart(old.alternatives) && areApart(current.alternatives))) {
    const where = childOf(holderIn(after, current.keyword), current.keyword) ?? place;
    // A value that meets several alternatives is no longer accepted, or was not received so far.
    const rule = direction === (current.keyword === "oneOf" ? "request" : "response") && "schema-combinator-changed";
    tell(to, {
      kind: "changed",
      place: where,
      subject: place,
      text: `\`${old.keyword}\` became \`${current.keyword}\`.`,
      rule,
      direction,
    });
  }
  const pairs = pairAlternatives(old.alternatives, current.alternatives);
  for (const [one, other] of pairs) to.parts.push(compareSchemas([one], [other], { direction }));
  const isLeft = (one: Place) => !pairs.flat().includes(one);
  for (const one of old.alternatives.filter(isLeft)) tellAlternative(to, pair, old.keyword, one, false);
  for (const one of current.alternatives.filter(isLeft)) tellAlternative(to, pair, current.keyword, one, true);
}

/** Tells whether no value meets two alternatives: they have other types, or other values of a required property. */
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

/** Pairs alternatives with those that they have become: by name, by what they mean, and by what they are most like. */
function pairAlternatives(before: readonly Place[], after: readonly Place[]): readonly (readonly [Place, Place])[] {
  const pairs: (readonly [Place, Place])[] = [];
  const findings = (one: Place, other: Place) => findingsOf(compareSchemas([one], [other], { direction: undefined }));
  const isMeant: ((one: Place, other: Place) => boolean)[] = [
    (one, other) => nameOfView([one]) !== undefined && nameOfView([one]) === nameOfView([other]),
    (one, other) => findings(one, other).every(({ impact }) => impact === "patch"),
    (one, other) => isAlike(flatten([one]), flatten([other])),
  ];
  for (const test of isMeant) {
    const isLeft = (place: Place) => !pairs.flat().includes(place);
    for (const one of before.filter(isLeft)) {
      const candidates = after.filter((other) => isLeft(other) && test(one, other));
      const [best] = candidates.toSorted((a, b) => findings(one, a).length - findings(one, b).length);
      if (best !== undefined) pairs.push([one, best]);
    }
  }
  return pairs;
}

/** Compares what cannot be put together with the rest. */
function compareOthers(to: Comparison, { before, after, place, direction }: FlatPair): void {
  for (const [text, { before: old, after: current }] of pairMaps(before.others, after.others)) {
    if (old !== undefined && current !== undefined) continue;
    const kind = old === undefined ? "added" : "removed";
    const rule = direction === (old === undefined ? "request" : "response") && "schema-combinator-changed";
    const [[keyword] = [""]] = membersOf(parseJson(text));
    tell(to, {
      kind,
      place: current ?? old ?? place,
      subject: place,
      text: `\`${keyword}\` of a part was ${kind}.`,
      rule,
      direction,
    });
  }
}
