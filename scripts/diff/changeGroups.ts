import { countOf, groupBy } from "../contract/text.ts";
import type { Change, Impact } from "./changes.ts";

/** Changes of the same operations in the same file. */
export interface ChangeGroup extends Pick<Change, "generation" | "operations" | "file"> {
  readonly changes: readonly Change[];
}

/** Groups changes by their operations and their file, in the order of the first change of each group. */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const groups = groupBy(changes, ({ generation, operations, file }) => JSON.stringify([generation, operations, file]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { generation, operations, file } = first;
    return [{ generation, operations, ...(file !== undefined && { file }), changes: group }];
  });
}

export function changesOf(changes: readonly Change[], impact: Impact): readonly Change[] {
  return changes.filter((change) => change.impact === impact);
}

/** The generation, operations and file of a group: `v2 GET /teams and 2 others in openapi/v2/teams.yaml`. */
export function titleOf({ generation, operations, file }: ChangeGroup): string {
  const [first, ...others] = operations;
  const rest = others.length === 0 ? "" : ` and ${countOf(others.length, "other")}`;
  const names = first === undefined ? "" : ` ${first}${rest}`;
  return `${generation}${names}${file === undefined ? "" : ` in ${file}`}`;
}
