import type { Operation } from "../../contract/generation.ts";
import type { Target } from "../request/requestTarget.ts";
import type { Exchange, ExchangeResponse } from "./exchange.ts";

/** Kinds of findings: the first ones weigh most. */
export const findingKinds = ["contradiction", "news", "evidence", "untested"] as const;

/** One thing that an exchange tells about the contract. */
export interface Observation {
  /**
   * `contradiction`: the contract forbids it; `news`: the contract leaves it open, and doesn't have it; `evidence`: it fills
   * a gap; `untested`: it could not be checked.
   */
  readonly kind: (typeof findingKinds)[number];
  /** The generation's name. */
  readonly generation: string;
  /** As in `GET /teams/{teamId}`. */
  readonly operation: string;
  /** JSON Pointer of the place in the bundle that it concerns. */
  readonly place: string;
  /** What the contract says, or what was found: the same in all exchanges that tell the same. */
  readonly message: string;
  /** What came: it may differ from exchange to exchange. `undefined` if the message says all. */
  readonly received: string | undefined;
  readonly exchange: Exchange | undefined;
}

export type Observe = (kind: Observation["kind"], place: string, message: string, received?: string | number) => void;

/** An exchange with a response, as the checks see it. */
export interface CheckContext {
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly query: Target["query"];
  readonly requestFields: Readonly<Record<string, string>>;
  readonly response: ExchangeResponse;
  readonly responseFields: Readonly<Record<string, string>>;
  readonly isSuccess: boolean;
  readonly observe: Observe;
}
