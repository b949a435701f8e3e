/* What a call acts on: only resources that the run created, or that the file with values names; with which credentials. */
import { isSent, type Operation } from "../contract/generation.ts";
import type { ResourceOperation } from "../contract/resources.ts";
import { credentialVariable, type SecurityAlternative } from "../contract/security.ts";
import { fittingValues } from "../exchange/dataChanges.ts";
import type { SkipReason } from "../exchange/observation.ts";
import { isSecretSchema } from "../exchange/secrets.ts";
import { createValidator, unlessUnusable } from "../exchange/validator.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import type { SampleRequest } from "../samples/serializeRequest.ts";
import { contentOfType, isJson } from "../spec/mediaTypes.ts";
import type { SchemaObject } from "../spec/openapi.ts";
import { isSegment, pathParameters } from "../spec/pathTemplate.ts";
import { applicableSchemas } from "../spec/schemas.ts";
import { equalJson, isObject } from "../values/json.ts";
import { givenValue } from "./givenValues.ts";
import { namingParameters, type PlannedCall } from "./planCalls.ts";
import type { CallTarget, CreatedResource, RunMemory } from "./runMemory.ts";
import { untested } from "./skipReasons.ts";

/** The facts of a run that decide what a call acts on. */
interface RunFacts {
  readonly plan: readonly PlannedCall[];
  /** Values by parameter names, optionally below the name of a generation or an operation, which may have a `body`. */
  readonly values: unknown;
  readonly memory: RunMemory;
}

