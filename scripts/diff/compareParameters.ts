import { pathParameters } from "../spec/pathTemplate.ts";
import type { Direction } from "../spec/schemas.ts";
import { isSent } from "../contract/generation.ts";
import { compareValue, isRequired } from "./compareBodies.ts";
import { createComparison, isSameMeaning, tell, tellField, type Comparison } from "./comparison.ts";
import {
  childrenOf,
  followPlace,
  followBoth,
  isBoth,
  memberOf,
  pairRenamed,
  textAt,
  type BothPlaces,
  type Pair,
  type Place,
} from "./places.ts";

/** An operation, and its path item. */
export interface OperationPlace {
  readonly path: string;
  readonly item: Place;
  readonly operation: Place;
}

/**
 * Compares the parameters of an operation and its path item. Path parameters are paired by position. Returns
 * the new names of parameters, by their old names.
 */
export function compareParameters(
  to: Comparison,
  before: OperationPlace,
  after: OperationPlace,
  direction: Direction,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (const { former, name, ...pair } of pairRenamed(parametersOf(before), parametersOf(after), isRenamed)) {
    if (former !== name && isBoth(pair)) {
      tellName(to, pair, direction);
      renamed.set(readName(pair.before).name, readName(pair.after).name);
    }
    compareOne(to, pair, direction);
  }
  return renamed;
}

function parametersOf({ path, item, operation }: OperationPlace): ReadonlyMap<string, Place> {
  const places = [item, operation].flatMap((holder) => childrenOf(memberOf(holder, "parameters")));
  const sent = places.filter((place) => isSent({ ...readName(place), isText: true }));
  return new Map(sent.map((place) => [keyOf(place, path), place]));
}

function readName(place: Place): { readonly in: string; readonly name: string } {
  const target = followPlace(place);
  return { in: textAt(target, "in"), name: textAt(target, "name") };
}

function keyOf(place: Place, path: string): string {
  const { in: where, name } = readName(place);
  if (where === "path") return `path ${pathParameters(path).indexOf(name)}`;
  // Header names are case-insensitive (RFC 9110, section 5.1).
  return `${where} ${where === "header" ? name.toLowerCase() : name}`;
}

/**
 * Returns whether a parameter moved to another place with the same name, or has another name and is otherwise
 * the same.
 */
function isRenamed(before: Place, after: Place): boolean {
  const [old, current] = [readName(before), readName(after)];
  if (old.name === current.name || old.in !== current.in) return old.name === current.name;
  const comparison = createComparison();
  compareParameter(comparison, followBoth({ before, after }), undefined);
  return isSameMeaning(comparison);
}

function tellName(to: Comparison, { before, after }: BothPlaces, direction: Direction): void {
  const [former, current] = [readName(before), readName(after)];
  const told = { place: after, direction };
  if (former.name === current.name)
    tell(to, { ...told, code: "parameter-moved", facts: { ...former, after: current.in } });
  else tell(to, { ...told, code: "parameter-renamed", facts: { ...former, after: current.name } });
}

function compareOne(to: Comparison, pair: Pair, direction: Direction): void {
  const { before, after } = pair;
  if (isBoth(pair)) compareParameter(to, followBoth(pair), direction);
  else if (after !== undefined) {
    const code = isRequired(followPlace(after)) ? "required-parameter-added" : "parameter-added";
    tell(to, { code, facts: readName(after), place: after, direction });
  } else if (before !== undefined) {
    tell(to, { code: "parameter-removed", facts: readName(before), place: before, direction });
  }
}

function compareParameter(to: Comparison, pair: BothPlaces, direction: Direction | undefined): void {
  const facts = readName(pair.after);
  const [was, is] = [pair.before, pair.after].map(isRequired);
  if (was !== is) {
    const code = is === true ? "parameter-became-required" : "parameter-became-optional";
    tellField(to, pair, "required", { code, facts, direction });
  }
  compareValue(to, pair, direction);
}
