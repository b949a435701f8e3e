import { isDeepStrictEqual } from "node:util";
import type { Generation, Operation } from "../contract/generation.ts";
import { groupBy } from "../contract/text.ts";
import { jsonPointer, pointerKeys } from "../spec/json.ts";
import { isNamedSchema } from "./breakage.ts";
import { adviseOn } from "./changeAdvice.ts";
import { impacts, type Change, type Difference } from "./changes.ts";
import { changeMessage, namedOperation } from "./changeText.ts";
import { prepareGeneration, type ComparedGeneration } from "./comparedGeneration.ts";
import { mergeAlike, mergeShared } from "./mergeDifferences.ts";
import {
  alignAlternatives,
  alignStatuses,
  normalizeDocument,
  templateOf,
  type StatusRenaming,
} from "./normalizedDocument.ts";
import { keepChangedParts } from "./operationUses.ts";
import { readDifference } from "./readDifference.ts";
import { runRedoclyDiff } from "./runRedoclyDiff.ts";
import { selectTold } from "./toldChanges.ts";

/**
 * Compares two states of a contract, generation by generation, and rates each change as consumers feel it. The most severe
 * changes come first. What only reorders or reformats the descriptions is no change.
 */
export async function compareGenerations(
  base: readonly Generation[],
  next: readonly Generation[],
): Promise<readonly Change[]> {
  const names = [...new Set([...base, ...next].map(({ name }) => name))];
  const differences = names.map(async (name) => {
    const before = base.find((generation) => generation.name === name);
    const after = next.find((generation) => generation.name === name);
    if (before !== undefined && after !== undefined) return compareGeneration(before, after);
    if (before !== undefined) return [removalOf(before)];
    return after === undefined ? [] : [additionOf(after)];
  });
  const all = (await Promise.all(differences)).flat();
  // Changes of one rating stay in the order of the description.
  return all.toSorted((a, b) => impacts.indexOf(a.impact) - impacts.indexOf(b.impact)).map(putIntoWords);
}

/** A change of a generation as a whole. */
const wholeGeneration = { pointer: "", subject: { type: "generation" }, fact: { type: "existence" } } as const;

function additionOf({ name: generation, operations }: Generation): Difference {
  const names = operations.map(({ name }) => name);
  return { ...wholeGeneration, impact: "minor", kind: "added", generation, operations: names };
}

function removalOf({ name: generation, operations }: Generation): Difference {
  const names = operations.map(({ name }) => name);
  const rule = "generation-removed";
  return { ...wholeGeneration, impact: "major", kind: "removed", rule, generation, operations: names };
}

async function compareGeneration(before: Generation, after: Generation): Promise<readonly Difference[]> {
  if (isDeepStrictEqual(before.document, after.document)) return [];
  const [first, second] = [normalizeDocument(before.document), normalizeDocument(after.document)];
  const [old, current] = keepChangedParts(first.document, second.document);
  const changed = { ...first, document: old };
  const { aligned, renamings } = alignStatuses(changed, { ...second, document: current });
  const base = prepareGeneration(before, alignAlternatives(changed, aligned));
  const next = prepareGeneration(after, alignAlternatives(aligned, changed));
  const isSame = isDeepStrictEqual(base.normalized.document, next.normalized.document);
  const found = isSame ? [] : await runRedoclyDiff(base.normalized.document, next.normalized.document);
  const told = mergeShared([
    ...renamings.map((renaming) => describeRenaming(renaming, next)),
    ...listParameterNames(base, next),
    ...selectTold(found).map((change) => readDifference(change, found, base, next)),
  ]);
  const names = after.operations.map(({ name }) => name);
  const felt = told.filter((difference) => isFelt(difference, new Set(names)));
  return mergeAlike(felt, names);
}

/** A schema that went with the last operation that used it is no change of its own. */
function isFelt({ pointer, operations }: Difference, remaining: ReadonlySet<string>): boolean {
  return !isNamedSchema(pointerKeys(pointer)) || operations.some((name) => remaining.has(name));
}

function describeRenaming(
  { pointer, status }: StatusRenaming,
  { generation, findOperations }: ComparedGeneration,
): Difference {
  return {
    ...{ impact: "patch", kind: "clarified", generation: generation.name },
    operations: findOperations(pointer),
    pointer,
    subject: { type: "place", part: "response", name: status },
    fact: { type: "success status", status },
  };
}

/** Names of path parameters mean nothing to HTTP, and are properties in the types. */
function listParameterNames(base: ComparedGeneration, next: ComparedGeneration): readonly Difference[] {
  const before = new Map(base.generation.operations.map(({ name, path }) => [templateOf(name), path]));
  const formerOf = ({ name, path }: Operation) => before.get(templateOf(name)) ?? path;
  const renamed = next.generation.operations.filter((operation) => formerOf(operation) !== operation.path);
  return Array.from(
    groupBy(renamed, ({ path }) => path),
    ([path, operations]): Difference => {
      const [first] = operations;
      return {
        ...{ impact: "major", kind: "changed", rule: "name", generation: next.generation.name },
        operations: operations.map(({ name }) => name),
        pointer: jsonPointer(["paths", path]),
        subject: { type: "place", part: "", name: path },
        fact: { type: "path parameters", former: first === undefined ? path : formerOf(first), path },
      };
    },
  );
}

function putIntoWords(difference: Difference): Change {
  const { impact, kind, generation, operations, pointer, rule, direction, gaps } = difference;
  const named = namedOperation(difference);
  return {
    ...{ impact, kind, generation, operations, pointer },
    ...(rule !== undefined && { rule }),
    ...(direction !== undefined && { direction }),
    message: changeMessage(difference),
    ...(named !== undefined && { named }),
    advice: adviseOn(difference),
    ...(gaps !== undefined && { gaps }),
  };
}
