import { UserError } from "../contract/failures.ts";
import { selectByName, type Generation, type Operation } from "../contract/generation.ts";
import { suggestNames } from "../values/similarName.ts";
import { countOf, listInWords } from "../values/text.ts";
import { separateWords } from "../docs/model/addresses.ts";
import { stringOf } from "../values/json.ts";

/** With more operations, only the groups are listed. */
const maxListed = 100;

export const notInContract = "The contract has only the operations in list_operations.";

/** An operation, and its generation. */
export interface FoundOperation {
  readonly generation: Generation;
  readonly operation: Operation;
}

/** Lists operations, optionally of one generation or group. Above 100 operations, it lists only groups. */
export function listOperations(generations: readonly Generation[], generation?: string, group?: string): string {
  const all = selectByName(generations, generation).flatMap(({ name, groups }) =>
    groups.map((one) => ({ ...one, generation: name })),
  );
  const wanted = group?.toLowerCase();
  const chosen = all.filter(
    ({ name, title }) => wanted === undefined || [name, title].some((one) => one.toLowerCase() === wanted),
  );
  if (group !== undefined && chosen.length === 0) {
    const advice = suggestNames(group, [...new Set(all.map(({ title }) => title))]);
    throw new UserError(`There is no group ${JSON.stringify(group)}: ${advice}`);
  }
  const filled = chosen.filter(({ operations }) => operations.length > 0);
  const count = filled.reduce((sum, { operations }) => sum + operations.length, 0);
  const isWhole = count <= maxListed || filled.length === 1;
  const lines = filled.flatMap(({ generation: name, title, operations }) => [
    `${name}, group ${JSON.stringify(title)}: ${countOf(operations.length, "operation")}`,
    ...(isWhole ? operations.map((one) => `- ${one.operationId ?? ""} ${one.name}: ${one.title}`) : []),
  ]);
  if (!isWhole) lines.unshift(`${countOf(count, "operation")}: call list_operations with a group.`);
  const empty = chosen.filter((one) => !filled.includes(one)).map(({ title }) => title);
  if (empty.length > 0) lines.push(`Groups whose operations aren't specified: ${empty.join(", ")}`);
  return [...lines, notInContract].join("\n");
}

/**
 * Finds an operation by its operationId, or by its method and path. Rejects with a {@link UserError} unless
 * there is exactly one. `nearest` finds the operations that are similar to some words.
 */
export async function findOperation(
  generations: readonly Generation[],
  { operation: name, generation: only }: Readonly<Record<string, unknown>>,
  nearest: (words: string) => Promise<readonly string[]>,
): Promise<FoundOperation> {
  const all = selectByName(generations, stringOf(only)).flatMap((generation) =>
    generation.operations.map((operation) => ({ generation, operation })),
  );
  const [found, ...others] = all.filter(({ operation }) =>
    [operation.operationId, operation.name].includes(String(name)),
  );
  if (found !== undefined && others.length > 0) {
    const names = listInWords([found, ...others].map(({ generation }) => generation.name));
    throw new UserError(`${names} have this operation. Add the argument generation.`);
  }
  if (found !== undefined) return found;
  const similar = await nearest(separateWords(String(name)));
  const advice = similar.length === 0 ? "" : ` Nearest: ${similar.join(", ")}.`;
  throw new UserError(`The contract has no operation ${JSON.stringify(name)}. ${notInContract}${advice}`);
}
