/** A violation in a request, in machine-readable form. */
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
