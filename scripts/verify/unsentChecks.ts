/* Says why a check that was asked for has sent nothing. */
import type { Operation } from "../contract/generation.ts";
import { countOf } from "../values/text.ts";
import { groupBy } from "../values/collections.ts";
import type { SkipReason } from "../exchange/observation.ts";
import { reasonText, untested } from "./skipReasons.ts";
import type { PlannedCall } from "./planCalls.ts";
import { emptyChecks, type RequestCheck } from "./wrongRequests.ts";

/** A check that sent nothing. */
export interface UnsentCheck {
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
  if (possible.length === 0) return { reason: `${title}: ${emptyChecks[check]}`, isPossible: false };
  const counts = groupBy(possible, ({ operation }) => reasonText(reasons.get(operation) ?? untested.notFollowed));
  const parts = Array.from(counts, ([reason, calls]) => `${countOf(calls.length, "operation")}: ${reason}`);
  return { reason: `${title}. ${parts.join(". ")}`, isPossible: true };
}
