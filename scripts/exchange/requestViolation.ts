/**
 * A violation in a request, in machine-readable form, as problem details have it.
 *
 * @example
 * const describe = ({ in: place, message }: Violation) => `${place}: ${message}`;
 */
export interface Violation {
  readonly in: "body" | "cookie" | "header" | "method" | "path" | "query";
  /** In the body: a JSON Pointer (RFC 6901) to the value; `""` is the whole body. */
  readonly pointer?: string;
  readonly name?: string;
  readonly message: string;
  readonly expected?: unknown;
  /** The received value as short JSON text. Absent if nothing was received, or if the value may be secret. */
  readonly received?: string;
}

/** A violation in a request, with what this project's own programs need to know. */
export interface FoundViolation extends Violation {
  /** What is violated: a keyword of JSON Schema, such as `type`, or another part of the contract, such as `credentials`. */
  readonly code: string;
  /** The place in words, which begins the message: `/name in the body`. Absent if the message is no place and rule. */
  readonly place?: string;
  /** Continues the message: `must be a string`. */
  readonly rule?: string;
  /** How many violations this one stands for, of a body that has more than are listed. 0 if that is unknown. */
  readonly more?: number;
}
