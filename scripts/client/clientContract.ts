/**
 * The facts of a contract that a client needs while it runs. They are generated from the bundle, and stay small with a
 * thousand operations: facts that several operations have are written once, and those that most have are the default.
 */
export interface ClientContract {
  /** Place and form of the credential of each security scheme. */
  readonly schemes: Readonly<Record<string, CredentialPlace>>;
  /** The facts of every operation that is not in `operations`. */
  readonly default: OperationFacts;
  /** By an operation's name: `GET /teams/{teamId}`. */
  readonly operations: Readonly<Record<string, OperationFacts>>;
}

interface CredentialPlace {
  /** The header that carries the credential; the query of the URL if there is none. */
  readonly header?: string;
  /** The text before the credential: `Bearer `; of a query parameter or a cookie, `name=`. */
  readonly prefix?: string;
}

export interface OperationFacts {
  /** The names of the security schemes in each alternative. An empty one needs no credentials. */
  readonly security: readonly (readonly string[])[];
  /** Headers that can have only one value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A success may come without a body. */
  readonly empty?: boolean;
}
