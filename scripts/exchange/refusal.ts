import { failurePhrases } from "../spec/reasonPhrases.ts";
import type { FoundViolation, Violation } from "./requestViolation.ts";

/** The place of a violation that concerns no single value of the body. */
export const wholeBody = { in: "body", pointer: "" } as const;

/** Why a request doesn't get the response that the contract describes. */
export interface Refusal {
  readonly status: number;
  readonly detail: string;
  /** The detail without the number of violations that it begins with. Absent if it doesn't count them. */
  readonly summary?: string;
  /** Absent if the request is correct. */
  readonly violations?: readonly FoundViolation[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The maximum number of violations in an unbounded list. */
export const listedViolations = 20;
const messagesInDetail = 3;

/** A message that consists of a place and a rule, with both. `end` follows the rule. */
export function sentenceOn(place: string, rule: string, end = "") {
  return { place, rule, message: `${place} ${rule}${end}.` };
}

/** A refusal for one violation, whose message is the detail. */
export function refusalOf(status: number, violation: FoundViolation, headers: Refusal["headers"] = {}): Refusal {
  return { status, detail: violation.message, violations: [violation], headers };
}

/** Refuses content that is well-formed but doesn't match the contract. */
export function refuseContent(violations: readonly FoundViolation[]): Refusal {
  const messages = violations.slice(0, messagesInDetail).map(({ message }) => message);
  const rest = violations.length - messages.length;
  const text = [...messages, ...(rest === 0 ? [] : [`And ${rest} more.`])].join(" ");
  const { length } = violations;
  const told = length === 1 ? { detail: text } : { detail: `${length} problems: ${text}`, summary: text };
  return { status: 422, ...told, violations };
}

/**
 * The problem details of a refusal (RFC 9457), with the extension member `violations`. The type is `about:blank`, so the
 * title is the status phrase (section 4.2.1).
 */
export function describeRefusal({ status, detail, violations }: Refusal) {
  const title = failurePhrases[status] ?? "Refused";
  return { type: "about:blank", title, status, detail, violations: violations?.map(describeViolation) };
}

/** The public part of a violation. */
function describeViolation({
  code: _code,
  place: _place,
  rule: _rule,
  more: _more,
  ...described
}: FoundViolation): Violation {
  return described;
}

export function isRefusal(value: object): value is Refusal {
  return "detail" in value;
}
