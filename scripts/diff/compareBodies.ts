import { groupBy } from "../values/collections.ts";
import { stringOf, valueAt, withoutMembers } from "../values/json.ts";
import type { Direction } from "../spec/schemas.ts";
import { essenceOf, fallsUnder, normalizeMediaType } from "../spec/mediaTypes.ts";
import { isDefaultStatus, isStatusRange, isSuccessStatus } from "../spec/statusKeys.ts";
import {
  closedGaps,
  compareMeaning,
  compareNotes,
  createComparison,
  differingFields,
  extentOf,
  isSameMeaning,
  isSameValue,
  tell,
  tellField,
  type Comparison,
} from "./comparison.ts";
import { compareSchemas } from "./compareSchemas.ts";
import type { Extent } from "./differences.ts";
import { flatten, knownTypes, type Use } from "./flatSchema.ts";
import {
  childOf,
  childrenBy,
  childrenOf,
  fieldOf,
  fieldValues,
  followPlace,
  followBoth,
  isBoth,
  linkCovered,
  memberOf,
  nameOf,
  pairMaps,
  pairMembers,
  pairRenamed,
  type BothPlaces,
  type NamedLink,
  type Pair,
  type Place,
} from "./places.ts";

/** Compares the schemas of two places. A missing schema allows any value. */
function compareSchemaField(to: Comparison, { before, after }: BothPlaces, use: Use): void {
  const [old, current] = [childOf(before, "schema"), childOf(after, "schema")];
  to.parts.push(compareSchemas(old === undefined ? [] : [old], current === undefined ? [] : [current], use));
}

export function compareRequestBody(to: Comparison, pair: Pair, direction: Direction): void {
  const { before, after } = pair;
  if (isBoth(pair)) {
    const both = followBoth(pair);
    const [was, is] = [both.before, both.after].map(isRequired);
    if (was !== is) {
      const code = is === true ? "request-body-became-required" : "request-body-became-optional";
      tellField(to, both, "required", { code, facts: {}, direction });
    }
    compareNotes(to, both);
    compareContent(to, both, direction, false);
  } else if (after !== undefined) {
    const facts = { isRequired: isRequired(followPlace(after)) };
    tell(to, { code: "request-body-added", facts, place: after, direction });
  } else if (before !== undefined) tell(to, { code: "request-body-removed", facts: {}, place: before, direction });
}

/** Compares the content of bodies. `isNegotiated`: whether the receiver chooses its media type, as that of a response does. */
function compareContent(to: Comparison, pair: BothPlaces, direction: Direction | undefined, isNegotiated = true): void {
  const contents = pairMembers(fieldOf(pair, "content"), normalizeMediaType);
  const links = linkCovered(contents, (range, name) => range !== name && fallsUnder(essenceOf(name), range));
  const told = new Set(links.flatMap((link) => [link.before, link.after]));
  for (const link of links) {
    const facts = { before: nameOf(link.before), after: nameOf(link.after) };
    tell(to, { code: "media-type-changed", facts, place: link.after, direction, extent: link.extent });
    compareMediaType(to, link, direction);
  }
  for (const media of contents.values()) {
    const place = media.after ?? media.before;
    if (isBoth(media)) compareMediaType(to, media, direction);
    else if (place !== undefined && !told.has(place)) {
      const code = media.after === undefined ? "media-type-removed" : "media-type-added";
      tell(to, { code, facts: { name: nameOf(place), isNegotiated }, place, direction });
    }
  }
}

function compareMediaType(to: Comparison, pair: BothPlaces, direction: Direction | undefined): void {
  const [was, is] = [nameOf(pair.before), nameOf(pair.after)];
  if (was !== is && normalizeMediaType(was) === normalizeMediaType(is))
    tell(to, { code: "media-type-respelled", facts: { before: was, after: is }, place: pair.after });
  compareSchemaField(to, pair, { direction });
  compareExamples(to, pair);
  compareNotes(to, pair, ["examples"]);
  for (const [name, encoding] of pairMembers(fieldOf(pair, "encoding"))) {
    const [old, current] = [encoding.before?.value, encoding.after?.value].map((value) => value ?? {});
    const told = { place: encoding.after ?? pair.after, subject: pair.after, direction };
    if (!isSameValue(withoutMembers(old, ["contentType"]), withoutMembers(current, ["contentType"])))
      tell(to, { ...told, code: "uncompared", facts: { field: `encoding.${name}` } });
    const [before, after] = [old, current].map((value) => stringOf(valueAt(value, ["contentType"])));
    const extent = extentOfLists(mediaTypesIn(before), mediaTypesIn(after));
    const facts = { name, field: "contentType", before, after };
    if (extent !== "same") tell(to, { ...told, code: "encoding-changed", facts, extent });
  }
}

