import type { Fault } from "../faults.ts";
import { writeAnswer, type Answer } from "./answer.ts";
import type { ResponseMaker, ResponseWishes } from "./describedResponse.ts";
import { answerRefusal } from "./problemDetails.ts";
import { isRefusal, type Refusal } from "./refusal.ts";

/** The failure that the contract describes for the status of a fault, or else one that says why it is sent. */
export async function answerFault(
  { reason = "" }: Fault,
  status: number,
  responses: ResponseMaker,
  wishes: ResponseWishes,
): Promise<Answer> {
  const described = await responses.describeFailure(status, wishes);
  if (described !== undefined) return writeAnswer(described);
  return answerRefusal({ status, detail: `${reason} The request may be correct.` });
}

/** Lets a fault slow down or break an answer. The request's own `delay`, in milliseconds, takes precedence. */
export function withFault(given: Answer | Refusal, fault: Fault, delay = fault.delay): Answer | Refusal {
  const { status, reason, retryAfter, bytesPerSecond, delivery } = fault;
  if (reason === undefined && delay === 0) return given;
  const answer = isRefusal(given) ? answerRefusal(given) : given;
  const reasons = [reason, ...(status === undefined ? [answer.reason] : [])].filter((text) => text !== undefined);
  return {
    ...answer,
    ...(retryAfter !== undefined && { headers: { ...answer.headers, "retry-after": String(retryAfter) } }),
    delay,
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
    ...(delivery !== undefined && { delivery }),
    ...(reasons.length > 0 && { reason: reasons.join(" ") }),
  };
}
