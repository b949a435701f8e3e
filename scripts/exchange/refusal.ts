import { failurePhrases } from "../spec/reasonPhrases.ts";
import type { Violation } from "./requestViolation.ts";

/** The place of a violation that concerns no single value of the body. */
export const wholeBody = { in: "body", pointer: "" } as const;

/** Why a request doesn't get the response that the contract describes. */
export interface Refusal {
  readonly status: number;
  readonly detail: string;
  /** Absent if the request is correct. */
  readonly violations?: readonly Violation[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The maximum number of violations in an unbounded list. */
export const listedViolations = 20;
const messagesInDetail = 3;

/** A refusal for one violation, whose message is the detail. */
export function refusalOf(status: number, violation: Violation, headers: Refusal["headers"] = {}): Refusal {
  return { status, detail: violation.message, violations: [violation], headers };
}

/** Refuses content that is well-formed but doesn't match the contract. */
export function refuseContent(violations: readonly Violation[]): Refusal {
  const messages = violations.slice(0, messagesInDetail).map(({ message }) => message);
  const rest = violations.length - messages.length;
  const count = violations.length === 1 ? [] : [`${violations.length} problems:`];
  const more = rest === 0 ? [] : [`And ${rest} more.`];
  return { status: 422, detail: [...count, ...messages, ...more].join(" "), violations };
}

/**
 * The problem details of a refusal (RFC 9457), with the extension member `violations`. The type is `about:blank`, so the
 * title is the status phrase (section 4.2.1).
 */
export function describeRefusal({ status, detail, violations }: Refusal) {
  return { type: "about:blank", title: failurePhrases[status] ?? "Refused", status, detail, violations };
}

export function isRefusal(value: object): value is Refusal {
  return "detail" in value;
}
