import type { MockRequest } from "./mockRequest.ts";
import type { Budget } from "../state/budget.ts";
import type { Answer } from "../response/answer.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";

/**
 * The last answers to requests that only read, by all that was sent, the session included: to make one anew takes twice as
 * long as all the rest. Each has the number of changes, in all sessions, that had been made when it began to be made.
 */
export type RecentAnswers = Map<string, { readonly answer: Answer; readonly changes: number }>;

const mostAnswers = 100;
const longestBody = 2 ** 16;

/** The answer to an earlier request that was the same, if nothing was written since; otherwise one that is made now. */
export async function recallAnswer(
  recent: RecentAnswers,
  request: MockRequest,
  budget: Budget,
  makeAnswer: () => Promise<Answer | Refusal | undefined>,
): Promise<Answer | Refusal | undefined> {
  const key = keyOf(request);
  const known = recent.get(key);
  // What another request writes meanwhile may not be in the answer.
  const { changes } = budget;
  if (known?.changes === changes) return known.answer;
  const answer = await makeAnswer();
  if (answer === undefined || isRefusal(answer) || (answer.body?.length ?? 0) > longestBody) return answer;
  if (recent.size >= mostAnswers) recent.clear();
  recent.set(key, { answer, changes });
  return answer;
}

/** All that a request without a body consists of: neither names nor values of header fields have line breaks. */
function keyOf({ target, headers }: MockRequest): string {
  let key = target;
  for (const name in headers) key += `\n${name}\n${headers[name] ?? ""}`;
  return key;
}
