import { selectByName, type Generation, type Operation } from "../../contract/generation.ts";
import { getOrCreate } from "../../values/collections.ts";
import { readResources, type ResourceOperation } from "../../contract/resources.ts";
import { resolveSchema } from "../../spec/openapi.ts";
import { contentOfType } from "../../spec/mediaTypes.ts";
import { alternativesOf, typesOf } from "../../spec/schemas.ts";
import { createParameterCheck, type SentParameters } from "../../exchange/parameters.ts";
import { createBodyCheck, createCheckTurns, createTurns, type TakeTurn } from "../../exchange/requestBody.ts";
import { readMediaType } from "../../exchange/contentType.ts";
import { createOpenMatch } from "../../exchange/openAlternatives.ts";
import { indexRoutes } from "../../exchange/routes.ts";
import { createResponseMaker } from "./describedResponse.ts";
import { secretsOf } from "../../exchange/secrets.ts";

/** The generations that the mock serves. It is immutable: a new contract replaces it as a whole. */
export type ServedContract = ReturnType<typeof serveContract>;

/**
 * Serves all generations, or only one. Throws {@link UserError} if two served generations have the same
 * operation, or if no generation has the given name.
 */
export function serveContract(all: readonly Generation[], only?: string) {
  const generations = selectByName(all, only);
  const operations = generations.flatMap((generation) => generation.operations);
  const prepared = new Map<Operation, ReturnType<typeof prepareOperation>>();
  const takeTurn = createTurns();
  let resources: ReadonlyMap<Operation, ResourceOperation> | undefined;
  const readOnce = () => (resources ??= readResources(all));
  return {
    generations,
    operations,
    routes: indexRoutes(generations),
    takeTurn,
    /**
     * The effects of all operations, including those of generations that aren't served. Computed on first
     * use.
     */
    resources: readOnce,
    resourceTypes: () => new Map(Array.from(readOnce().values(), ({ type }) => [type.name, type])),
    secrets: secretsOf(generations),
    /** Prepares an operation when its first request arrives, and caches the result. */
    prepare: (operation: Operation) => getOrCreate(prepared, operation, () => prepareOperation(operation, takeTurn)),
  };
}

function prepareOperation(operation: Operation, takeTurn: TakeTurn) {
  const numeric = operation.parameters.filter(({ in: place, schema }) => {
    const types = typesOf(resolveSchema(operation.document, schema));
    return place === "path" && (types.includes("number") || types.includes("integer"));
  });
  const checkParameters = createParameterCheck(operation);
  const checkInTurn = createCheckTurns(takeTurn);
  return {
    checkParameters: (sent: SentParameters) => checkInTurn(() => checkParameters(sent)),
    checkBody: createBodyCheck(operation, takeTurn),
    responses: createResponseMaker(operation),
    describeOpenMatch: createOpenMatches(operation),
    numbers: new Set(numeric.map(({ name }) => name)),
  };
}

/** Creates a function that describes a valid body as {@link createOpenMatch} does, for each media type of an operation. */
function createOpenMatches({ requestBody, document }: Operation) {
  const contents = (requestBody?.content ?? []).map(({ mediaType, schema }) => {
    const alternatives = alternativesOf(document, resolveSchema(document, schema));
    return { mediaType, describe: createOpenMatch(alternatives, document) };
  });
  if (contents.every(({ describe }) => describe === undefined)) return () => undefined;
  return (contentType: string, body: unknown): string | undefined =>
    contentOfType(contents, readMediaType(contentType)?.toString() ?? "")?.describe?.(body);
}
