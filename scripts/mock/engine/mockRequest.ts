import type { Headers } from "../../exchange/exchange.ts";
import type { Refusal } from "../../exchange/refusal.ts";

/** A request, whether it came over a connection or from `fetch`. */
export interface MockRequest {
  readonly method: string;
  /** The request-target (RFC 9112, section 3.2). */
  readonly target: string;
  readonly headers: Headers;
  /** True if there may be a body. A chunked one may still be empty. */
  readonly hasBody: boolean;
  /** Reads the whole body. Resolves to `undefined` if the client disconnects. */
  readonly readBody: (limits: BodyLimits) => Promise<Uint8Array | Refusal | undefined>;
  /** Calls a function as soon as the client disconnects. The returned function cancels that. */
  readonly whenGone: (listener: () => void) => () => void;
}

export interface BodyLimits {
  /** In bytes. */
  readonly size: number;
  /** Longest time without a new byte, in milliseconds. */
  readonly stall: number;
}
