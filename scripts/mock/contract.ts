import type { Document } from "../contract/document.ts";
import { listAlternatives, secretQueryNames, soundsSecret, type Alternative } from "./credentials.ts";
import { convertOperation, type EngineOperation } from "./engine.ts";
import type { Answer } from "./problem.ts";
import { indexRoutes, type Route, type RouteIndex } from "./routes.ts";

/** What the mock serves. It never changes; a new contract takes its place as a whole. */
export interface Contract {
  readonly index: RouteIndex;
  /** Tells whether a query parameter's value has to stay out of logs. */
  readonly isSecret: (name: string) => boolean;
  /** An operation as the engine takes it: made for its first request and then kept. */
  readonly prepare: (route: Route) => PreparedOperation;
}

export interface PreparedOperation {
  readonly operation: EngineOperation;
  /** Empty where no credentials are needed. */
  readonly alternatives: readonly Alternative[];
  /** Responses made so far, by what was asked for; not those made at random. */
  readonly answers: Map<string, Answer>;
}

/** Throws `RouteConflictError` where two generations have the same operation. */
export function createContract(generations: Readonly<Record<string, Document>>): Contract {
  const prepared = new Map<Route, PreparedOperation>();
  const secretNames = secretQueryNames(Object.values(generations));
  return {
    index: indexRoutes(generations),
    isSecret: (name) => secretNames.has(name.toLowerCase()) || soundsSecret(name),
    prepare: (route) => {
      const known = prepared.get(route);
      if (known !== undefined) return known;
      const created = {
        operation: convertOperation(route.document, route.path, route.method),
        alternatives: listAlternatives(route.document, route.operation),
        answers: new Map<string, Answer>(),
      };
      prepared.set(route, created);
      return created;
    },
  };
}