/** The media types of a list such as `image/png, image/jpeg`. */
function mediaTypesIn(list: string | undefined): readonly string[] | undefined {
  return list?.split(",").map((one) => normalizeMediaType(one));
}

/** Whether a list allows fewer or more values than before. Without a list, all are allowed. */
function extentOfLists(before: readonly string[] | undefined, after: readonly string[] | undefined): Extent {
  const lacks = (list: readonly string[] | undefined, other: readonly string[] | undefined) =>
    list !== undefined && (other === undefined || other.some((value) => !list.includes(value)));
  return extentOf(lacks(after, before), lacks(before, after));
}

/** Compares named examples. */
function compareExamples(to: Comparison, pair: BothPlaces): void {
  const code = "prose-changed";
  for (const example of pairMembers(fieldOf(pair, "examples")).values()) {
    const { before, after } = example;
    if (!isBoth(example)) {
      const facts = { field: "value", before: before?.value, after: after?.value };
      tell(to, { code, facts, place: after ?? pair.after });
      continue;
    }
    const both = followBoth(example);
    compareNotes(to, both);
    const [changed] = differingFields(both, ["value", "externalValue"]);
    if (changed === undefined) continue;
    const [old = null, current = null] = fieldValues(both, changed);
    const place = childOf(both.after, changed) ?? both.after;
    tell(to, { code, facts: { field: "value", before: old, after: current }, place, subject: both.after });
  }
}

/** Compares the values of parameters or headers. Another way to write them isn't compared. */
export function compareValue(to: Comparison, pair: BothPlaces, direction: Direction | undefined): void {
  compareWriting(to, pair, direction);
  const use = { direction, closed: closedGaps(pair.before.value, pair.after.value) };
  if (!compareMeaning(to, pair, "content", use)) compareSchemaField(to, pair, use);
  compareExamples(to, pair);
  compareNotes(to, pair, ["examples"]);
}

/** Compares how parameters and headers are written. Where a parameter has moved to another place, that says so. */
function compareWriting(to: Comparison, pair: BothPlaces, direction: Direction | undefined): void {
  const [before, after] = [writingOf(pair.before), writingOf(pair.after)];
  if (differingFields(pair, ["in"]).length > 0) return;
  for (const field of ["style", "explode", "allowEmptyValue", "allowReserved"] as const) {
    // The default of `explode` depends on the style, and a single value looks the same.
    const isReported = field === "explode" && (before.style !== after.style || (before.isPlain && after.isPlain));
    if (before[field] !== after[field] && !isReported)
      tellField(to, pair, field, { code: "uncompared", facts: { field }, direction });
  }
}

function writingOf(place: Place) {
  const at = (field: string) => valueAt(place.value, [field]);
  const style = at("style") ?? (at("in") === "query" || at("in") === "cookie" ? "form" : "simple");
  const schema = childOf(place, "schema");
  const types = schema === undefined ? [] : knownTypes(flatten([schema]));
  return {
    style,
    isPlain: types.length > 0 && !types.includes("array") && !types.includes("object"),
    explode: at("explode") ?? style === "form",
    allowEmptyValue: at("allowEmptyValue") === true,
    allowReserved: at("allowReserved") === true,
  };
}

/** Compares the responses of an operation. */
export function compareResponses(to: Comparison, operations: BothPlaces, direction: Direction): void {
  const { before: old, after: current } = compareCovered(to, operations, direction);
  // A success status was renamed if there was just one, and is just one.
  const isReplaced = (one: Place, other: Place) => isSuccessStatus(nameOf(one)) && isSuccessStatus(nameOf(other));
  for (const { former, name, before, after } of pairRenamed(old, current, isReplaced)) {
    const isSuccess = isSuccessStatus(name);
    if (after === undefined) {
      const facts = { name: former, isSuccess };
      if (before !== undefined) tell(to, { code: "response-removed", facts, place: before, direction });
    } else if (before === undefined) {
      const isNew = isSuccess && direction === "response" && isNewContent(operations.before, followPlace(after));
      tell(to, { code: "response-added", facts: { isNewContent: isNew }, place: after, direction });
    } else {
      const facts = { before: former, after: name };
      if (former !== name) tell(to, { code: "response-status-changed", facts, place: after, direction });
      compareResponse(to, followBoth({ before, after }), direction, former !== name);
    }
  }
}

