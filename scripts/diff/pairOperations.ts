import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../contract/generation.ts";
import { groupBy } from "../values/collections.ts";
import { pointerKeys } from "../values/json.ts";
import { fillTemplate } from "../spec/pathTemplate.ts";
import type { OperationPlace } from "./compareParameters.ts";
import { pairMaps, pairRenamed, placeAt } from "./places.ts";

/** An operation in two states of a generation. One of them may be missing. */
export interface OperationPair {
  readonly before: Operation | undefined;
  readonly after: Operation | undefined;
}

/** A path, or a method and a path, with numbers in place of parameter names, which don't appear in HTTP. */
export function templateOf(path: string): string {
  let position = 0;
  return fillTemplate(path, () => {
    position += 1;
    return `{${position}}`;
  });
}

/** Pairs operations by method and path. A renamed path is recognized by an unchanged operation. */
export function pairOperations(before: readonly Operation[], after: readonly Operation[]): readonly OperationPair[] {
  const paths = pairRenamed(groupByPath(before), groupByPath(after), (operations, others) =>
    operations.some((one) => others.some((other) => isSameOperation(one, other))),
  );
  return paths.flatMap(({ before: old = [], after: current = [] }) => [
    ...pairMaps(byMethod(old), byMethod(current)).values(),
  ]);
}

function groupByPath(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  return groupBy(operations, ({ path }) => templateOf(path));
}

function byMethod(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  return new Map(operations.map((operation) => [operation.method, operation]));
}

/**
 * Returns whether two operations differ only in their paths, by their operationId, or else by their whole
 * content.
 */
function isSameOperation(one: Operation, other: Operation): boolean {
  if (one.method !== other.method) return false;
  if (one.operationId !== undefined) return one.operationId === other.operationId;
  const contents = [one, other].map((operation) => placeOfOperation(operation).operation.value);
  return isDeepStrictEqual(contents[0], contents[1]);
}

export function placeOfOperation({ document, path, pathItemPointer, pointer }: Operation): OperationPlace {
  const at = (place: string) => placeAt(document, pointerKeys(place));
  return { path, item: at(pathItemPointer), operation: at(pointer) };
}
