import { isRefusal } from "../../exchange/refusal.ts";
import type { Budget } from "../state/budget.ts";
import type { MockRequest } from "./mockRequest.ts";
import type { Outcome } from "./requestEntry.ts";

/**
 * The outcomes of the most recent read-only requests, by the whole request including its session. Making an answer
 * again takes twice as long as all other steps. Each outcome has the number of changes, in all sessions, before it was
 * made.
 */
export type RecentOutcomes = Map<string, { readonly outcome: Outcome; readonly changes: number }>;

const maxOutcomes = 100;
const maxBodyLength = 2 ** 16;

/** Returns the outcome of an identical earlier request if nothing was written since. Otherwise makes a new one. */
export async function recallOutcome(
  recent: RecentOutcomes,
  request: MockRequest,
  budget: Budget,
  make: () => Promise<Outcome>,
): Promise<Outcome> {
  const key = keyOf(request);
  const known = recent.get(key);
  // A concurrent write may be missing from the answer.
  const { changes } = budget;
  if (known?.changes === changes) return known.outcome;
  const outcome = await make();
  const { answer } = outcome;
  if (answer === undefined || isRefusal(answer) || (answer.body?.length ?? 0) > maxBodyLength) return outcome;
  if (recent.size >= maxOutcomes) recent.clear();
  recent.set(key, { outcome, changes });
  return outcome;
}

/**
 * Everything that a request without a body consists of. Names and values of header fields have no line
 * breaks.
 */
function keyOf({ target, headers }: MockRequest): string {
  let key = target;
  for (const name in headers) key += `\n${name}\n${headers[name] ?? ""}`;
  return key;
}
