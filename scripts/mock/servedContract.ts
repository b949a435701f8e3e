import type { Generation, Operation } from "../contract/generation.ts";
import { isCredentialName } from "./authentication.ts";
import { convertOperation, type PrismOperation } from "./prism.ts";
import type { Answer } from "./problemDetails.ts";
import { indexRoutes, type RouteIndex } from "./routes.ts";

/** What the mock serves. It never changes; a new contract takes its place as a whole. */
export interface ServedContract {
  readonly index: RouteIndex;
  /** Tells whether a query parameter's value must stay out of logs. */
  readonly isSecret: (name: string) => boolean;
  /** An operation as Prism takes it: converted for its first request and then kept. */
  readonly prepare: (operation: Operation) => PreparedOperation;
}

export interface PreparedOperation {
  readonly prism: PrismOperation;
  /** The responses generated so far, except random ones, by what was requested. */
  readonly answers: Map<string, Answer>;
}

/** Throws `RouteConflictError` where two generations have the same operation. */
export function serveContract(generations: readonly Generation[]): ServedContract {
  const prepared = new Map<Operation, PreparedOperation>();
  const schemes = generations.flatMap(({ securitySchemes }) => [...securitySchemes.values()]);
  const secretNames = new Set(
    schemes.flatMap(({ in: place, parameter }) => (place === "query" ? [parameter.toLowerCase()] : [])),
  );
  return {
    index: indexRoutes(generations),
    isSecret: (name) => secretNames.has(name.toLowerCase()) || isCredentialName(name),
    prepare: (operation) => {
      const known = prepared.get(operation) ?? {
        prism: convertOperation(operation),
        answers: new Map<string, Answer>(),
      };
      prepared.set(operation, known);
      return known;
    },
  };
}
