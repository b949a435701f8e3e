import type { MockRequest } from "./mockRequest.ts";
import type { Store } from "../state/statefulResponse.ts";
import type { World } from "../state/world.ts";
import type { Answer } from "../response/answer.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";

/**
 * The last answers to requests that only read, by all that was sent, and how often something had been written: to make one
 * anew takes twice as long as all the rest. Weak: what a session has written must not stay because of this.
 */
export type RecentAnswers = Map<string, { answer: Answer; world: WeakRef<World>; changes: number }>;

const mostAnswers = 100;
const longestBody = 2 ** 16;

/** The answer to an earlier request that was the same, if nothing was written since; otherwise one that is made now. */
export async function recallAnswer(
  recent: RecentAnswers,
  request: MockRequest,
  { session: { world }, budget }: Store,
  makeAnswer: () => Promise<Answer | Refusal | undefined>,
): Promise<Answer | Refusal | undefined> {
  const key = keyOf(request);
  const known = recent.get(key);
  const { changes } = budget;
  if (known?.changes === changes && known.world.deref() === world) return known.answer;
  const answer = await makeAnswer();
  // What another request wrote meanwhile may not be in it.
  const isCurrent = budget.changes === changes;
  if (answer === undefined || isRefusal(answer) || !isCurrent || (answer.body?.length ?? 0) > longestBody)
    return answer;
  if (recent.size >= mostAnswers) recent.clear();
  recent.set(key, { answer, world: new WeakRef(world), changes });
  return answer;
}

/** All that a request without a body consists of: neither names nor values of header fields have line breaks. */
function keyOf({ target, headers }: MockRequest): string {
  let key = target;
  for (const name in headers) key += `\n${name}\n${headers[name] ?? ""}`;
  return key;
}
