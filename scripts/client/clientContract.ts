/**
 * What a client knows of its contract while it runs. It is generated from the bundle, and stays small with a thousand
 * operations: what many of them have in common is written once, and what most of them have needs no mention.
 */
export interface ClientContract {
  /**
   * What precedes the credential of each security scheme where it is sent: the name of a header, a colon, a space, and
   * what the header's value begins with (`Authorization: Bearer `); or a query parameter (`apiKey=`).
   */
  readonly schemes: Readonly<Record<string, string>>;
  /** What is sent with every operation that is not in `operations`. */
  readonly default: OperationFacts;
  /** By an operation's name: `GET /teams/{teamId}`. */
  readonly operations: Readonly<Record<string, OperationFacts>>;
}

export interface OperationFacts {
  /**
   * The alternatives that an operation names, as a person would write them: `apiKey, or clientSecret and clientId`. An
   * empty one stands for `{}`.
   */
  readonly security: string;
  /** Headers that can have only one value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A success may come without a body. */
  readonly empty?: boolean;
}
