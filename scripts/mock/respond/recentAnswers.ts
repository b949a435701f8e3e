import type { MockRequest } from "./mockRequest.ts";
import type { Budget } from "../state/budget.ts";
import type { Answer } from "../content/answer.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";

/**
 * The most recent answers to read-only requests, by the whole request including its session. Making an answer
 * again takes twice as long as all other steps. Each answer has the number of changes, in all sessions,
 * before it was made.
 */
export type RecentAnswers = Map<string, { readonly answer: Answer; readonly changes: number }>;

const mostAnswers = 100;
const longestBody = 2 ** 16;

/**
 * Returns the answer to an identical earlier request if nothing was written since. Otherwise makes a new
 * answer.
 */
export async function recallAnswer(
  recent: RecentAnswers,
  request: MockRequest,
  budget: Budget,
  makeAnswer: () => Promise<Answer | Refusal | undefined>,
): Promise<Answer | Refusal | undefined> {
  const key = keyOf(request);
  const known = recent.get(key);
  // A concurrent write may be missing from the answer.
  const { changes } = budget;
  if (known?.changes === changes) return known.answer;
  const answer = await makeAnswer();
  if (answer === undefined || isRefusal(answer) || (answer.body?.length ?? 0) > longestBody) return answer;
  if (recent.size >= mostAnswers) recent.clear();
  recent.set(key, { answer, changes });
  return answer;
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
