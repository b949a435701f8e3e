import { isDeepStrictEqual } from "node:util";
import { allOperations, type Generation, type Operation } from "../contract/generation.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { adviseOn } from "./changeAdvice.ts";
import { describePlace } from "../contract/gaps.ts";
import { byImpact, type Change, type Difference, type Subject } from "./changes.ts";
import { compareDescription } from "./compareDescription.ts";
import { compareOperations, inheritsServers } from "./compareOperations.ts";
import { compareScheme, renamedSchemes } from "./compareSecurity.ts";
import { createComparison, differingFields, tell, tellNote, type Comparison } from "./comparison.ts";
import { listDifferences, type ComparedPart } from "./listDifferences.ts";
import { listSchemaNames } from "./listSchemaNames.ts";
import { createChangeTest } from "./operationUses.ts";
import {
  pairOperations,
  placeOfOperation,
  templateOf,
  type OperationPair,
  type PairedOperations,
} from "./pairOperations.ts";
import { phraseText, type Phrase } from "../report/phrase.ts";
import { memberOf, pairMembers, placeAt, type Pair, type Place } from "./places.ts";

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
function wholeOf({ name, operations, document }: Generation, kind: "added" | "removed"): readonly Difference[] {
  const comparison = createComparison();
  tell(comparison, { code: `generation-${kind}`, facts: { name }, place: placeAt(document, []) });
  const names = operations.map((operation) => operation.name);
  return comparison.differences.map(({ impact, kind: kindOfChange, rule, fact }) => ({
    ...{ impact, kind: kindOfChange, ...(rule !== undefined && { rule }) },
    ...{ generation: name, operations: names, pointer: "", subject: { type: "generation" }, fact },
  }));
}

function compareGeneration(before: Generation, after: Generation): readonly Difference[] {
  if (isDeepStrictEqual(before.document, after.document)) return [];
  const securitySchemes = (document: OpenApiDocument) =>
    memberOf(placeAt(document, []), "components", "securitySchemes");
  const schemes = pairMembers({ before: securitySchemes(before.document), after: securitySchemes(after.document) });
  const renamed = renamedSchemes(schemes);
  const paired = pairOperations(allOperations(before), allOperations(after), createUnchangedTest(before, after));
  const comparison = compareDescription(before.document, after.document, isServed(paired));
  const parts = [
    { names: [], comparison },
    ...comparePaths(paired),
    ...compareAllOperations(paired, renamed),
    ...compareSchemes(schemes, renamed, paired),
  ];
  return listDifferences([...parts, ...listSchemaNames(before, after, parts)], after);
}

/** Returns whether an operation has the servers of the document in both states, or there is none. */
function isServed({ all }: PairedOperations): boolean {
  const inherits = (one: Operation | undefined) => one !== undefined && inheritsServers(placeOfOperation(one));
  return all.length === 0 || all.some(({ before, after }) => inherits(before) && inherits(after));
}

/** Compares the paths that are in both states. */
function comparePaths({ byPath }: PairedOperations): readonly ComparedPart[] {
  return [...byPath.values()].flatMap((group) => {
    const comparison = createComparison();
    const [old] = group.flatMap(({ before }) => before ?? []);
    const [current] = group.flatMap(({ after }) => after ?? []);
    if (old === undefined || current === undefined) return [];
    comparePath(comparison, old, current);
    return [{ names: group.flatMap(({ before, after }) => (before && after ? after.name : [])), comparison }];
  });
}

function comparePath(to: Comparison, before: Operation, after: Operation): void {
  if (templateOf(before.path) !== templateOf(after.path)) {
    const facts = { before: before.path, after: after.path };
    tell(to, { code: `${nounOf(before)}-renamed`, facts, place: placeOfPath(after) });
  }
  const items = { before: placeOfOperation(before).item, after: placeOfOperation(after).item };
  for (const field of differingFields(items, ["summary", "description"])) tellNote(to, items, field);
}

function placeOfPath(operation: Operation): Place {
  return placeAt(operation.document, [operation.isWebhook ? "webhooks" : "paths", operation.path]);
}

function nounOf(operation: Operation): "path" | "webhook" {
  return operation.isWebhook ? "webhook" : "path";
}

function compareAllOperations({ byPath }: PairedOperations, renamed: ReadonlyMap<string, string>) {
  return [...byPath.values()].flat().flatMap((pair) => compareOperation(pair, renamed));
}

function compareOperation(
  { before, after }: OperationPair,
  renamed: ReadonlyMap<string, string>,
): readonly ComparedPart[] {
  const comparison = createComparison();
  const one = after ?? before;
  if (one === undefined) return [];
  if (before !== undefined && after !== undefined) {
    const direction = after.isWebhook ? "response" : "request";
    compareOperations(comparison, placeOfOperation(before), placeOfOperation(after), { renamed, direction });
    comparePathParameters(comparison, before, after);
  } else {
    const place = placeOfOperation(one).operation;
    if (after === undefined) tell(comparison, { code: "operation-removed", facts: {}, place });
    else tell(comparison, { code: "operation-added", facts: { name: after.name, title: after.title }, place });
  }
  return [{ names: [one.name], comparison }];
}

/**
 * Creates a function that returns whether an operation and everything it refers to is the same in two states
 * of a generation.
 */
function createUnchangedTest(before: Generation, after: Generation) {
  const isChanged = createChangeTest(before.document, after.document);
  // Operations inherit these.
  const isAllChanged = isChanged(["security"]) || isChanged(["servers"]);
  return ({ path }: Operation) => !isAllChanged && !isChanged(["paths", path]) && !isChanged(["webhooks", path]);
}

/** Names of path parameters don't appear in HTTP, but they are properties in the types. */
function comparePathParameters(to: Comparison, before: Operation, after: Operation): void {
  if (before.path === after.path || templateOf(before.path) !== templateOf(after.path)) return;
  const facts = { before: before.path, after: after.path };
  tell(to, { code: "path-parameters-renamed", facts, place: placeOfPath(after) });
}

/** Compares the security schemes. They concern the operations that accept them in either state. */
function compareSchemes(
  schemes: ReadonlyMap<string, Pair>,
  renamed: ReadonlyMap<string, string>,
  { all }: PairedOperations,
): readonly ComparedPart[] {
  const formers = new Map([...renamed].map(([former, name]) => [name, former]));
  return [...schemes].flatMap(([name, { before, after }]) => {
    if (renamed.has(name)) return [];
    const former = formers.get(name) ?? name;
    const comparison = createComparison();
    compareScheme(comparison, { before: before ?? schemes.get(former)?.before, after }, former);
    const accepts = (operation: Operation | undefined, scheme: string) =>
      operation?.security.flat().some((one) => one.name === scheme) === true;
    const using = all.filter((pair) => accepts(pair.before, former) || accepts(pair.after, name));
    return [{ names: using.flatMap((pair) => (pair.after ?? pair.before)?.name ?? []), comparison }];
  });
}

function putIntoWords({ fact, subject, ...difference }: Difference): Change {
  const { code, facts, listed } = fact;
  const words = [...introductionOf(subject), ...fact.words];
  return {
    ...difference,
    ...{ code, facts, subject, ...(listed && { listed }), words, message: phraseText(words) },
    advice: adviseOn({ ...difference, fact }),
  };
}

/** The introduction of a sentence about all operations, a part of one, or a schema. */
function introductionOf(subject: Subject): Phrase {
  if (subject.type === "every operation") return ["Every operation: "];
  return subject.type === "place" ? [`${describePlace(subject)}: `] : [];
}
