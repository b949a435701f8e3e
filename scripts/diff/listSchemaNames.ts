import { allOperations, type Generation } from "../contract/generation.ts";
import { groupBy, reachable } from "../values/collections.ts";
import { jsonPointer, membersOf } from "../values/json.ts";
import { createComparison, tell } from "./comparison.ts";
import { flatten, isAlike } from "./flatSchema.ts";
import type { ComparedPart } from "./listDifferences.ts";
import { createOperationFinder } from "./operationUses.ts";
import { templateOf } from "./pairOperations.ts";
import { nameOf, placeAt } from "./places.ts";

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
    membersOf(document.components?.schemas).map(([name]) => name),
  );
  const gone = (old ?? []).filter((name) => current?.includes(name) !== true);
  if (gone.length === 0) return [];
  const names = new Set(after.operations.map(({ name }) => name));
  const nameNow = new Map(allOperations(after).map(({ name }) => [templateOf(name), name]));
  const findOperations = createOperationFinder(before);
  const successors = listSuccessors(parts);
  return gone.flatMap((name) => {
    const keys = ["components", "schemas", name];
    const users = findOperations(jsonPointer(keys)).map((user) => nameNow.get(templateOf(user)) ?? user);
    if (!users.some((user) => names.has(user))) return [];
    const comparison = createComparison();
    const place = placeAt(before.document, keys);
    const added = (successors.get(name) ?? []).filter((other) => old?.includes(other) !== true);
    const successor = added
      .map((other) => placeAt(after.document, ["components", "schemas", other]))
      .find((other) => isAlike(flatten([place]), flatten([other])));
    if (successor === undefined) tell(comparison, { code: "schema-removed", facts: {}, place });
    else {
      const facts = { before: name, after: nameOf(successor) };
      tell(comparison, { code: "schema-renamed", facts, place: successor });
    }
    return [{ names: users, comparison }];
  });
}

/** The names of the schemas that replaced others, by the old names. */
function listSuccessors(parts: readonly ComparedPart[]): ReadonlyMap<string, readonly string[]> {
  const all = reachable(
    parts.map(({ comparison }) => comparison),
    (one) => one.parts,
  );
  const pairs = [...all].flatMap(({ names }) => (names === undefined ? [] : [names]));
  const groups = groupBy(pairs, ([former]) => former);
  return new Map(Array.from(groups, ([former, list]) => [former, [...new Set(list.map(([, name]) => name))]]));
}
