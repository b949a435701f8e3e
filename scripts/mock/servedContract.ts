import type { Generation, Operation } from "../contract/generation.ts";
import { readResources, type ResourceOperation, type ResourceType } from "../contract/resources.ts";
import { createParameterCheck } from "./request/parameters.ts";
import { convertOperation, type PrismOperation } from "./response/prism.ts";
import type { Answer } from "./problemDetails.ts";
import { createBodyCheck, type BodyCheck } from "./request/requestBody.ts";
import { createRecentAnswers, type RecentAnswers } from "./response/recentAnswers.ts";
import { indexRoutes, type RouteIndex } from "./request/routes.ts";
import { isCredentialName, isSecretSegment, maskTarget } from "./secrets.ts";

/** What the mock serves. It never changes; a new contract takes its place as a whole. */
export interface ServedContract {
  readonly generations: readonly Generation[];
  readonly index: RouteIndex;
  /** A request-target without what must stay out of logs. */
  readonly mask: (requestTarget: string) => string;
  readonly recent: RecentAnswers;
  /** An operation as Prism takes it: converted for its first request and then kept. */
  readonly prepare: (operation: Operation) => PreparedOperation;
  /** What operations do to resources; found out when it is first needed. */
  readonly resources: () => ReadonlyMap<Operation, ResourceOperation>;
  readonly resourceTypes: () => ReadonlyMap<string, ResourceType>;
}

export interface PreparedOperation {
  readonly prism: PrismOperation;
  readonly checkParameters: ReturnType<typeof createParameterCheck>;
  readonly checkBody: BodyCheck;
  /** The responses generated so far, except random ones, by what was requested. */
  readonly answers: Map<string, Answer>;
}

/** Throws `RouteConflictError` where two generations have the same operation. */
export function serveContract(generations: readonly Generation[]): ServedContract {
  const prepared = new Map<Operation, PreparedOperation>();
  const schemes = generations.flatMap(({ securitySchemes }) => [...securitySchemes.values()]);
  const secretNames = new Set(schemes.map(({ parameter }) => parameter.toLowerCase()));
  const isSecret = (name: string) => secretNames.has(name.toLowerCase()) || isCredentialName(name);
  const paths = generations.flatMap(({ operations }) => operations.map(({ path }) => path));
  const secretPaths = paths.filter((path) => isSecretSegment(path, isSecret));
  let resources: ReadonlyMap<Operation, ResourceOperation> | undefined;
  const readOnce = () => (resources ??= readResources(generations));
  return {
    generations,
    recent: createRecentAnswers(),
    index: indexRoutes(generations),
    resources: readOnce,
    resourceTypes: () => new Map(Array.from(readOnce().values(), ({ type }) => [type.name, type])),
    mask: (requestTarget) => maskTarget(requestTarget, isSecret, secretPaths),
    prepare: (operation) => {
      const known = prepared.get(operation) ?? {
        prism: convertOperation(operation),
        checkParameters: createParameterCheck(operation),
        checkBody: createBodyCheck(operation),
        answers: new Map<string, Answer>(),
      };
      prepared.set(operation, known);
      return known;
    },
  };
}
