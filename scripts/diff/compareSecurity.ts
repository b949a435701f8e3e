import { stringsOf, membersOf, objectsOf, withoutMembers } from "../spec/json.ts";
import { codeList, fieldText, valueList } from "./changeText.ts";
import { compareNotes, differingFields, isSameValue, tell, tellField, type Comparison } from "./comparison.ts";
import {
  fieldOf,
  fieldValues,
  followPlace,
  followBoth,
  isBoth,
  nameOf,
  pairMembers,
  renamedIn,
  type BothPlaces,
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

/** Compares the accepted credentials. `renamed` has the new names of schemes. */
export function compareRequirements(
  to: Comparison,
  before: SecurityPlace,
  after: SecurityPlace,
  renamed: ReadonlyMap<string, string>,
): void {
  const [old, current] = [readRequirements(before, renamed), readRequirements(after, new Map())];
  const place = after.place ?? after.operation;
  const say = (text: string, rule?: string) => {
    const kind = rule === undefined && text.endsWith("accepted now.") ? "added" : "changed";
    tell(to, { kind, place, subject: after.operation, text, rule, direction: "request" });
  };
  const isAccepted = (one: Requirement, by: readonly Requirement[]) => by.some((other) => includes(one, other));
  for (const one of old.filter((requirement) => !isAccepted(requirement, current))) {
    say(refusal(one, current), "security-requirement-changed");
  }
  for (const one of current.filter(
    (requirement) => !old.some((other) => includes(other, requirement) && includes(requirement, other)),
  )) {
    const larger = old.find((other) => includes(other, one));
    const isTold = old.some((other) => other.size > 0 && includes(one, other) && !isAccepted(other, current));
    if (one.size === 0)
      say(current.length === 1 ? "Credentials are no longer needed." : "Credentials are now optional.");
    else if (larger !== undefined) say(relief(larger, one));
    else if (!isTold && old.some(({ size }) => size > 0)) say(`Security requirement ${namesOf(one)} is accepted now.`);
  }
}

function readRequirements({ place }: SecurityPlace, renamed: ReadonlyMap<string, string>): readonly Requirement[] {
  const listed = objectsOf(place?.value);
  const written = listed.length === 0 ? [{}] : listed;
  return written.map(
    (one) => new Map(membersOf(one).map(([name, scopes]) => [renamed.get(name) ?? name, stringsOf(scopes)])),
  );
}

/** Returns whether credentials for one requirement satisfy another. */
function includes(one: Requirement, other: Requirement): boolean {
  return [...other].every(([name, scopes]) => scopes.every((scope) => one.get(name)?.includes(scope)) && one.has(name));
}

/** Names the credentials that are no longer enough, and the missing ones. */
function refusal(one: Requirement, current: readonly Requirement[]): string {
  if (one.size === 0) return "Credentials are now required.";
  const more = current.find((other) => [...one.keys()].every((name) => other.has(name)));
  if (more === undefined) return `Security requirement ${namesOf(one)} is no longer accepted.`;
  const names = [...more.keys()].filter((name) => !one.has(name));
  if (names.length > 0) return `Security requirement ${namesOf(one)} now requires ${codeList(names)}.`;
  const [name = "", scopes = []] =
    [...more].find(([key, list]) => list.some((scope) => !one.get(key)?.includes(scope))) ?? [];
  const added = scopes.filter((scope) => one.get(name)?.includes(scope) !== true);
  return `Security scheme \`${name}\` requires new scopes: ${valueList(added)}.`;
}

function relief(larger: Requirement, one: Requirement): string {
  const names = [...larger.keys()].filter((name) => !one.has(name));
  if (names.length > 0) return `Security requirement ${namesOf(larger)} no longer requires ${codeList(names)}.`;
  return `Security requirement ${namesOf(one)} requires fewer scopes.`;
}

function namesOf(requirement: Requirement): string {
  return `\`${[...requirement.keys()].join(" + ")}\``;
}

/** The new names of security schemes by their old names, for schemes that are otherwise the same. */
export function renamedSchemes(schemes: ReadonlyMap<string, Pair>): ReadonlyMap<string, string> {
  const content = ({ value }: Place) => withoutMembers(value, ["description"]);
  return renamedIn(schemes, (before, after) => {
    return isSameValue(content(followPlace(before)), content(followPlace(after)));
  });
}

/** Compares two states of a security scheme. */
export function compareScheme(to: Comparison, pair: Pair, former?: string): void {
  const { before, after } = pair;
  if (isBoth(pair)) {
    const both = followBoth(pair);
    const name = nameOf(pair.after);
    if (former !== undefined && former !== name) {
      const text = `\`${former}\` was renamed to \`${name}\`.`;
      tell(to, { kind: "changed", place: pair.after, text, rule: "name-changed", direction: "request" });
    }
    compareSchemeFields(to, both);
    compareFlows(to, both);
    compareNotes(to, both);
  } else if (after !== undefined) tell(to, { kind: "added", place: after, text: "The security scheme was added." });
  else if (before !== undefined) {
    const text = `Security scheme \`${nameOf(before)}\` was removed.`;
    tell(to, { kind: "removed", place: before, text, rule: "security-scheme-changed", direction: "request" });
  }
}

function compareSchemeFields(to: Comparison, both: BothPlaces): void {
  const isOtherType = differingFields(both, ["type"]).length > 0;
  for (const field of differingFields(both, ["type", "scheme", "in", "name", "openIdConnectUrl", "bearerFormat"])) {
    const [old, current] = fieldValues(both, field);
    // The format of a token is a hint (OpenAPI 3.1.1, section 4.8.27.1).
    const isTold = field === "type" || (!isOtherType && field !== "bearerFormat");
    const rule = isTold && "security-scheme-changed";
    tellField(to, both, field, { text: fieldText(field, old, current), rule, direction: "request" });
  }
}

function compareFlows(to: Comparison, both: BothPlaces): void {
  const rule = "oauth-flow-changed";
  for (const [name, flow] of pairMembers(fieldOf(both, "flows"))) {
    const { before, after } = flow;
    const told = { place: after ?? both.after, subject: both.after, direction: "request" } as const;
    if (!isBoth(flow)) {
      const kind = after === undefined ? "removed" : "added";
      tell(to, { ...told, kind, text: `The flow \`${name}\` was ${kind}.`, rule: before !== undefined && rule });
      continue;
    }
    for (const field of differingFields(flow, ["authorizationUrl", "tokenUrl", "refreshUrl"])) {
      const [old, current] = fieldValues(flow, field);
      tell(to, { ...told, kind: "changed", text: fieldText(field, old, current), rule: old !== undefined && rule });
    }
    for (const [scope, { before: old, after: current }] of pairMembers(fieldOf(flow, "scopes"))) {
      if (old !== undefined && current !== undefined) continue;
      const kind = current === undefined ? "removed" : "added";
      tell(to, { ...told, kind, text: `The scope \`${scope}\` was ${kind}.`, rule: old !== undefined && rule });
    }
  }
}
