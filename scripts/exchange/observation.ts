import type { Operation } from "../contract/generation.ts";
import type { Direction } from "../spec/schemas.ts";
import type { CheckContext } from "./checkResponse.ts";
import type { Exchange } from "./exchange.ts";
import type { Shape } from "./shapes.ts";

/** The kinds of findings, most important first. */
export const findingKinds = ["contradiction", "server error", "doubt", "unlisted", "gap", "untested"] as const;

/** The kinds that always make a run fail. */
export const faultKinds: readonly Observation["kind"][] = ["contradiction", "server error"];

/** The reason for skipping an operation, or why its responses prove nothing. */
export interface SkipReason {
  /** For programs: `changes-not-allowed`. */
  readonly code: string;
  readonly text: string;
  /** Values that allow to call the operation. Other operations with the same reason need others. */
  readonly example?: string;
}

/** A result of checking one exchange. */
export interface Observation {
  /**
   * `contradiction`: the contract forbids it. `server error`: the server failed, whatever the contract says. `doubt`:
   * the contract allows it, but testers would question it. `unlisted`: the contract leaves it open, and doesn't list it.
   * `gap`: it fills a gap. `untested`: it couldn't be checked.
   */
  readonly kind: (typeof findingKinds)[number];
  readonly generation: string;
  /** For example, `GET /teams/{teamId}`. */
  readonly operation: string;
  readonly place: string;
  /** The violated keyword of JSON Schema, or what else was observed, for programs: `type`, `credentials-required`. */
  readonly code: string;
  /** Whether it is about a request or a response, if it is about only one of them. */
  readonly direction?: Direction | undefined;
  /** The value of the keyword, if it describes valid values. */
  readonly expected?: unknown;
  /** The statement of the contract, or the problem. Equal in all exchanges with the same problem. */
  readonly message: string;
  /** The received value, which may differ between exchanges. `undefined` if the message is complete without it. */
  readonly received: string | undefined;
  /** The shape of the received value, if the contract could list it. */
  readonly shape?: Shape | undefined;
  /** The reason why an operation is untested, if that is known. */
  readonly reason?: SkipReason | undefined;
  readonly exchange: Exchange | undefined;
}

/** An exchange with a response, and the function that records observations about it. */
export interface VerifiedExchange extends CheckContext {
  readonly operation: Operation;
  readonly observe: Observe;
}

/** What an observation says, for programs and in words. */
export interface ObservedFact extends Pick<Observation, "code" | "direction" | "expected" | "message" | "shape"> {
  readonly received?: string | number | undefined;
}

/** Records an observation. */
export type Observe = (kind: Observation["kind"], place: string, fact: ObservedFact) => void;

/** A failure of the server, whatever the contract says. */
export const serverFailed = {
  code: "server-error",
  direction: "response",
  message: "the server failed with an error",
} as const;

export const credentialsRequired = {
  code: "credentials-required",
  direction: "request",
  message: "credentials are required",
} as const;

/** The rule that a server breaks where {@link isUnanswered} is true. */
export const unanswered = {
  code: "no-response",
  direction: "response",
  message: "the server sends a whole response",
} as const;

/** Returns whether a server failed at a request: it closed the connection, or took too long. */
export function isUnanswered({ response, isCut = false, isLate = false }: Exchange): boolean {
  return response === undefined && (isCut || isLate);
}
