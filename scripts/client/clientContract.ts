/** The facts of a contract that a client needs while it runs; few even of a thousand operations. */
export interface ClientContract {
  /**
   * By the name of a security scheme: the header that carries its credential, or an empty text for the query of the URL; and
   * the text before the credential, `Bearer ` or, of a query parameter or a cookie, `name=`.
   */
  readonly schemes: Readonly<Record<string, readonly [header: string, prefix?: string]>>;
  /** The facts of all operations, each once. The last ones are those of every operation that no others name. */
  readonly facts: readonly OperationFacts[];
  /** What is done with bodies that are not JSON, if there are any. */
  readonly other?: OtherContent;
}

/** What a client does with bodies that are not JSON: a bundle has it only if the contract has such bodies. */
export interface OtherContent {
  readonly write: (body: unknown, headers?: Headers) => FormData | Blob | string;
  /** Gives headers the media type of a file, where they have a range or that of JSON, and leaves that of a form to fetch. */
  readonly correctType: (headers: Headers, body: unknown) => void;
  /** How a response is read. */
  readonly readingOf: (response: Response, facts: OperationFacts) => "json" | "text" | "blob";
}

export interface OperationFacts {
  /** The names of the operations: `GET /teams/{teamId}`. */
  readonly names?: readonly string[];
  /** The names of the security schemes in each alternative; none is needed if it is not there, or for an empty one. */
  readonly security?: readonly (readonly string[])[];
  /** Headers that can have only one value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The media type of requests' bodies, unless it is `application/json`; a range such as `image/*` if the body says which. */
  readonly contentType?: string;
  /** How the bodies of successes are read, if not all are JSON: the first whose text the media type begins with. */
  readonly reads?: readonly (readonly [mediaType: string, as: "json" | "text" | "blob"])[];
  /** A success may come without a body. */
  readonly empty?: boolean;
}
