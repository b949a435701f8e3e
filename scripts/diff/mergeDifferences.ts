import { compareText, groupBy } from "../contract/text.ts";
import type { Difference } from "./changes.ts";
import { changeMessage } from "./changeText.ts";

/** One change for what several operations share. */
export function mergeShared(differences: readonly Difference[]): readonly Difference[] {
  const groups = groupBy(differences, (one) => [one.pointer, one.impact, changeMessage(one)].join("\n"));
  return [...groups.values()].flatMap((group) => {
    const last = group.at(-1);
    return last === undefined ? [] : [mergeAll(last, group)];
  });
}

/** One change for what is told alike of each operation. `names` are all that there are. */
export function mergeAlike(differences: readonly Difference[], names: readonly string[]): readonly Difference[] {
  const groups = groupBy(differences, (one) => [one.impact, changeMessage(generalize(one))].join("\n"));
  return [...groups.values()].flatMap((group) => {
    const [first, second] = group;
    if (first === undefined || second === undefined || names.length === 0) return group;
    const told = new Set(group.flatMap(({ operations }) => operations));
    return names.every((name) => told.has(name)) ? [generalize(mergeAll(first, group))] : group;
  });
}

/** One of some changes, with the operations of all. */
function mergeAll(first: Difference, group: readonly Difference[]): Difference {
  const operations = new Set(group.flatMap((one) => one.operations));
  return { ...first, operations: [...operations].toSorted(compareText) };
}

/** A change as it is told of every operation, if it is about an operation. */
function generalize(difference: Difference): Difference {
  const { subject } = difference;
  return subject.type === "operation" ? { ...difference, subject: { type: "every operation" } } : difference;
}
