import { selectByName, type Generation, type Operation } from "../../contract/generation.ts";
import { recall } from "../../contract/text.ts";
import { readResources, type ResourceOperation } from "../../contract/resources.ts";
import { resolveSchema } from "../../spec/openapi.ts";
import { typesOf } from "../../spec/schemas.ts";
import { createParameterCheck } from "../../exchange/parameters.ts";
import { createBodyCheck, createTurns, type TakeTurn } from "../../exchange/requestBody.ts";
import { indexRoutes } from "../../exchange/routes.ts";
import { createResponseMaker } from "../response/describedResponse.ts";
import type { RecentAnswers } from "./recentAnswers.ts";
import { secretsOf } from "../../exchange/secrets.ts";

/** The generations that the mock serves. It never changes; a new contract takes its place as a whole. */
export type ServedContract = ReturnType<typeof serveContract>;

/**
 * Serves all generations, or only one. Throws {@link UserError} where two that are served have the same operation, and
 * `UserError` if there is none of that name.
 */
export function serveContract(all: readonly Generation[], only?: string) {
  const generations = selectByName(all, only);
  const operations = generations.flatMap((generation) => generation.operations);
  const prepared = new Map<Operation, ReturnType<typeof prepareOperation>>();
  const recent: RecentAnswers = new Map();
  const takeTurn = createTurns();
  let resources: ReadonlyMap<Operation, ResourceOperation> | undefined;
  const readOnce = () => (resources ??= readResources(all));
  return {
    generations,
    operations,
    routes: indexRoutes(generations),
    recent,
    /** The effects of operations of all generations, served or not; found out when they are first needed. */
    resources: readOnce,
    resourceTypes: () => new Map(Array.from(readOnce().values(), ({ type }) => [type.name, type])),
    secrets: secretsOf(generations),
    /** Makes what answers requests to an operation, for the first of them, and keeps it. */
    prepare: (operation: Operation) => recall(prepared, operation, () => prepareOperation(operation, takeTurn)),
  };
}

function prepareOperation(operation: Operation, takeTurn: TakeTurn) {
  const numeric = operation.parameters.filter(({ in: place, schema }) => {
    const types = typesOf(resolveSchema(operation.document, schema));
    return place === "path" && (types.includes("number") || types.includes("integer"));
  });
  return {
    checkParameters: createParameterCheck(operation),
    checkBody: createBodyCheck(operation, takeTurn),
    responses: createResponseMaker(operation),
    numbers: new Set(numeric.map(({ name }) => name)),
  };
}
