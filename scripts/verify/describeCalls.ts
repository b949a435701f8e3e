/* Sentences about the calls of a run: what it will do, and what it has done. */
import { credentialVariable, describeSources } from "../contract/security.ts";
import { describeTarget } from "../exchange/dataChanges.ts";
import { describeId } from "../exchange/describeValue.ts";
import { groupBy } from "../values/collections.ts";
import { countOf } from "../values/text.ts";
import type { CredentialUse } from "./callCounts.ts";
import { deletesCreated, type CalledGeneration, type PlannedCall } from "./planCalls.ts";
import type { LastingChange } from "./runMemory.ts";

/** Describes the calls to each server, and what they change, in lines. */
export function describePlan(
  plan: readonly PlannedCall[],
  sources: readonly CalledGeneration[],
  rate: number,
): readonly string[] {
  return sources.flatMap(({ generation, server, credentials }) => {
    const calls = plan.filter((one) => one.generation === generation && one.reason === undefined);
    const pace = `${countOf(calls.length, "operation")}, ${rate} requests per second`;
    const changes = calls.filter(({ change }) => change !== undefined);
    return [
      `${generation.name} at ${server}: ${pace}, ${describeSources(credentials)}`,
      ...changes.map((one) => `  ${describePlannedChange(one, plan)}`),
    ];
  });
}

/** Describes the planned change of a call. Empty for a read. */
function describePlannedChange(planned: PlannedCall, plan: readonly PlannedCall[]): string {
  const { operation, change } = planned;
  if (change === undefined) return "";
  const { kind, isNamed, given } = change;
  const called = describeTarget(operation, given);
  if (kind === "creates") {
    const isDeleted = plan.some((other) => deletesCreated(other, planned));
    return `${isDeleted ? "creates and deletes" : "creates and doesn't delete"}: ${called}`;
  }
  return isNamed ? `${kind} for good: ${called}` : `${kind} only what the run created: ${operation.name}`;
}

const outcomes = {
  created: "left behind",
  changed: "changed",
  deleted: "deleted",
} as const;

/** Describes the changes after a run, those of one outcome together. */
export function describeLastingChanges(changes: readonly LastingChange[]): readonly string[] {
  const groups = groupBy(changes, ({ kind, isCertain }) => `${isCertain ? "" : "perhaps "}${outcomes[kind]}`);
  return Array.from(
    groups,
    ([outcome, all]) => `Finally, ${outcome}: ${[...new Set(all.map(describeChange))].join("; ")}`,
  );
}

function describeChange({ kind, operation, path, id }: LastingChange): string {
  const called = describeTarget(operation, path);
  const shown = id === undefined ? "a resource whose identifier isn't known" : describeId("id", id);
  return kind === "created"
    ? `${shown}, which ${called} created`
    : `${id === undefined ? "" : `${shown}, by `}${called}`;
}

/** Describes refused credentials, with the environment variable that they are from. */
export function describeRefusedCredential({ generation, scheme, calls, refusals }: CredentialUse): string {
  const { name, variable } = scheme;
  const other = `the contract's example; set another with ${credentialVariable(generation, name)}`;
  const source = variable === undefined ? other : `from ${variable}`;
  const answered = `401 or 403 for ${refusals} of ${countOf(calls, "call")} with it`;
  return `${name} of ${generation} (${source}): ${answered}. No call that requires it succeeded`;
}
