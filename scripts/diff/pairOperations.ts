import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../contract/generation.ts";
import { groupBy } from "../contract/text.ts";
import { pointerKeys } from "../spec/json.ts";
import { fillTemplate } from "../spec/pathTemplate.ts";
import type { OperationPlace } from "./compareParameters.ts";
import { memberOf, pairMaps, placeAt, renamedIn } from "./places.ts";

/** An operation in two states of a generation, as far as it is there. */
export interface OperationPair {
  readonly before: Operation | undefined;
  readonly after: Operation | undefined;
}

/** The operations of two states of a generation. */
export interface PairedOperations {
  readonly all: readonly OperationPair[];
  /** Those of paths in which something differs, by path. */
  readonly byPath: ReadonlyMap<string, readonly OperationPair[]>;
}

/** A path, or a method and a path, with numbers for the names of parameters, which mean nothing to HTTP. */
export function templateOf(path: string): string {
  let position = 0;
  return fillTemplate(path, () => {
    position += 1;
    return `{${position}}`;
  });
}

/**
 * Pairs operations by method and path, also where all of a path has another name: one of its operations is the same.
 * `isUnchanged` tells which need not be looked at.
 */
export function pairOperations(
  before: readonly Operation[],
  after: readonly Operation[],
  isUnchanged: (operation: Operation) => boolean,
): PairedOperations {
  const [old, current] = [groupByPath(before), groupByPath(after)];
  const renamed = renamedIn(pairMaps(old, current), (operations, others) =>
    operations.some((one) => others.some((other) => isSameOperation(one, other))),
  );
  const former = new Map([...renamed].map(([template, now]) => [now, template]));
  const groups = [...new Set([...current.keys(), ...old.keys()])].filter((template) => !renamed.has(template));
  const pairs = groups.map((template) => {
    const [was, is] = [old.get(former.get(template) ?? template) ?? [], current.get(template) ?? []];
    const methods = pairMaps(byMethod(was), byMethod(is));
    return [template, [...methods.values()]] as const;
  });
  const isLeft = (group: readonly OperationPair[]) =>
    group.some(
      (pair) => !pair.before || !pair.after || !isUnchanged(pair.after) || pair.before.path !== pair.after.path,
    );
  return {
    all: pairs.flatMap(([, group]) => group),
    byPath: new Map(pairs.filter(([, group]) => isLeft(group))),
  };
}

function groupByPath(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  return groupBy(operations, ({ path }) => templateOf(path));
}

function byMethod(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  return new Map(operations.map((operation) => [operation.method, operation]));
}

/** Tells whether an operation has only another path: its identifier is the same, or else all of it. */
function isSameOperation(one: Operation, other: Operation): boolean {
  if (one.method !== other.method) return false;
  if (one.operationId !== undefined) return one.operationId === other.operationId;
  const contents = [one, other].map((operation) => placeOfOperation(operation).operation.value);
  return isDeepStrictEqual(contents[0], contents[1]);
}

export function placeOfOperation({ document, path, pathItemPointer, method }: Operation): OperationPlace {
  const item = placeAt(document, pointerKeys(pathItemPointer));
  return { path, item, operation: memberOf(item, method) ?? item };
}
