/** The facts of a contract that a client needs while it runs; few even of a thousand operations. */
export interface ClientContract {
  /**
   * By the name of a security scheme: the header that carries its credential, or an empty text for the query of the URL; and
   * the text before the credential, `Bearer ` or, of a query parameter or a cookie, `name=`.
   */
  readonly schemes: Readonly<Record<string, readonly [header: string, prefix?: string]>>;
  /** The facts of all operations, each once. The last ones are those of every operation that no others name. */
  readonly facts: readonly OperationFacts[];
}

export interface OperationFacts {
  /** The names of the operations: `GET /teams/{teamId}`. */
  readonly names?: readonly string[];
  /** The names of the security schemes in each alternative; none is needed if it is not there, or for an empty one. */
  readonly security?: readonly (readonly string[])[];
  /** Headers that can have only one value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A success may come without a body. */
  readonly empty?: boolean;
}
