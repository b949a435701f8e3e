/**
 * What a client knows of its contract while it runs. It is made from the bundle, and it stays small with a thousand
 * operations: what many of them have in common is written once, and what most of them have needs no mention.
 */
export interface Contract {
  /**
   * What stands before the credential of each security scheme where it is sent: the name of a header, a colon, a space,
   * and what the header's value begins with (`Authorization: Bearer `); or a query parameter (`apiKey=`).
   */
  readonly schemes: Readonly<Record<string, string>>;
  /** The facts of every operation that is not in `operations`. */
  readonly usual: Facts;
  /** By an operation's name: `GET /teams/{teamId}`. */
  readonly operations: Readonly<Record<string, Facts>>;
}

export interface Facts {
  /**
   * The alternatives that an operation names, as a person would: `apiKey, or clientSecret and clientId`. An empty one
   * stands for `{}`.
   */
  readonly security: string;
  /** Headers to send that can have only one value. */
  readonly headers?: Readonly<Record<string, string>>;
}
