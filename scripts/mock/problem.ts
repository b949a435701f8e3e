import { STATUS_CODES } from "node:http";

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
  /** What came, as short JSON text. Absent where nothing came, and where it may be a secret. */
  readonly received?: string;
}

/** Why a request is not answered as the contract says it would be. */
export interface Refusal {
  readonly status: number;
  /** Sentences for a person: what is wrong and what would be right. */
  readonly detail: string;
  readonly violations: readonly Violation[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response, ready to be sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` where the response has no content. */
  readonly body: Buffer | undefined;
  /** Why the request was refused; `undefined` where it was not. */
  readonly reason?: string;
}

/** A detail repeats this many messages; the others are in the violations. */
const toldInDetail = 3;

/** A refusal whose detail is made of the violations' messages. */
export function refusalOf(
  status: number,
  violations: readonly Violation[],
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  const told = violations.slice(0, toldInDetail).map(({ message }) => message);
  const rest = violations.length - told.length;
  const count = violations.length === 1 ? [] : [`${violations.length} things are wrong:`];
  const more = rest === 0 ? [] : [`And ${rest} more.`];
  return { status, detail: [...count, ...told, ...more].join(" "), violations, headers };
}

export function isRefusal(value: object): value is Refusal {
  return "violations" in value;
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
    body: Buffer.from(`${JSON.stringify(problem, undefined, 2)}\n`),
    reason: detail,
  };
}

/** At most `length` characters of a text that someone sent. */
export function shorten(text: string, length = 80): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
