import { STATUS_CODES } from "node:http";
import { maskText } from "./secrets.ts";
import { messageOf } from "../contract/failures.ts";
import type { FaultRule, RequestEntry } from "./mockTypes.ts";

/** One thing that is wrong with a request, for programs. */
export interface Violation {
  readonly in: "body" | "header" | "method" | "path" | "query";
  /** In the body: a JSON Pointer (RFC 6901) to the value; `""` is the whole body. */
  readonly pointer?: string;
  /** In a header, the query or the path: the parameter's name. */
  readonly name?: string;
  readonly message: string;
  /** What would have been right: the violated keyword's value, or a list of what there is. */
  readonly expected?: unknown;
  /** What was received, as short JSON text. Absent if nothing was received, and if it may be a secret. */
  readonly received?: string;
}

/** Where a violation is that concerns no single value of the body. */
export const wholeBody = { in: "body", pointer: "" } as const;

/** Why a request does not get the response that the contract describes. */
export interface Refusal {
  readonly status: number;
  /** Sentences for a person: what is wrong and what would be right. */
  readonly detail: string;
  /** Absent if the request is not at fault. */
  readonly violations?: readonly Violation[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response, ready to be sent. */
export interface Answer
  extends
    Pick<RequestEntry, "exception" | "note" | "reason" | "status">,
    Pick<FaultRule, "bytesPerSecond" | "delivery"> {
  /** How long to wait before sending it, in milliseconds. */
  readonly delay?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` if the response has no content. */
  readonly body: string | undefined;
}

/** As many violations are listed of what may have any number of them. */
export const listedViolations = 20;
/** How many messages the detail repeats; the others are in the violations. */
const messagesInDetail = 3;

/** A refusal for one fault, whose message is the detail. */
export function refusalOf(status: number, violation: Violation, headers: Refusal["headers"] = {}): Refusal {
  return { status, detail: violation.message, violations: [violation], headers };
}

/** A refusal of content that can be read, but is not what the contract describes. */
export function refuseContent(violations: readonly Violation[]): Refusal {
  const messages = violations.slice(0, messagesInDetail).map(({ message }) => message);
  const rest = violations.length - messages.length;
  const count = violations.length === 1 ? [] : [`${violations.length} problems:`];
  const more = rest === 0 ? [] : [`And ${rest} more.`];
  return { status: 422, detail: [...count, ...messages, ...more].join(" "), violations };
}

export function isRefusal(value: object): value is Refusal {
  return "detail" in value;
}

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

/** The last resort: an exception is the mock's fault and not the request's, and other requests must not suffer. */
export function answerException(error: unknown): Answer {
  const detail = "The mock failed on this request, which may be correct. Its log has the details.";
  const exception = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  return { ...answerRefusal({ status: 500, detail }), exception };
}

/** At most `length` characters of a text that a client sent, without what may be a secret. */
export function shorten(text: string, length = 80): string {
  return maskText(text, length);
}
