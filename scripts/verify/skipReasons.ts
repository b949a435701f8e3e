/* The reasons why operations aren't called, and why checks send nothing. */
import type { Operation } from "../contract/generation.ts";
import { mayDelete } from "../exchange/dataChanges.ts";
import type { SkipReason } from "../exchange/observation.ts";
import { groupBy } from "../values/collections.ts";
import { countOf } from "../values/text.ts";
import { nameInValues } from "./givenValues.ts";
import type { PlannedCall } from "./planCalls.ts";
import { requestChecks, type RequestCheck } from "./wrongRequests.ts";

/** An example of values, as it continues a reason. */
export function asIn(example: string): string {
  return `, as in ${example}`;
}

/** A reason with its example. */
export function reasonText({ text, example }: SkipReason): string {
  return example === undefined ? text : text + asIn(example);
}

/** The reasons for skipping operations. */
export const untested = {
  notSelected: { code: "not-selected", text: "it isn't selected" },
  noCredentials: { code: "no-credentials", text: "there are no credentials for it" },
  // By what they lack.
  "allow-changes": { code: "changes-not-allowed", text: "may change data, which needs --allow-changes" },
  "allow-lasting-changes": {
    code: "lasting-changes-not-allowed",
    text: "it would change what --values names, for good, which needs --allow-lasting-changes",
  },
  "allow-deletes": {
    code: "deletes-not-allowed",
    text: "it would delete what --values names, which needs --allow-deletes",
  },
  notFollowed: { code: "not-followed", text: "no call succeeded after which the run sends wrong requests" },
  notOurs: (operation: Operation, parameter: string | undefined): SkipReason => {
    const option = mayDelete(operation) ? "--allow-deletes" : "--allow-lasting-changes";
    const text =
      parameter === undefined
        ? `its path doesn't identify what it changes. To call it, use ${option}, and add values to the file of --values`
        : `it changes resources that this run hasn't created. To call it, use ${option}, and name them in the file of --values`;
    return { code: "not-ours", text, example: `${nameInValues(operation)}: { ${parameter ?? "body"}: … }` };
  },
  otherSecret: (variable: string, name: string): SkipReason => ({
    code: "other-secret",
    text: `${variable} must be the secret of the resource that ${name} identifies. Name that resource with --values`,
  }),
  onlyExamples: (names: readonly string[]): SkipReason => ({
    code: "only-examples",
    text: `only examples have its ${names.join(" and ")}, and this command doesn't change resources that examples name. Name others with --values`,
  }),
  unwritable: (name: string): SkipReason => ({
    code: "unwritable",
    text: `its ${name} is required, and is only shown: nothing here writes values in its form`,
  }),
  ended: (text: string): SkipReason => ({ code: "ended", text }),
} as const;

/** A check that sent nothing. */
interface UnsentCheck {
  readonly check: RequestCheck;
  readonly reason: string;
  /** False if no operation has a request for it. */
  readonly isPossible: boolean;
}

/**
 * Explains why a check sent nothing. `hasRequests`: whether a call can have wrong requests of the check. `reasons`: the
 * reasons for skipped operations.
 */
export function explainUnsent(
  check: RequestCheck,
  plan: readonly PlannedCall[],
  hasRequests: (planned: PlannedCall) => boolean,
  reasons: ReadonlyMap<Operation, SkipReason>,
): UnsentCheck {
  const possible = plan.filter((planned) => planned.reason?.code !== untested.notSelected.code && hasRequests(planned));
  const title = `--checks ${check} sent nothing`;
  if (possible.length === 0) return { check, reason: `${title}: ${requestChecks[check].none}`, isPossible: false };
  const counts = groupBy(possible, ({ operation }) => reasonText(reasons.get(operation) ?? untested.notFollowed));
  const parts = Array.from(counts, ([reason, calls]) => `${countOf(calls.length, "operation")}: ${reason}`);
  return { check, reason: `${title}. ${parts.join(". ")}`, isPossible: true };
}
