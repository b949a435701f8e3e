import type { Generation, Operation } from "../contract/generation.ts";
import { readResources, type ResourceOperation, type ResourceType } from "../contract/resources.ts";
import { resolveSchema } from "../spec/references.ts";
import { typesOf } from "../spec/schemas.ts";
import { createParameterCheck } from "./request/parameters.ts";
import { createBodyCheck, type BodyCheck } from "./request/requestBody.ts";
import { indexRoutes, type Routes } from "./request/routes.ts";
import { createResponseMaker, type ResponseMaker } from "./response/describedResponse.ts";
import type { RecentAnswers } from "./response/recentAnswers.ts";
import { isCredentialName, isSecretSegment, maskTarget } from "./secrets.ts";

/** The generations that the mock serves. It never changes; a new contract takes its place as a whole. */
export interface ServedContract {
  readonly generations: readonly Generation[];
  readonly operations: readonly Operation[];
  readonly routes: Routes;
  readonly recent: RecentAnswers;
  /** A request-target without what must stay out of logs. */
  readonly mask: (requestTarget: string) => string;
  /** Makes what answers requests to an operation, for the first of them, and keeps it. */
  readonly prepare: (operation: Operation) => PreparedOperation;
  /** The effects of operations on resources; found out when they are first needed. */
  readonly resources: () => ReadonlyMap<Operation, ResourceOperation>;
  readonly resourceTypes: () => ReadonlyMap<string, ResourceType>;
}

export interface PreparedOperation {
  readonly checkParameters: ReturnType<typeof createParameterCheck>;
  readonly checkBody: BodyCheck;
  readonly responses: ResponseMaker;
  /** The path parameters whose values are numbers. */
  readonly numbers: ReadonlySet<string>;
}

/** Throws `RouteConflictError` where two generations have the same operation. */
export function serveContract(generations: readonly Generation[]): ServedContract {
  const operations = generations.flatMap((generation) => generation.operations);
  const prepared = new Map<Operation, PreparedOperation>();
  const schemes = generations.flatMap(({ securitySchemes }) => [...securitySchemes.values()]);
  const secretNames = new Set(schemes.map(({ parameter }) => parameter.toLowerCase()));
  const isSecret = (name: string) => secretNames.has(name.toLowerCase()) || isCredentialName(name);
  const secretPaths = operations.map(({ path }) => path).filter((path) => isSecretSegment(path, isSecret));
  let resources: ReadonlyMap<Operation, ResourceOperation> | undefined;
  const readOnce = () => (resources ??= readResources(generations));
  return {
    generations,
    operations,
    routes: indexRoutes(generations),
    recent: new Map(),
    resources: readOnce,
    resourceTypes: () => new Map(Array.from(readOnce().values(), ({ type }) => [type.name, type])),
    mask: (requestTarget) => maskTarget(requestTarget, isSecret, secretPaths),
    prepare: (operation) => {
      const known = prepared.get(operation) ?? {
        checkParameters: createParameterCheck(operation),
        checkBody: createBodyCheck(operation),
        responses: createResponseMaker(operation),
        numbers: numericParameters(operation),
      };
      prepared.set(operation, known);
      return known;
    },
  };
}

function numericParameters({ document, parameters }: Operation): ReadonlySet<string> {
  const numeric = parameters.filter(({ in: place, schema }) => {
    const types = typesOf(resolveSchema(document, schema));
    return place === "path" && (types.includes("number") || types.includes("integer"));
  });
  return new Set(numeric.map(({ name }) => name));
}
