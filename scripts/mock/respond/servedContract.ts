import { selectByName } from "../../contract/bundles.ts";
import { UserError } from "../../contract/failures.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import { describeSchemaFaults } from "../../exchange/contractFaults.ts";
import { recall } from "../../contract/text.ts";
import { readResources, type ResourceOperation } from "../../contract/resources.ts";
import { resolveSchema } from "../../spec/openapi.ts";
import { typesOf } from "../../spec/schemas.ts";
import { createParameterCheck } from "../../exchange/parameters.ts";
import { createBodyCheck } from "../../exchange/requestBody.ts";
import { indexRoutes } from "../../exchange/routes.ts";
import { createResponseMaker } from "../response/describedResponse.ts";
import type { RecentAnswers } from "./recentAnswers.ts";
import { secretsOf } from "../../exchange/secrets.ts";

/** The generations that the mock serves. It never changes; a new contract takes its place as a whole. */
export type ServedContract = ReturnType<typeof serveContract>;

/**
 * Serves all generations, or only one. Throws {@link UserError} where two that are served have the same operation, where a
 * schema of theirs is malformed, and if there is none of that name.
 */
export function serveContract(all: readonly Generation[], only?: string) {
  const generations = selectByName(all, only);
  const operations = generations.flatMap((generation) => generation.operations);
  refuseMalformedSchemas(generations);
  const prepared = new Map<Operation, ReturnType<typeof prepareOperation>>();
  const recent: RecentAnswers = new Map();
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
    prepare: (operation: Operation) => recall(prepared, operation, () => prepareOperation(operation)),
  };
}

const listedFaults = 10;

function refuseMalformedSchemas(generations: readonly Generation[]): void {
  const faults = generations.flatMap((one) => describeSchemaFaults(one).map((fault) => `${one.name}: ${fault}`));
  if (faults.length === 0) return;
  const rest = faults.length - listedFaults;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  const list = [...faults.slice(0, listedFaults), ...more].map((line) => `\n  ${line}`).join("");
  throw new UserError(`nothing can be held against some schemas: correct them, and build again${list}`);
}

function prepareOperation(operation: Operation) {
  const numeric = operation.parameters.filter(({ in: place, schema }) => {
    const types = typesOf(resolveSchema(operation.document, schema));
    return place === "path" && (types.includes("number") || types.includes("integer"));
  });
  return {
    checkParameters: createParameterCheck(operation),
    checkBody: createBodyCheck(operation),
    responses: createResponseMaker(operation),
    numbers: new Set(numeric.map(({ name }) => name)),
  };
}