/** The properties of one call that differ from other calls of the operation. */
export interface CallChoice extends CallTarget {
  /** The name of the body's example. */
  readonly body?: string | undefined;
  /** True for a body that has only the required properties. */
  readonly isSmallest?: boolean;
  /** Credentials that replace those that the operation requires. */
  readonly schemes?: SecurityAlternative;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** The target of a call: a resource that this run created, or that the file with values names. Otherwise the reason. */
export function chooseTarget(run: RunFacts, planned: PlannedCall): CallTarget | SkipReason {
  const { operation, change } = planned;
  if (change === undefined || change.kind === "creates") {
    const found = fittingValues(operation, (name) => identifierFor(run, planned, name));
    const path = new Map([...(change?.given ?? []), ...found]);
    return change === undefined ? { path } : withWholePath(operation, { path });
  }
  if (change.isNamed) return withWholePath(operation, { path: change.given });
  const [own] = change.kind === "deletes" ? [] : ownTargets(run, planned);
  return own ?? untested.notOurs(operation, change.parameter);
}

export function withWholePath(operation: Operation, target: CallTarget): CallTarget | SkipReason {
  const missing = pathParameters(operation.path).filter((name) => !target.path.has(name));
  return missing.length === 0 ? target : untested.onlyExamples(missing);
}

/** The resources that the run certainly created and has not yet deleted at a server, as targets of an operation on their type. */
export function ownTargets(run: RunFacts, planned: PlannedCall): readonly CallTarget[] {
  const { operation, server, change } = planned;
  const { target } = change ?? {};
  if (target === undefined) return [];
  const { type, key } = target;
  const targets = run.memory.created
    .filter((one) => one.type === type && one.server === server && one.state === "kept")
    .map((own) => callTarget(run, planned, own, key));
  return targets.filter((one) => !("code" in withWholePath(operation, one)));
}

/** A created resource as the target of an operation whose path identifies it with a parameter. */
export function callTarget(
  run: RunFacts,
  planned: PlannedCall,
  own: CreatedResource,
  key = planned.resource?.key,
): CallTarget {
  const path = fittingValues(planned.operation, (name) => {
    if (key !== undefined && name === key.parameter) return own.properties[key.property];
    // The same identifier may belong to another resource below other parents.
    const other = own.type.scope.includes(name) ? undefined : identifierFor(run, planned, name);
    return own.path.get(name) ?? own.properties[name] ?? other;
  });
  return { path, own };
}

/** The value of a path parameter: from the file, or else an identifier from a response. */
function identifierFor(
  { values, memory }: RunFacts,
  { generation, operation, resource, server, change }: PlannedCall,
  name: string,
): unknown {
  const given = givenValue(values, generation, operation, name);
  const ancestor = resource?.ancestors.find(({ key }) => key.parameter === name);
  if (given !== undefined || ancestor === undefined) return given;
  const own = memory.created.filter((one) => one.server === server && one.state === "kept");
  // Never change anything with an identifier from another server.
  const seen = memory.seen.filter((one) => change === undefined || one.server === server);
  return [...own, ...seen]
    .filter(({ type }) => type === ancestor.type)
    .map(({ properties }) => properties[ancestor.key.property])
    .find(isSegment);
}

/** A right request for a call, with values from the file, from earlier responses, and from examples. */
export function requestFor(run: RunFacts, planned: PlannedCall, choice: CallChoice): SampleRequest {
  const { generation, operation, server } = planned;
  const schemes = choice.schemes ?? schemesOf(run, planned, choice);
  const sample = sampleRequest(operation, server, { schemes, body: choice.body });
  // Never change a resource that only examples name.
  const naming = planned.change === undefined ? [] : namingParameters(operation).map(({ name }) => name);
  const parameters = operation.parameters.filter(isSent).flatMap((parameter) => {
    const { name, in: place } = parameter;
    const isExample = place === "path" || !naming.includes(name);
    const example = isExample
      ? sample.parameters.find((one) => one.name === name && one.in === place)?.value
      : undefined;
    const chosen = place === "path" ? choice.path.get(name) : choice.query?.[name];
    const value = chosen ?? givenValue(run.values, generation, operation, name) ?? example;
    return value === undefined ? [] : [{ ...parameter, value }];
  });
  const example = choice.isSmallest === true ? requiredPart(operation, sample) : sample.body;
  const body = givenValue(run.values, generation, operation, "body") ?? example;
  return { ...sample, parameters, body };
}

/** Returns whether the smallest body of a call differs from its usual one. */
export function hasOptionalParts(run: RunFacts, planned: PlannedCall, target: CallTarget): boolean {
  const [smallest, usual] = [true, false].map((isSmallest) => requestFor(run, planned, { ...target, isSmallest }).body);
  return !equalJson(smallest, usual);
}

/** The body of a request without its optional properties, unless it is invalid without them. */
function requiredPart({ document, requestBody }: Operation, { body, contentType = "" }: SampleRequest): unknown {
  const { schema } = contentOfType(requestBody?.content ?? [], contentType) ?? {};
  if (schema === undefined || !isJson(contentType) || !isObject(body)) return body;
  const required = new Set(applicableSchemas(document, schema).flatMap((one) => one.required ?? []));
  const smallest = Object.fromEntries(Object.entries(body).filter(([name]) => required.has(name)));
  const isValid = unlessUnusable(
    () => createValidator(schema, document)(smallest).violations.length === 0,
    () => false,
  );
  return isValid ? smallest : body;
}

/** The credentials of a call. None if it needs those of another resource. */
export function schemesOf(run: RunFacts, planned: PlannedCall, target: CallTarget): SecurityAlternative {
  const credentials = credentialsOf(run, planned, target);
  return "code" in credentials ? [] : credentials;
}

/**
 * The credentials of a call: those of the run, or the secret of the created resource that its path identifies. A reason
 * if the call needs the secret of another resource, unless the file with values names it.
 */
export function credentialsOf(
  run: RunFacts,
  planned: PlannedCall,
  { path }: CallTarget,
): SecurityAlternative | SkipReason {
  const { generation, operation, server, schemes = [] } = planned;
  const owner = ownerOf(run.plan, planned);
  const [scheme] = schemes;
  if (owner === undefined || scheme === undefined) return schemes;
  const { type, key } = owner.ancestor;
  const id = path.get(key.parameter);
  const own = run.memory.created.find(
    (one) => one.server === server && one.type === type && String(one.properties[key.property]) === String(id),
  );
  const secret = own?.properties[owner.property];
  if (typeof secret === "string" && secret !== "") return [{ ...scheme, variable: undefined, example: secret }];
  // Who names a resource gives its secret, too. Examples belong together.
  const isNamed = givenValue(run.values, generation, operation, key.parameter) !== undefined;
  if (isNamed || (own === undefined && scheme.variable === undefined)) return schemes;
  return untested.otherSecret(credentialVariable(generation.name, scheme.name), key.parameter);
}

/** A kind of resource whose creation returns a secret, which later responses don't show. */
interface SecretOwner {
  readonly ancestor: ResourceOperation["ancestors"][number];
  /** The stored name of the property with the secret. */
  readonly property: string;
}

/**
 * The resource along the path of an operation whose secret is the operation's credential: it was created with another
 * one, and its creation returns exactly one secret. `undefined` if there is none.
 */
function ownerOf(
  plan: readonly PlannedCall[],
  { server, resource, schemes = [] }: PlannedCall,
): SecretOwner | undefined {
  // Which of several credentials it is can't be told.
  const [scheme, ...others] = schemes;
  if (scheme === undefined || others.length > 0) return undefined;
  for (const ancestor of resource?.ancestors ?? []) {
    for (const { operation, server: where, resource: created } of plan) {
      const isCreated = created?.effect === "create" && created.type === ancestor.type && where === server;
      if (!isCreated || accepts(operation, scheme.name)) continue;
      const { schemas = new Map<string, SchemaObject>(), properties } = created.view ?? {};
      const secrets = [...schemas].filter(([, schema]) =>
        applicableSchemas(operation.document, schema).some(isSecretSchema),
      );
      const [[name] = [], ...more] = secrets;
      if (name !== undefined && more.length === 0) return { ancestor, property: properties?.get(name) ?? name };
    }
  }
  return undefined;
}

function accepts({ security }: Operation, scheme: string): boolean {
  return security.some((schemes) => schemes.some(({ name }) => name === scheme));
}
