import { canonicalJson, stringsOf, membersOf, objectsOf, withoutMembers } from "../values/json.ts";
import { compareText } from "../values/text.ts";
import type { Direction } from "../spec/schemas.ts";
import {
  compareMeaning,
  compareNotes,
  createComparison,
  differingFields,
  fieldChange,
  isSameValue,
  tell,
  tellField,
  type Comparison,
  type Told,
} from "./comparison.ts";
import {
  childrenBy,
  fieldValues,
  followPlace,
  followBoth,
  isBoth,
  nameOf,
  pairRenamed,
  type BothPlaces,
  type NamedPair,
  type Pair,
  type Place,
} from "./places.ts";

/**
 * Credentials that are required together: scopes by the names of schemes. If it is empty, no credentials are
 * needed.
 */
type Requirement = ReadonlyMap<string, readonly string[]>;

/** The place of requirements, and their operation. */
export interface SecurityPlace {
  /** `undefined` if no credentials are described. */
  readonly place: Place | undefined;
  readonly operation: Place;
}

/** The context in which operations are compared. */
export interface OperationContext {
  /** The new names of security schemes, by their old names. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The sender of the requests: `request` for consumers, `response` for the service. */
  readonly direction: Direction;
}

/** Compares the accepted credentials. */
export function compareRequirements(
  to: Comparison,
  before: SecurityPlace,
  after: SecurityPlace,
  { renamed, direction }: OperationContext,
): void {
  const [old, current] = [readRequirements(before, renamed), readRequirements(after)];
  const told = { place: after.place ?? after.operation, subject: after.operation, direction } as const;
  const former = to.differences.length;
  const isAccepted = (one: Requirement, by: readonly Requirement[]) => by.some((other) => includes(one, other));
  for (const one of old) if (!isAccepted(one, current)) tellRefusal(to, told, one, current);
  const isKnown = (one: Requirement) => old.some((other) => includes(other, one) && includes(one, other));
  for (const one of current.filter((requirement) => !isKnown(requirement))) {
    const larger = old.find((other) => includes(other, one));
    const isReported = old.some((other) => other.size > 0 && includes(one, other) && !isAccepted(other, current));
    if (one.size === 0) {
      const code = current.length === 1 ? "credentials-unneeded" : "credentials-optional";
      tell(to, { ...told, code, facts: {} });
    } else if (larger !== undefined) tellRelief(to, told, larger, one);
    else if (!isReported && old.some(({ size }) => size > 0))
      tell(to, { ...told, code: "security-requirement-added", facts: { names: namesOf(one) } });
  }
  const [listed, isListed] = [old, current].map((list) =>
    list.map((one) => canonicalJson(Object.fromEntries(one))).toSorted(compareText),
  );
  // What is no longer listed may still be sent.
  if (to.differences.length === former && !isSameValue(listed, isListed))
    tell(to, { ...told, direction: undefined, code: "uncompared", facts: { field: "security" } });
}

function readRequirements({ place }: SecurityPlace, renamed?: ReadonlyMap<string, string>): readonly Requirement[] {
  const listed = objectsOf(place?.value);
  const written = listed.length === 0 ? [{}] : listed;
  const nameOfScheme = (name: string) => renamed?.get(name) ?? name;
  return written.map((one) => new Map(membersOf(one).map(([name, scopes]) => [nameOfScheme(name), stringsOf(scopes)])));
}

/** Returns whether credentials for one requirement satisfy another. */
function includes(one: Requirement, other: Requirement): boolean {
  return [...other].every(([name, scopes]) => scopes.every((scope) => one.get(name)?.includes(scope)) && one.has(name));
}

/** Where a difference of requirements is reported. */
type RequirementPlace = Pick<Told<"credentials-required">, "place" | "subject" | "direction">;

/** Reports credentials that are no longer enough, and the missing ones. */
function tellRefusal(to: Comparison, told: RequirementPlace, one: Requirement, current: readonly Requirement[]): void {
  const names = namesOf(one);
  const more = current.find((other) => names.every((name) => other.has(name)));
  if (one.size === 0) tell(to, { ...told, code: "credentials-required", facts: {} });
  else if (more === undefined) tell(to, { ...told, code: "security-requirement-removed", facts: { names } });
  else {
    const others = namesOf(more).filter((name) => !one.has(name));
    if (others.length > 0) tell(to, { ...told, code: "security-requirement-extended", facts: { names, others } });
    else tell(to, { ...told, code: "required-scopes-added", facts: addedScopes(one, more) });
  }
}

/** The first scheme that requires more scopes now, and these. */
function addedScopes(one: Requirement, more: Requirement) {
  const added = [...more].map(([name, scopes]) => ({
    name,
    values: scopes.filter((scope) => one.get(name)?.includes(scope) !== true),
  }));
  return added.find(({ values }) => values.length > 0) ?? { name: "", values: [] };
}

function tellRelief(to: Comparison, told: RequirementPlace, larger: Requirement, one: Requirement): void {
  const others = namesOf(larger).filter((name) => !one.has(name));
  if (others.length === 0) tell(to, { ...told, code: "required-scopes-removed", facts: { names: namesOf(one) } });
  else tell(to, { ...told, code: "security-requirement-reduced", facts: { names: namesOf(larger), others } });
}

function namesOf(requirement: Requirement): readonly string[] {
  return [...requirement.keys()];
}

/** Pairs security schemes by name. One that was renamed is otherwise the same. */
export function pairSchemes({ before, after }: Pair): readonly NamedPair<Place>[] {
  const contentOf = (scheme: Place) => withoutMembers(followPlace(scheme).value, ["description"]);
  return pairRenamed(childrenBy(before, nameOf), childrenBy(after, nameOf), (one, other) =>
    isSameValue(contentOf(one), contentOf(other)),
  );
}

/** Compares two states of a security scheme. */
export function compareScheme({ former, name, ...pair }: NamedPair<Place>): Comparison {
  const to = createComparison();
  const { before, after } = pair;
  if (isBoth(pair)) {
    const both = followBoth(pair);
    const facts = { before: former, after: name };
    if (former !== name) tell(to, { code: "security-scheme-renamed", facts, place: pair.after, direction: "request" });
    compareSchemeFields(to, both);
    compareMeaning(to, both, "flows", { direction: "request" });
    compareNotes(to, both);
  } else if (after !== undefined) tell(to, { code: "security-scheme-added", facts: {}, place: after });
  else if (before !== undefined)
    tell(to, { code: "security-scheme-removed", facts: { name }, place: before, direction: "request" });
  return to;
}

function compareSchemeFields(to: Comparison, both: BothPlaces): void {
  const isOtherType = differingFields(both, ["type"]).length > 0;
  for (const field of differingFields(both, ["type", "scheme", "in", "name", "openIdConnectUrl", "bearerFormat"])) {
    if (isSameIgnoringCase(both, field)) continue;
    const isRelevant = field === "type" || (!isOtherType && field !== "bearerFormat");
    const code = isRelevant ? "security-scheme-changed" : "security-scheme-hint-changed";
    tellField(to, both, field, { code, facts: fieldChange(both, field), direction: "request" });
  }
}

/** Returns whether only the case of a scheme or of a header name differs (RFC 9110, sections 5.1 and 11.1). */
function isSameIgnoringCase(both: BothPlaces, field: string): boolean {
  const isHeader = fieldValues(both, "in").every((where) => where === "header");
  if (field !== "scheme" && (field !== "name" || !isHeader)) return false;
  const [before, after] = fieldValues(both, field).map((value) => String(value).toLowerCase());
  return before === after;
}
