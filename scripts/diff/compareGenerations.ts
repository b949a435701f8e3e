import { isDeepStrictEqual } from "node:util";
import { allOperations, type Generation, type Operation } from "../contract/generation.ts";
import { adviseOn } from "./changeAdvice.ts";
import { describePlace } from "../contract/gaps.ts";
import { byImpact, type Change, type Difference, type Subject } from "./changes.ts";
import { compareDescription } from "./compareDescription.ts";
import { compareOperations, inheritsServers } from "./compareOperations.ts";
import { compareScheme, pairSchemes } from "./compareSecurity.ts";
import { compareTexts, createComparison, tell, type Comparison } from "./comparison.ts";
import { listDifferences, listSchemaNames, type ComparedPart } from "./listDifferences.ts";
import { createChangeTest } from "./operationUses.ts";
import { pairOperations, placeOfOperation, templateOf, type OperationPair } from "./pairOperations.ts";
import { phraseText, type Phrase } from "../report/phrase.ts";
import { fieldOf, placeAt, type NamedPair, type Place } from "./places.ts";

/**
 * Compares two states of a contract, generation by generation, and rates the impact of each change on
 * consumers. The largest impact comes first. Reordering, reformatting and equivalent rewriting are not
 * changes.
 */
export function compareGenerations(base: readonly Generation[], next: readonly Generation[]): readonly Change[] {
  const names = [...new Set([...base, ...next].map(({ name }) => name))];
  const differences = names.flatMap((name) => {
    const before = base.find((generation) => generation.name === name);
    const after = next.find((generation) => generation.name === name);
    if (before !== undefined && after !== undefined) return compareGeneration(before, after);
    if (before !== undefined) return wholeOf(before, "removed");
    return after === undefined ? [] : wholeOf(after, "added");
  });
  // Changes with the same rating stay in the order of the description.
  return differences.toSorted(byImpact).map(putIntoWords);
}

/** A generation that was added or removed as a whole. */
function wholeOf(generation: Generation, kind: "added" | "removed"): readonly Difference[] {
  const { name, operations, document } = generation;
  const comparison = createComparison();
  tell(comparison, { code: `generation-${kind}`, facts: { name }, place: placeAt(document, []) });
  return listDifferences([{ names: operations.map((operation) => operation.name), comparison }], generation);
}

function compareGeneration(before: Generation, after: Generation): readonly Difference[] {
  if (isDeepStrictEqual(before.document, after.document)) return [];
  const components = fieldOf(
    { before: placeAt(before.document, []), after: placeAt(after.document, []) },
    "components",
  );
  const schemes = pairSchemes(fieldOf(components, "securitySchemes"));
  const renamed = new Map(schemes.map(({ former, name }) => [former, name]));
  const pairs = pairOperations(allOperations(before), allOperations(after));
  const isChanged = createOperationTest(before, after);
  const parts = [
    { names: [], comparison: compareDescription(before.document, after.document, isServed(pairs)) },
    ...pairs.filter(isChanged).map((pair) => compareOperation(pair, renamed)),
    ...schemes.map((scheme) => ({ names: usersOf(scheme, pairs), comparison: compareScheme(scheme) })),
  ];
  return listDifferences([...parts, ...listSchemaNames(before, after, parts)], after);
}

/** Returns whether an operation has the servers of the document in both states, or there is none. */
function isServed(pairs: readonly OperationPair[]): boolean {
  const inherits = (one: Operation | undefined) => one !== undefined && inheritsServers(placeOfOperation(one));
  return pairs.length === 0 || pairs.some(({ before, after }) => inherits(before) && inherits(after));
}

/** Creates a function that returns whether an operation, or anything that it refers to, differs in two states. */
function createOperationTest(base: Generation, next: Generation): (pair: OperationPair) => boolean {
  const isChanged = createChangeTest(base.document, next.document);
  // Operations inherit these.
  const isAllChanged = isChanged(["security"]) || isChanged(["servers"]);
  return ({ before, after }) => {
    if (before === undefined || after === undefined || before.path !== after.path) return true;
    return isAllChanged || isChanged(["paths", after.path]) || isChanged(["webhooks", after.path]);
  };
}

function compareOperation({ before, after }: OperationPair, renamed: ReadonlyMap<string, string>): ComparedPart {
  const comparison = createComparison();
  if (before !== undefined && after !== undefined) {
    const direction = after.isWebhook ? "response" : "request";
    comparePath(comparison, before, after);
    compareOperations(comparison, placeOfOperation(before), placeOfOperation(after), { renamed, direction });
  } else if (after !== undefined) {
    const facts = { name: after.name, title: after.title };
    tell(comparison, { code: "operation-added", facts, place: placeOfOperation(after).operation });
  } else if (before !== undefined)
    tell(comparison, { code: "operation-removed", facts: {}, place: placeOfOperation(before).operation });
  return { names: [after ?? before].flatMap((one) => one?.name ?? []), comparison };
}

/** Compares the path of an operation. What all operations of a path say is one change. */
function comparePath(to: Comparison, before: Operation, after: Operation): void {
  const { document, isWebhook, path } = after;
  const told = {
    facts: { before: before.path, after: path },
    place: placeAt(document, [isWebhook ? "webhooks" : "paths", path]),
  };
  if (templateOf(before.path) !== templateOf(path))
    tell(to, { code: isWebhook ? "webhook-renamed" : "path-renamed", ...told });
  // The names of path parameters don't appear in HTTP, but they are properties in the types.
  else if (before.path !== path) tell(to, { code: "path-parameters-renamed", ...told });
  const items = { before: placeOfOperation(before).item, after: placeOfOperation(after).item };
  compareTexts(to, items, ["summary", "description"]);
}

/** The operations that accept a security scheme in either state. */
function usersOf({ former, name }: NamedPair<Place>, pairs: readonly OperationPair[]): readonly string[] {
  const accepts = (operation: Operation | undefined, scheme: string) =>
    operation?.security.flat().some((one) => one.name === scheme) === true;
  const using = pairs.filter(({ before, after }) => accepts(before, former) || accepts(after, name));
  return using.flatMap(({ before, after }) => (after ?? before)?.name ?? []);
}

function putIntoWords(difference: Difference): Change {
  const words = [...introductionOf(difference.subject), ...difference.words];
  return { ...difference, words, message: phraseText(words), advice: adviseOn(difference) };
}

/** The introduction of a sentence about all operations, a part of one, or a schema. */
function introductionOf(subject: Subject): Phrase {
  if (subject.type === "every operation") return ["Every operation: "];
  return subject.type === "place" ? [`${describePlace(subject)}: `] : [];
}