/** The responses of an operation, by their status. A `default` that stands for the successes has a name of its own. */
function responsesOf(operation: Place): ReadonlyMap<string, Place> {
  const hasSuccess = successesOf(operation).length > 0;
  return childrenBy(memberOf(operation, "responses"), (one) =>
    isDefaultStatus(nameOf(one)) && !hasSuccess ? "default of successes" : nameOf(one),
  );
}

/**
 * Compares responses whose names became others that they cover, or that cover them: a range, or `default`. Returns the other
 * responses.
 */
function compareCovered(to: Comparison, operations: BothPlaces, direction: Direction) {
  const [before, after] = [responsesOf(operations.before), responsesOf(operations.after)];
  const listed = { before: successesOf(operations.before), after: successesOf(operations.after) };
  const links = linkCovered(pairMaps(before, after), (range, name, side) => {
    if (isStatusRange(range)) return name !== range && name.startsWith(range.charAt(0));
    // It stands for the successes where none are listed, and for the failures elsewhere.
    return isDefaultStatus(range) && !isDefaultStatus(name) && isSuccessStatus(name) === (listed[side].length === 0);
  });
  for (const link of links) compareResponse(to, followBoth(link), direction, false);
  tellCovered(to, links, operations, direction);
  const told = new Set(links.flatMap((link) => [link.before, link.after]));
  const left = (all: ReadonlyMap<string, Place>) => new Map([...all].filter(([, one]) => !told.has(one)));
  return { before: left(before), after: left(after) };
}

function tellCovered(to: Comparison, links: readonly NamedLink[], operations: BothPlaces, direction: Direction): void {
  const narrowed = links.filter(({ extent }) => extent === "fewer");
  for (const [before, own] of groupBy(narrowed, (link) => link.before)) {
    const [name, statuses] = [nameOf(before), own.map(({ after }) => nameOf(after))];
    const where = { place: own[0]?.after ?? operations.after, direction };
    // Of a webhook, consumers send it.
    if (direction === "request")
      tell(to, { ...where, code: "response-status-changed", facts: { before: name, after: statuses.join(", ") } });
    else
      tell(to, { ...where, code: "response-status-specified", facts: { name, statuses }, subject: operations.after });
  }
  for (const { before, after } of links.filter(({ extent }) => extent === "more")) {
    const facts = { before: nameOf(before), after: nameOf(after) };
    if (isSuccessStatus(nameOf(before))) tell(to, { code: "response-status-changed", facts, place: after, direction });
    else tell(to, { code: "response-added", facts: { isNewContent: false }, place: after, direction });
  }
}

function successesOf(operation: Place): readonly Place[] {
  return childrenOf(memberOf(operation, "responses")).filter((one) => isSuccessStatus(nameOf(one)));
}

/** Returns whether no success had the content of a response before, although there were other successes. */
function isNewContent(operation: Place, response: Place): boolean {
  const successes = successesOf(operation);
  const hasContent = (one: Place) => {
    const comparison = createComparison();
    compareContent(comparison, { before: followPlace(one), after: response }, undefined);
    return isSameMeaning(comparison);
  };
  return successes.length > 0 && !successes.some(hasContent);
}

/** Compares two responses. A different status may explain missing content. */
function compareResponse(to: Comparison, pair: BothPlaces, direction: Direction, isOtherStatus: boolean): void {
  compareNotes(to, pair);
  if (!isOtherStatus || memberOf(pair.after, "content") !== undefined) compareContent(to, pair, direction);
  for (const header of pairMembers(fieldOf(pair, "headers"), (name) => name.toLowerCase()).values()) {
    compareHeader(to, header, direction);
  }
}

function compareHeader(to: Comparison, header: Pair, direction: Direction): void {
  const { before, after } = header;
  const name = nameOf(after ?? before ?? { keys: [] });
  // Another field describes it (OpenAPI 3.1.1, section 4.8.17.1).
  if (name.toLowerCase() === "content-type") return;
  if (isBoth(header)) {
    const both = followBoth(header);
    compareValue(to, both, direction);
    const [was, is] = [both.before, both.after].map(isRequired);
    if (was === is) return;
    const code = is === true ? "header-became-required" : "header-became-optional";
    tellField(to, both, "required", { code, facts: { name }, direction });
  } else if (after !== undefined) {
    const facts = { name, isRequired: isRequired(followPlace(after)) };
    tell(to, { code: "header-added", facts, place: after, direction });
  } else if (before !== undefined) tell(to, { code: "header-removed", facts: { name }, place: before, direction });
}

export function isRequired({ value }: Place): boolean {
  return valueAt(value, ["required"]) === true;
}
