import type { Operation } from "../contract/generation.ts";
import type { CheckContext } from "./checkResponse.ts";
import type { Exchange } from "./exchange.ts";
import type { Shape } from "./shapes.ts";

/** The kinds of findings, most important first. */
export const findingKinds = ["contradiction", "server error", "doubt", "unlisted", "gap", "untested"] as const;

/** The kinds that always make a run fail. */
export const faultKinds: readonly Observation["kind"][] = ["contradiction", "server error"];

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
  /** The statement of the contract, or the problem. Equal in all exchanges with the same problem. */
  readonly message: string;
  /** The received value, which may differ between exchanges. `undefined` if the message is complete without it. */
  readonly received: string | undefined;
  /** The shape of the received value, if the contract could list it. */
  readonly shape?: Shape | undefined;
  readonly exchange: Exchange | undefined;
}

/** An exchange with a response, and the function that records observations about it. */
export interface VerifiedExchange extends CheckContext {
  readonly operation: Operation;
  readonly observe: Observe;
}

/** Records an observation. `received`: a text, or a text with the shape of the value. */
export type Observe = (
  kind: Observation["kind"],
  place: string,
  message: string,
  received?: string | number | { readonly text: string; readonly shape: Shape },
) => void;

/** The rule that a server breaks where {@link isUnanswered} is true. */
export const unanswered = "the server sends a whole response";

/** Returns whether a server failed at a request: it closed the connection, or took too long. */
export function isUnanswered({ response, isCut = false, isLate = false }: Exchange): boolean {
  return response === undefined && (isCut || isLate);
}
