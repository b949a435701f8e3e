import type { Exchange } from "../exchange/exchange.ts";
import type { Shape } from "./shapes.ts";

/** Kinds of findings: the first ones weigh most. */
export const findingKinds = ["contradiction", "server error", "doubt", "news", "evidence", "untested"] as const;

/** The kinds that mean that something is wrong: a run fails with them, whatever it was asked. */
export const faultKinds: readonly Observation["kind"][] = ["contradiction", "server error"];

/** The kinds with which a run fails only if it was asked to. */
export const askedKinds = ["news", "untested", "doubt"] as const;

/** One thing that an exchange tells about the contract. */
export interface Observation {
  /**
   * `contradiction`: the contract forbids it; `server error`: the server failed, whatever the contract says; `doubt`: the
   * contract allows it, and any tester would ask about it; `news`: the contract leaves it open, and doesn't have it;
   * `evidence`: it fills a gap; `untested`: it could not be checked.
   */
  readonly kind: (typeof findingKinds)[number];
  readonly generation: string;
  /** As in `GET /teams/{teamId}`. */
  readonly operation: string;
  readonly place: string;
  /** What the contract says, or what was found: the same in all exchanges that tell the same. */
  readonly message: string;
  /** What came: it may differ from exchange to exchange. `undefined` if the message says all. */
  readonly received: string | undefined;
  /** The form of what came, if the contract could have it. */
  readonly shape?: Shape | undefined;
  readonly exchange: Exchange | undefined;
}

/** Is told what came: a text, or one with the form of the value. */
export type Observe = (
  kind: Observation["kind"],
  place: string,
  message: string,
  received?: string | number | { readonly text: string; readonly shape: Shape },
) => void;
