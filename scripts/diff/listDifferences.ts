import { nameOfPlace } from "../contract/gaps.ts";
import { allOperations, type Generation } from "../contract/generation.ts";
import { canonicalJson, valueAt } from "../values/json.ts";
import { compareText } from "../values/text.ts";
import { groupBy, reachable, getOrCreate } from "../values/collections.ts";
import { byImpact, type Difference, type Subject } from "./changes.ts";
import { createComparison, differencesOf, tell, type Comparison, type PlacedDifference } from "./comparison.ts";
import { flatten, isAlike } from "./flatSchema.ts";
import { createOperationFinder } from "./operationUses.ts";
import { templateOf } from "./pairOperations.ts";
import { childrenBy, nameOf, placeAt, pointerOfPlace, type Place } from "./places.ts";

/** A comparison, and the names of the operations that it concerns. */
export interface ComparedPart {
  readonly names: readonly string[];
  readonly comparison: Comparison;
}

/** Lists differences as the changes of a generation. A difference shared by several operations is one change. */
export function listDifferences(
  parts: readonly ComparedPart[],
  { name, operations }: Generation,
): readonly Difference[] {
  const users = new Map<PlacedDifference, Set<string>>();
  for (const { names, comparison } of parts) {
    for (const one of differencesOf(comparison)) {
      const known = getOrCreate(users, one, () => new Set());
      for (const user of names) known.add(user);
    }
  }
  const differences = Array.from(users, ([one, names]) => differenceOf(one, [...names].toSorted(compareText), name));
  return mergeAlike(
    mergeShared(differences),
    operations.map((operation) => operation.name),
  );
}

function differenceOf(placed: PlacedDifference, operations: readonly string[], generation: string): Difference {
  const { place, subject, ...rated } = placed;
  // Changes to unused parts affect nobody.
  const isHarmless = operations.length === 0 && place.keys[0] === "components" && rated.impact === "major";
  return {
    ...rated,
    ...(isHarmless && { impact: "minor", rule: undefined }),
    ...{ generation, operations, pointer: pointerOfPlace(place), subject: subjectOf(subject) },
  };
}

function subjectOf({ document, keys, value }: Place): Subject {
  const [root = "", kind, name] = keys;
  const operation = { type: "operation" } as const;
  if (keys.length === 0) return { type: "generation" };
  if (root === "security" || root === "servers") return operation;
  if (root === "tags") return { type: "place", part: "", name: `tag ${String(valueAt(value, ["name"]))}` };
  const place = nameOfPlace(document, keys);
  if (place.name === "") return operation;
  if (root !== "components" || place.name !== name || place.part !== "") return { type: "place", ...place };
  if (kind === "responses") return { type: "place", part: "response", name };
  if (kind !== "parameters") return { type: "place", ...place };
  return { type: "place", part: "parameter", name: String(valueAt(document, ["components", kind, name, "name"])) };
}

/** Merges identical changes of one place: in requests and in responses, or in several operations. */
function mergeShared(differences: readonly Difference[]): readonly Difference[] {
  const groups = groupBy(differences, ({ pointer, subject, code, facts }) =>
    canonicalJson({ pointer, subject, code, facts }),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group.toSorted(byImpact);
    if (first === undefined) return [];
    const isOneWay = group.every(({ impact, direction }) => impact !== first.impact || direction === first.direction);
    return [mergeAll(isOneWay ? first : { ...first, direction: undefined }, group)];
  });
}

/** Merges identical changes of all operations. `names` are all operations. */
function mergeAlike(differences: readonly Difference[], names: readonly string[]): readonly Difference[] {
  const groups = groupBy(differences, (one) => {
    const { impact, subject, code, facts } = generalize(one);
    return canonicalJson({ impact, subject, code, facts });
  });
  return [...groups.values()].flatMap((group) => {
    const [first, second] = group;
    if (first === undefined || second === undefined || names.length === 0) return group;
    const told = new Set(group.flatMap(({ operations }) => operations));
    return names.every((name) => told.has(name)) ? [generalize(mergeAll(first, group))] : group;
  });
}

/** Merges changes, and combines their operations. */
function mergeAll(first: Difference, group: readonly Difference[]): Difference {
  const operations = new Set(group.flatMap((one) => one.operations));
  return { ...first, operations: [...operations].toSorted(compareText) };
}

/** A change for every operation, if it is about an operation. */
function generalize(difference: Difference): Difference {
  const { subject } = difference;
  return subject.type === "operation" ? { ...difference, subject: { type: "every operation" } } : difference;
}

/**
 * Compares the names of schemas, which are also the names of types, and lists those that were removed or
 * renamed. A schema that was removed with its last operation is not a separate change.
 */
export function listSchemaNames(
  before: Generation,
  after: Generation,
  parts: readonly ComparedPart[],
): readonly ComparedPart[] {
  const [old, current] = [before, after].map(({ document }) =>
    childrenBy(placeAt(document, ["components", "schemas"]), nameOf),
  );
  const gone = [...(old ?? [])].filter(([name]) => current?.has(name) !== true);
  if (gone.length === 0) return [];
  const names = new Set(after.operations.map(({ name }) => name));
  const nameNow = new Map(allOperations(after).map(({ name }) => [templateOf(name), name]));
  const findOperations = createOperationFinder(before);
  const comparisons = reachable(
    parts.map(({ comparison }) => comparison),
    (one) => one.parts,
  );
  const replaced = [...comparisons].flatMap((one) => (one.names === undefined ? [] : [one.names]));
  return gone.flatMap(([name, place]) => {
    const users = findOperations(pointerOfPlace(place)).map((user) => nameNow.get(templateOf(user)) ?? user);
    if (!users.some((user) => names.has(user))) return [];
    const comparison = createComparison();
    const [successor] = replaced.flatMap(([former, other]) => {
      const added = former !== name || old?.has(other) === true ? undefined : current?.get(other);
      return added !== undefined && isAlike(flatten([place]), flatten([added])) ? [added] : [];
    });
    if (successor === undefined) tell(comparison, { code: "schema-removed", facts: {}, place });
    else {
      const facts = { before: name, after: nameOf(successor) };
      tell(comparison, { code: "schema-renamed", facts, place: successor });
    }
    return [{ names: users, comparison }];
  });
}
