/** The contract's facts that a client needs at run time. Even a thousand operations have few. */
export interface ClientContract {
  /**
   * Maps the name of a security scheme to the header for its credential and the prefix of its value. The
   * header is empty for a query parameter. The prefix is `Bearer `, or `name=` for a query parameter or a
   * cookie.
   */
  readonly schemes: Readonly<Record<string, readonly [header: string, prefix?: string]>>;
  /** The distinct facts of operations. The last ones apply to every operation that no others name. */
  readonly facts: readonly OperationFacts[];
  /** Handles bodies that are not JSON, if there are any. */
  readonly other?: OtherContent;
}

/** Handles bodies that are not JSON. Bundles include it only if the contract has such bodies. */
export interface OtherContent {
  readonly write: (body: unknown, headers?: Headers) => FormData | Blob | string;
  /** Sets a file's media type if the header has a range or `application/json`. Leaves a form's to fetch. */
  readonly correctType: (headers: Headers, body: unknown) => void;
  /** How a response is read. */
  readonly readingOf: (response: Response, facts: OperationFacts) => "json" | "text" | "blob";
}

export interface OperationFacts {
  /** The names of the operations: `GET /teams/{teamId}`. */
  readonly names?: readonly string[];
  /**
   * The names of the security schemes in each alternative. If it is missing, or for an empty alternative, no
   * credentials are needed.
   */
  readonly security?: readonly (readonly string[])[];
  /** Headers that have only one possible value. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The media type of request bodies. Default: `application/json`. A range such as `image/*` if the body
   * determines it.
   */
  readonly contentType?: string;
  /** How successful bodies are read, if not all are JSON. The first matching prefix of the media type applies. */
  readonly reads?: readonly (readonly [mediaType: string, as: "json" | "text" | "blob"])[];
  /** A success may come without a body. */
  readonly empty?: boolean;
}
