import { STATUS_CODES } from "node:http";
import { messageOf } from "../../contract/failures.ts";
import type { Answer } from "./answer.ts";
import type { Refusal } from "./refusal.ts";

/**
 * Problem details (RFC 9457) with the extension member `violations`. The type is `about:blank`, so the title is the
 * status's own phrase (section 4.2.1).
 */
export function answerRefusal({ status, detail, violations, headers }: Refusal): Answer {
  const problem = { type: "about:blank", title: STATUS_CODES[status] ?? "Refused", status, detail, violations };
  return {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
    body: `${JSON.stringify(problem, undefined, 2)}\n`,
    reason: detail,
  };
}

/** The last resort: an exception is a bug of the mock, and other requests must not suffer from it. */
export function answerException(error: unknown): Answer {
  const detail = "The mock failed on this request, which may be correct. Its log has the details.";
  const exception = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  return { ...answerRefusal({ status: 500, detail }), exception };
}
