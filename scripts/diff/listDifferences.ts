import { nameOfPlace } from "../contract/gaps.ts";
import type { Generation } from "../contract/generation.ts";
import { canonicalJson, valueAt } from "../values/json.ts";
import { compareText } from "../values/text.ts";
import { groupBy, recall } from "../values/collections.ts";
import { byImpact, type Difference, type Subject } from "./changes.ts";
import { differencesOf, type Comparison, type PlacedDifference } from "./comparison.ts";
import { pointerOfPlace, type Place } from "./places.ts";

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
      const known = recall(users, one, () => new Set());
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
  const { impact, kind, rule, notice, direction, place, subject, fact } = placed;
  // Changes to unused parts affect nobody.
  const isHarmless = operations.length === 0 && place.keys[0] === "components";
  const rating = isHarmless ? { impact: impact === "major" ? "minor" : impact } : { impact, ...(rule && { rule }) };
  return {
    ...rating,
    ...{ kind, generation, operations, pointer: pointerOfPlace(place) },
    ...(notice !== undefined && { notice }),
    ...(direction !== undefined && { direction }),
    ...{ subject: subjectOf(subject), fact },
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
  const groups = groupBy(differences, ({ pointer, subject, fact }) => canonicalJson({ pointer, subject, fact }));
  return [...groups.values()].flatMap((group) => {
    const [first] = group.toSorted(byImpact);
    if (first === undefined) return [];
    const worst = group.filter(({ impact }) => impact === first.impact);
    const isOneWay = worst.every(({ direction }) => direction === first.direction);
    const { direction, ...others } = mergeAll(first, group);
    return [isOneWay && direction !== undefined ? { ...others, direction } : others];
  });
}

/** Merges identical changes of all operations. `names` are all operations. */
function mergeAlike(differences: readonly Difference[], names: readonly string[]): readonly Difference[] {
  const groups = groupBy(differences, (one) => {
    const { impact, subject, fact } = generalize(one);
    return canonicalJson({ impact, subject, fact });
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
