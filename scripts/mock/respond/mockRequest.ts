import type { Headers } from "../../exchange/exchange.ts";
import type { Refusal } from "../../exchange/refusal.ts";

/** A request, however it arrived. */
export interface MockRequest {
  readonly method: string;
  /** The request-target (RFC 9112, section 3.2). */
  readonly target: string;
  readonly headers: Headers;
  /** There may be a body: a chunked one may still be empty. */
  readonly hasBody: boolean;
  /** Reads the body to its end. `undefined` if the client went away. */
  readonly readBody: (limits: BodyLimits) => Promise<Uint8Array | Refusal | undefined>;
  /** Calls a function as soon as the client has gone away, until the function that it returns is called. */
  readonly whenGone: (listener: () => void) => () => void;
}

export interface BodyLimits {
  /** In bytes. */
  readonly size: number;
  /** Longest time without a byte, in milliseconds. */
  readonly stall: number;
}

/** All of a request's body: empty if it has none, `undefined` if the client went away. */
export async function readBytes(request: MockRequest, limits: BodyLimits): Promise<Uint8Array | Refusal | undefined> {
  return request.hasBody ? request.readBody(limits) : new Uint8Array();
}
