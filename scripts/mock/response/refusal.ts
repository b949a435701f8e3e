import type { Operation } from "../../contract/generation.ts";
import type { ReceivedRequest } from "../mockTypes.ts";
import { shorten } from "../secrets.ts";

/** One thing that is wrong with a request, for programs. */
export interface Violation {
  readonly in: "body" | "header" | "method" | "path" | "query";
  /** In the body: a JSON Pointer (RFC 6901) to the value; `""` is the whole body. */
  readonly pointer?: string;
  readonly name?: string;
  readonly message: string;
  readonly expected?: unknown;
  /** The received value as short JSON text. Absent if nothing was received, and if it may be a secret. */
  readonly received?: string;
}

/** The place of a violation that concerns no single value of the body. */
export const wholeBody = { in: "body", pointer: "" } as const;

/** Why a request does not get the response that the contract describes. */
export interface Refusal {
  readonly status: number;
  readonly detail: string;
  /** Absent if nothing is wrong with the request. */
  readonly violations?: readonly Violation[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The most violations that are listed where there can be any number of them. */
export const listedViolations = 20;
const messagesInDetail = 3;

/** A refusal for one violation, whose message is the detail. */
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

/** Why something is not there: a request deleted it, or nothing that was seeded or created is it. */
export type Missing = "deleted" | "unknown";

/** Refuses a request whose path leads to nothing. `name`: the path parameter that identifies what is missing. */
export function refuseMissing(
  { responses }: Operation,
  path: ReceivedRequest["path"],
  name: string | undefined,
  why: Missing,
): Refusal {
  const isDescribed = responses.some(({ status }) => /^4(?:04|XX)$/i.test(status));
  const resource = `resource${name === undefined ? "" : ` that the path parameter ${name} identifies`}`;
  const message =
    (why === "deleted"
      ? `An earlier request deleted the ${resource}.`
      : `The ${resource} was neither seeded nor created.`) +
    (isDescribed ? "" : " The status 404 is the mock's choice: the contract does not specify failures.");
  const received = name === undefined ? {} : { name, received: JSON.stringify(shorten(path[name] ?? "")) };
  return refusalOf(404, { in: "path", message, ...received });
}

/** Refuses a request that would write more than the budget allows; nothing was written. */
export function refuseMore({ limit }: { readonly limit: number }): Refusal {
  const message =
    `The mock keeps at most ${limit / 2 ** 20} MiB of what requests write, and this is more. Nothing was lost: reset ` +
    "it with POST /-/mock/reset, or start it with a larger --state-limit (in code: stateLimit).";
  return refusalOf(507, { ...wholeBody, message });
}
