import type { Generation, Operation } from "../contract/generation.ts";
import { readResources, type ResourceOperation } from "../contract/resources.ts";
import type { SchemaObject } from "../spec/openapi.ts";
import { resolveSchema } from "../spec/references.ts";
import { applicableSchemas, typesOf } from "../spec/schemas.ts";
import { walk } from "../spec/walk.ts";
import type { ReceivedRequest } from "./mockTypes.ts";
import { createParameterCheck } from "./request/parameters.ts";
import { createBodyCheck } from "./request/requestBody.ts";
import { indexRoutes } from "./request/routes.ts";
import { createResponseMaker } from "./response/describedResponse.ts";
import type { RecentAnswers } from "./response/recentAnswers.ts";
import { isCredentialName, isSecretSegment, maskTarget, maskValues, type IsSecret } from "./secrets.ts";

/** The generations that the mock serves. It never changes; a new contract takes its place as a whole. */
export type ServedContract = ReturnType<typeof serveContract>;

/** Throws `RouteConflictError` where two generations have the same operation. */
export function serveContract(generations: readonly Generation[]) {
  const operations = generations.flatMap((generation) => generation.operations);
  const prepared = new Map<Operation, ReturnType<typeof prepareOperation>>();
  const schemes = generations.flatMap(({ securitySchemes }) => [...securitySchemes.values()]);
  const secretNames = new Set(schemes.map(({ parameter }) => parameter.toLowerCase()));
  const isSecret = (name: string) => secretNames.has(name.toLowerCase()) || isCredentialName(name);
  const isSecretValue = rememberNames((name) => {
    return secretNames.has(name.toLowerCase()) || isSecretSegment(`{${name}}`, isSecret);
  });
  let properties: ReadonlySet<string> | undefined;
  const isSecretProperty = (name: string) =>
    isSecretValue(name) || (properties ??= new Set(generations.flatMap(secretProperties))).has(name);
  const secretPaths = operations.map(({ path }) => path).filter((path) => isSecretSegment(path, isSecret));
  const recent: RecentAnswers = new Map();
  let resources: ReadonlyMap<Operation, ResourceOperation> | undefined;
  const readOnce = () => (resources ??= readResources(generations));
  return {
    generations,
    operations,
    routes: indexRoutes(generations),
    recent,
    /** The effects of operations on resources; found out when they are first needed. */
    resources: readOnce,
    resourceTypes: () => new Map(Array.from(readOnce().values(), ({ type }) => [type.name, type])),
    /** A request-target without what must stay out of logs. */
    mask: (requestTarget: string) => maskTarget(requestTarget, isSecret, secretPaths),
    /** A request for its entry, without what must stay out of logs. `size`: that of its body, in bytes. */
    maskReceived: (received: ReceivedRequest, size: number): ReceivedRequest => {
      if (size > longestBody)
        return maskValues({ ...received, body: `${size} bytes: too long to be kept` }, isSecretValue);
      return maskValues(received, received.body === undefined ? isSecretValue : isSecretProperty);
    },
    /** Makes what answers requests to an operation, for the first of them, and keeps it. */
    prepare: (operation: Operation) => {
      const known = prepared.get(operation) ?? prepareOperation(operation);
      prepared.set(operation, known);
      return known;
    },
  };
}

/** In bytes. */
const longestBody = 2 ** 16;

/** Remembers answers for short names: most requests have the same few. */
function rememberNames(isSecret: IsSecret): IsSecret {
  const known = new Map<string, boolean>();
  return (name) => {
    const answer = known.get(name) ?? isSecret(name);
    if (name.length < 100 && known.size < 1_000) known.set(name, answer);
    return answer;
  };
}

/** The names of properties whose schemas say that they are secrets. */
function secretProperties({ document }: Generation): readonly string[] {
  const isSecret = ({ format, writeOnly }: SchemaObject) => format === "password" || writeOnly === true;
  return Array.from(walk(document))
    .filter(({ parent, value }) => {
      return parent?.key === "properties" && parent.isMap && applicableSchemas(document, value).some(isSecret);
    })
    .map(({ key }) => key);
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
    /** The path parameters whose values are numbers. */
    numbers: new Set(numeric.map(({ name }) => name)),
  };
}
