/* Sentences about the changes of calls. */
import { countOf } from "../values/text.ts";
import type { CredentialUse, LastingChange } from "./oneCall.ts";
import type { PlannedCall } from "./planCalls.ts";
import { describeId } from "../exchange/describeValue.ts";

/** Describes the planned change of a call. Empty for a read. `isDeleted`: the created resource will be deleted. */
export function describePlannedChange({ operation, change }: PlannedCall, isDeleted: boolean): string {
  if (change === undefined) return "";
  const { kind, isNamed, given } = change;
  const called = operation.name + describePath(given);
  if (kind === "creates") return `${isDeleted ? "creates and deletes" : "creates and doesn't delete"}: ${called}`;
  return isNamed ? `${kind} for good: ${called}` : `${kind} only what the run created: ${operation.name}`;
}

const outcomes = {
  created: "left behind",
  changed: "changed",
  deleted: "deleted",
} as const;

/** Describes a change after the run. */
export function describeLastingChange({ kind, operation, path, id, isCertain }: LastingChange): string {
  const called = operation.name + describePath(path);
  const shown = id === undefined ? "a resource whose identifier isn't known" : describeId("id", id);
  const what =
    kind === "created" ? `${shown}, which ${called} created` : `${id === undefined ? "" : `${shown}, by `}${called}`;
  return `${isCertain ? "" : "perhaps "}${outcomes[kind]}: ${what}`;
}

/** Describes refused credentials. `variable`: the environment variable. `isGiven`: true if it is set. */
export function describeRefusedCredential(
  { generation, scheme, calls, refusals }: CredentialUse,
  variable: string,
  isGiven: boolean,
): string {
  const source = isGiven ? `from ${variable}` : `the contract's example; set another with ${variable}`;
  const answered = `401 or 403 for ${refusals} of ${countOf(calls, "call")} with it`;
  return `${scheme} of ${generation} (${source}): ${answered}. No call that requires it succeeded`;
}

/** Identifiers in parentheses. Empty if there are none. */
function describePath(path: ReadonlyMap<string, unknown>): string {
  const ids = Array.from(path, ([name, value]) => `${name} ${describeId(name, value)}`);
  return ids.length === 0 ? "" : ` (${ids.join(", ")})`;
}
