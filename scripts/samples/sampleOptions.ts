/** What a sample needs to know besides the request: plain data, which can be kept as JSON. */
export interface SampleOptions {
  /** What the client is imported from: `<package>/<generation>`. */
  readonly module: string;
  /** The headers that the client sends by itself, as they have only one value. */
  readonly clientHeaders: readonly string[];
  /** What the body of a successful response is. It is unknown where the contract leaves it open, even if it is JSON. */
  readonly answer: "json" | "text" | "bytes" | "none" | "unknown";
}
