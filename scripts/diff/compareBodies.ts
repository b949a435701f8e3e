import { groupBy } from "../values/collections.ts";
import { stringOf, valueAt, withoutMembers } from "../values/json.ts";
import type { Direction } from "../spec/schemas.ts";
import { essenceOf, fallsUnder, normalizeMediaType } from "../spec/mediaTypes.ts";
import { isDefaultStatus, isStatusRange, isSuccessStatus } from "../spec/statusKeys.ts";
import type { FieldChange } from "./phrases.ts";
import {
  compareNotes,
  createComparison,
  differingFields,
  extentOfValues,
  closedGaps,
  isSameMeaning,
  isSameValue,
  tell,
  tellField,
  type Comparison,
} from "./comparison.ts";
import { compareSchemas } from "./compareSchemas.ts";
import { compareWriting } from "./compareWriting.ts";
import type { Use } from "./flatPair.ts";
import {
  childOf,
  childrenOf,
  fieldOf,
  fieldValues,
  followPlace,
  followBoth,
  isBoth,
  linkCovered,
  memberOf,
  nameOf,
  pairMembers,
  type BothPlaces,
  type NamedLink,
  type Pair,
  type Place,
} from "./places.ts";

/** Compares the schemas of a field such as `schema`. A missing schema allows any value. */
export function compareSchemaField(to: Comparison, { before, after }: Pair, use: Use, field = "schema"): void {
  const [old, current] = [childOf(before, field), childOf(after, field)];
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

/**
 * Compares the content of bodies, parameters and headers, by media type. `isNegotiated`: whether the receiver chooses the
 * media type, as that of a response does.
 */
export function compareContent(
  to: Comparison,
  pair: BothPlaces,
  direction: Direction | undefined,
  isNegotiated = true,
): void {
  const contents = pairMembers(fieldOf(pair, "content"), normalizeMediaType);
  const links = linkCovered(contents, (range, name) => range !== name && fallsUnder(essenceOf(name), range));
  const told = new Set(links.flatMap((link) => [link.before, link.after]));
  for (const link of links) {
    const facts = { before: nameOf(link.before), after: nameOf(link.after) };
    tell(to, { code: "media-type-changed", facts, place: link.after, direction, extent: link.extent });
    compareMediaType(to, link, direction);
  }
  for (const media of contents.values()) {
    const { before, after } = media;
    if (isBoth(media)) compareMediaType(to, media, direction);
    else if (after !== undefined && !told.has(after)) {
      const facts = { name: nameOf(after), isNegotiated };
      tell(to, { code: "media-type-added", facts, place: after, direction });
    } else if (before !== undefined && !told.has(before)) {
      const facts = { name: nameOf(before), isNegotiated };
      tell(to, { code: "media-type-removed", facts, place: before, direction });
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
    const extent = extentOfValues(mediaTypesIn(before), mediaTypesIn(after));
    const facts = { name, field: "contentType", before, after };
    if (extent !== "same") tell(to, { ...told, code: "encoding-changed", facts, extent });
  }
}

/** The media types of a list such as `image/png, image/jpeg`. */
function mediaTypesIn(list: string | undefined): readonly string[] | undefined {
  return list?.split(",").map((one) => normalizeMediaType(one));
}

/** Compares named examples. */
export function compareExamples(to: Comparison, pair: BothPlaces): void {
  for (const example of pairMembers(fieldOf(pair, "examples")).values()) {
    const { before, after } = example;
    if (!isBoth(example)) {
      tellExample(to, after ?? pair.after, { before: before?.value, after: after?.value });
      continue;
    }
    const both = followBoth(example);
    compareNotes(to, both);
    const [changed] = differingFields(both, ["value", "externalValue"]);
    if (changed === undefined) continue;
    const [old, current] = fieldValues(both, changed);
    tellExample(to, both.after, { before: old ?? null, after: current ?? null }, childOf(both.after, changed));
  }
}

/** Reports an example that was added, removed or changed. `place` is its value, if that has a place. */
function tellExample(
  to: Comparison,
  subject: Place,
  values: Omit<FieldChange, "field">,
  place: Place | undefined = subject,
): void {
  tell(to, { code: "prose-changed", facts: { field: "value", ...values }, place, subject });
}

/** Compares parameters or headers, whose values have a schema or content. */
export function compareValue(to: Comparison, pair: BothPlaces, use: Use): void {
  const isSchema = [pair.before, pair.after].map((place) => memberOf(place, "content") === undefined);
  if (isSchema[0] === isSchema[1]) {
    compareSchemaField(to, pair, use);
    compareContent(to, pair, use.direction);
  } else {
    const facts = { after: isSchema[1] === true ? "schema" : "content" } as const;
    tell(to, { code: "parameter-content-changed", facts, place: pair.after, direction: use.direction });
  }
  compareExamples(to, pair);
  compareNotes(to, pair, ["examples"]);
}

/** Compares the responses of an operation. */
export function compareResponses(to: Comparison, operations: BothPlaces, direction: Direction): void {
  const responses = compareCovered(to, operations, direction);
  const [former, status] = renamedStatus(responses);
  if (former !== undefined && status !== undefined) {
    const [before, after] = [responses.get(former)?.before, responses.get(status)?.after];
    responses.delete(former);
    responses.set(status, { before, after });
    const facts = { before: former, after: status };
    if (after !== undefined) tell(to, { code: "response-status-changed", facts, place: after, direction });
  }
  for (const [name, response] of responses) {
    const { before, after } = response;
    const isSuccess = isSuccessStatus(name);
    if (isBoth(response)) compareResponse(to, followBoth(response), direction, name === status);
    else if (after !== undefined) {
      const isNew = isSuccess && direction === "response" && isNewContent(operations.before, followPlace(after));
      tell(to, { code: "response-added", facts: { isNewContent: isNew }, place: after, direction });
    } else if (before !== undefined) {
      tell(to, { code: "response-removed", facts: { name: nameOf(before), isSuccess }, place: before, direction });
    }
  }
}

/** The only removed success status, and the only added one, which replaces it. */
function renamedStatus(responses: ReadonlyMap<string, Pair>): readonly string[] {
  const successes = [...responses].filter(([status]) => isSuccessStatus(status));
  const [removed, ...others] = successes.filter(([, { after }]) => after === undefined);
  const [added, ...more] = successes.filter(([, { before }]) => before === undefined);
  const isOne = removed !== undefined && added !== undefined && others.length + more.length === 0;
  return isOne ? [removed[0], added[0]] : [];
}

/**
 * Compares responses whose names became others that they cover, or that cover them: a range, or `default`. Returns the other
 * responses.
 */
function compareCovered(to: Comparison, operations: BothPlaces, direction: Direction): Map<string, Pair> {
  const responses = pairMembers(fieldOf(operations, "responses"));
  const listed = { before: successesOf(operations.before), after: successesOf(operations.after) };
  const { before, after } = responses.get("default") ?? {};
  // It stands for the successes where none are listed, and for the failures elsewhere.
  const isOther = before !== undefined && after !== undefined && listed.before > 0 !== listed.after > 0;
  const others: ReadonlyMap<string, Pair> = isOther
    ? new Map([...responses, ["default", { before, after: undefined }], [" default", { before: undefined, after }]])
    : responses;
  const links = linkCovered(others, (range, name, side) => {
    if (isStatusRange(range)) return name !== range && name.startsWith(range.charAt(0));
    return isDefaultStatus(range) && !isDefaultStatus(name) && isSuccessStatus(name) === (listed[side] === 0);
  });
  for (const link of links) compareResponse(to, followBoth(link), direction, false);
  tellCovered(to, links, operations, direction);
  const told = new Set(links.flatMap((link) => [link.before, link.after]));
  const left = (place: Place | undefined) => (place !== undefined && told.has(place) ? undefined : place);
  return new Map([...others].map(([name, pair]) => [name, { before: left(pair.before), after: left(pair.after) }]));
}

function tellCovered(to: Comparison, links: readonly NamedLink[], operations: BothPlaces, direction: Direction): void {
  const [narrowed, widened] = (["fewer", "more"] as const).map((extent) =>
    links.filter((one) => one.extent === extent),
  );
  for (const [place, own] of groupBy(narrowed ?? [], ({ before }) => before)) {
    const [name, statuses] = [nameOf(place), own.map(({ after }) => nameOf(after))];
    const [first] = own;
    if (first === undefined) continue;
    const where = { place: first.after, direction };
    // Of a webhook, consumers send it.
    if (direction === "request") {
      tell(to, { ...where, code: "response-status-changed", facts: { before: name, after: statuses.join(", ") } });
    } else {
      tell(to, { ...where, code: "response-status-specified", facts: { name, statuses }, subject: operations.after });
    }
  }
  for (const { before, after } of widened ?? []) {
    const facts = { before: nameOf(before), after: nameOf(after) };
    if (isSuccessStatus(nameOf(before))) tell(to, { code: "response-status-changed", facts, place: after, direction });
    else tell(to, { code: "response-added", facts: { isNewContent: false }, place: after, direction });
  }
}

function successesOf(operation: Place): number {
  return childrenOf(memberOf(operation, "responses")).filter((one) => isSuccessStatus(nameOf(one))).length;
}

/** Returns whether no success had the content of a response before, although there were other successes. */
function isNewContent(operation: Place, response: Place): boolean {
  const successes = childrenOf(memberOf(operation, "responses")).filter((one) => isSuccessStatus(nameOf(one)));
  return (
    successes.length > 0 &&
    !successes.some((one) => {
      const comparison = createComparison();
      compareContent(comparison, { before: followPlace(one), after: response }, undefined);
      return isSameMeaning(comparison);
    })
  );
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
    compareWriting(to, both, "header", direction);
    compareValue(to, both, { direction, closed: closedGaps(both.before.value, both.after.value) });
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
