/* Secrets of resources: those that only the response to their creation shows. */
import type { Operation } from "../contract/generation.ts";
import type { ResourceOperation } from "../contract/resources.ts";
import { credentialVariable, type SecurityAlternative } from "../contract/security.ts";
import type { SchemaObject } from "../spec/openapi.ts";
import { isSecretSchema } from "../exchange/secrets.ts";
import { applicableSchemas } from "../spec/schemas.ts";
import { givenValue } from "./givenValues.ts";
import type { CallChoice, CallRun } from "./oneCall.ts";
import type { PlannedCall } from "./planCalls.ts";
import type { SkipReason } from "../exchange/observation.ts";
import { untested } from "./skipReasons.ts";

/** A kind of resource whose creation returns a secret. */
interface SecretOwner {
  readonly ancestor: ResourceOperation["ancestors"][number];
  /** The stored name of the property with the secret. */
  readonly property: string;
}

/**
 * The resource along the path of an operation whose secret is the operation's credential: it was created with another
 * one, and its creation returns exactly one secret. `undefined` if there is none.
 */
function ownerOf({ plan }: CallRun, { server, resource, schemes = [] }: PlannedCall): SecretOwner | undefined {
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

/**
 * The credentials of a call: those of the run, or the secret of the created resource that its path identifies. A reason
 * if the call needs the secret of another resource, unless the file with values names it.
 */
export function credentialsOf(
  run: CallRun,
  planned: PlannedCall,
  { path }: CallChoice,
): SecurityAlternative | SkipReason {
  const { generation, operation, server, schemes = [] } = planned;
  const owner = ownerOf(run, planned);
  const [scheme] = schemes;
  if (owner === undefined || scheme === undefined) return schemes;
  const { parameter, property } = owner.ancestor.key;
  const id = path.get(parameter);
  const own = run.created.find(
    (one) =>
      one.server === server && one.type === owner.ancestor.type && String(one.properties[property]) === String(id),
  );
  const secret = own?.properties[owner.property];
  if (typeof secret === "string" && secret !== "") return [{ ...scheme, variable: undefined, example: secret }];
  // Who names a resource gives its secret, too. Examples belong together.
  const isNamed = givenValue(run.values, generation, operation, parameter) !== undefined;
  if (isNamed || (own === undefined && scheme.variable === undefined)) return schemes;
  return untested.otherSecret(credentialVariable(generation.name, scheme.name), parameter);
}
