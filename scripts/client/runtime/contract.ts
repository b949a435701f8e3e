/**
 * What a client knows of its contract while it runs. It is made from the bundle, and it stays small with a thousand
 * operations: what many operations have in common is written once.
 */
export interface Contract {
  readonly schemes: Readonly<Record<string, Scheme>>;
  readonly facts: readonly OperationFacts[];
  /** The index into `facts` of each operation, by path template and then by method in capitals. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Where the credential of a security scheme goes, under which name, and what stands before it there. */
export type Scheme = readonly [place: "header" | "query", name: string, prefix?: string];

export interface OperationFacts {
  /** The alternatives that the operation names, each with the names of its schemes; an empty one stands for `{}`. */
  readonly security: readonly (readonly string[])[];
  /** Headers to send that can have only one value. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The facts of an operation; `undefined` for what is no operation of the contract. */
export function findFacts(contract: Contract, path: string, method: string): OperationFacts | undefined {
  const index = contract.operations[path]?.[method];
  return index === undefined ? undefined : contract.facts[index];
}
