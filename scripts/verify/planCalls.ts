/* The plan of a run: its calls, what they may change, and what allows that. */
import { isSafe, isSent, type Generation, type Operation, type Parameter } from "../contract/generation.ts";
import { readResources, type ResourceOperation } from "../contract/resources.ts";
import { credentialsFor, type SecurityAlternative, type SecurityScheme } from "../contract/security.ts";
import {
  fittingValues,
  mayDelete,
  missingPermissions,
  type DataChange,
  type Permission,
} from "../exchange/dataChanges.ts";
import type { SkipReason } from "../exchange/observation.ts";
import { resolveSchema } from "../spec/openapi.ts";
import { isSegment, pathParameters } from "../spec/pathTemplate.ts";
import { typesOf } from "../spec/schemas.ts";
import { givenValue, valuesForOperation } from "./givenValues.ts";
import { untested } from "./skipReasons.ts";

/** A generation at a server, with its credentials by scheme names. */
export interface CalledGeneration {
  readonly generation: Generation;
  readonly server: string;
  readonly credentials: ReadonlyMap<string, SecurityScheme>;
}

/** The permissions of a run. */
interface CallPermissions {
  readonly selected: ReadonlySet<Operation>;
  /** Values by parameter names, optionally below the name of a generation or an operation, which may have a `body`. */
  readonly values: unknown;
  /** For what the run creates, `allow-changes` is enough. What the file names also needs one of the others. */
  readonly allowed: ReadonlySet<Permission>;
}

/** A type of resources, and the path parameter that identifies one of them. */
type Target = ResourceOperation["ancestors"][number];

/** The change of data by a call. */
interface PlannedChange extends DataChange {
  readonly kind: "creates" | "changes" | "deletes";
  /** The path parameter that identifies the target. `undefined` for a create, or for a path without one. */
  readonly parameter: string | undefined;
  /** The type that this parameter identifies. `undefined` if the contract doesn't say. */
  readonly target: Target | undefined;
  /** True if the file names the target for this operation. */
  readonly isNamed: boolean;
  /** The values from the file for the parameters that identify something. */
  readonly given: ReadonlyMap<string, unknown>;
}

/** An operation in a run. */
export interface PlannedCall extends CalledGeneration {
  readonly operation: Operation;
  readonly resource: ResourceOperation | undefined;
  /** The credentials to send. `undefined` if they are missing. */
  readonly schemes: SecurityAlternative | undefined;
  /** `undefined` for a read. */
  readonly change: PlannedChange | undefined;
  /** The reason for skipping it. `undefined` if it is called. */
  readonly reason: SkipReason | undefined;
}

type Call = Omit<PlannedCall, "reason">;

/** All operations in the order of their calls. Deletes come last, so that no call lacks its resource. */
export function planCalls(sources: readonly CalledGeneration[], permissions: CallPermissions): readonly PlannedCall[] {
  const resources = readResources(sources.map(({ generation }) => generation));
  const calls = sources.flatMap((source) => {
    const paths = readPaths(source.generation, resources);
    return source.generation.operations.map((operation): Call => {
      const called = { ...source, operation, resource: resources.get(operation) };
      const schemes = credentialsFor(operation, source.credentials);
      return { ...called, schemes, change: readChange(called, paths, permissions.values) };
    });
  });
  const creating = calls.filter(
    ({ operation, change, schemes }) =>
      permissions.selected.has(operation) && change?.kind === "creates" && schemes !== undefined,
  );
  const plan = calls.map((call): PlannedCall => ({ ...call, reason: reasonAgainst(call, creating, permissions) }));
  return plan.sort((a, b) => rankOf(a) - rankOf(b) || depthOf(a) - depthOf(b));
}

/** The reason for skipping an operation. `undefined` if it is called. */
function reasonAgainst(call: Call, creating: readonly Call[], permissions: CallPermissions): SkipReason | undefined {
  const { operation, server, schemes, change } = call;
  if (!permissions.selected.has(operation)) return untested.notSelected;
  const [missing] = change === undefined ? [] : missingPermissions(change, permissions.allowed);
  if (missing === "allow-changes") return untested[missing];
  if (schemes === undefined) return untested.noCredentials;
  const unwritable = operation.parameters.find(({ required, isText }) => required && !isText);
  if (unwritable !== undefined) return untested.unwritable(unwritable.name);
  if (change === undefined) return undefined;
  const unnamed = namingParameters(operation).filter(({ name, required }) => required && !change.given.has(name));
  if (unnamed.length > 0) return untested.onlyExamples(unnamed.map(({ name }) => name));
  if (missing !== undefined) return untested[missing];
  if (change.kind === "creates" || change.isNamed) return undefined;
  const isCreated = creating.some((one) => one.server === server && one.resource?.type === change.target?.type);
  if (isCreated && change.target !== undefined) return undefined;
  return untested.notOurs(operation, change.parameter);
}

/** Checks whether a call deletes the resources that another one creates. */
export function deletesCreated({ server, schemes, change }: Call, creating: Call): boolean {
  if (change?.kind !== "deletes" || change.target === undefined || schemes === undefined) return false;
  return server === creating.server && change.target.type === creating.resource?.type;
}

/** The meaning of the paths of a generation. */
interface Paths {
  /** The paths of lists of resources, or of their parents. */
  readonly collections: ReadonlySet<string>;
  /** The type that the last parameter of a path identifies, by paths that end with a parameter. */
  readonly items: ReadonlyMap<string, Target>;
}

function readPaths({ operations }: Generation, resources: ReadonlyMap<Operation, ResourceOperation>): Paths {
  const collections = new Set<string>();
  const items = new Map<string, Target>();
  for (const operation of operations) {
    const { path } = operation;
    const resource = resources.get(operation);
    if (resource?.effect === "list") collections.add(path);
    if (!path.endsWith("}")) continue;
    collections.add(path.slice(0, path.lastIndexOf("/")));
    const target = resource?.ancestors.at(-1);
    if (target !== undefined && path.endsWith(`{${target.key.parameter}}`)) items.set(path, target);
  }
  return { collections, items };
}

/** The change of data by an operation. `undefined` if it only reads. */
function readChange(
  { generation, operation, resource }: Pick<Call, "generation" | "operation" | "resource">,
  { collections, items }: Paths,
  values: unknown,
): PlannedChange | undefined {
  const { method, path } = operation;
  if (isSafe(operation)) return undefined;
  const valueOf = (name: string) => givenValue(values, generation, operation, name);
  const given = new Map(fittingValues(operation, valueOf));
  for (const { name } of namingParameters(operation)) {
    const value = valueOf(name);
    if (value !== undefined) given.set(name, value);
  }
  const names = pathParameters(path);
  // After an identifier, even an operation that returns 201 may be an action: `/rooms/{id}/close`.
  const isCollection = names.length === 0 || collections.has(path) || operation.resource.effect === "create";
  const { copies } = operation.resource;
  const common = { operation, given, needs: ["allow-changes"] } as const;
  if (method === "post" && resource?.effect === "create" && isCollection && copies === undefined)
    return { ...common, kind: "creates", parameter: undefined, target: undefined, isNamed: false };
  const own = valuesForOperation(values, generation, operation);
  const parameter = copies ?? names.at(-1);
  const isNamed = parameter === undefined ? Object.keys(own).length > 0 : isSegment(own[parameter]);
  const needs: readonly Permission[] = isNamed
    ? [mayDelete(operation) ? "allow-deletes" : "allow-lasting-changes"]
    : [];
  return {
    ...{ ...common, needs: [...common.needs, ...needs] },
    kind: resource?.effect === "delete" ? "deletes" : "changes",
    ...{ parameter, isNamed, target: parameter === undefined ? undefined : items.get(pathThrough(path, parameter)) },
  };
}

/** The part of a path that ends with a parameter. */
function pathThrough(path: string, parameter: string): string {
  return path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2);
}

/**
 * The parameters outside the path that may identify an existing resource, such as `?userId=7`. Their schema has no
 * listed values and no default.
 */
export function namingParameters({ document, parameters }: Operation): readonly Parameter[] {
  return parameters.filter(isSent).filter((parameter) => {
    const schema = resolveSchema(document, parameter.schema);
    const { const: constant, default: preset, enum: values } = schema;
    const isOpen = constant === undefined && preset === undefined && values === undefined;
    return parameter.in !== "path" && isOpen && !typesOf(schema).includes("boolean");
  });
}

/** The order of calls: lists first, because other calls need their identifiers, and deletes last. */
const order = ["list", "read", "creates", "update", "changes", "deletes"];

function rankOf(call: Call): number {
  const { change, resource } = call;
  if (mayDelete(call.operation)) return order.indexOf("deletes");
  if (change === undefined) return order.indexOf(resource?.effect === "list" ? "list" : "read");
  return order.indexOf(change.kind === "changes" && resource?.effect === "update" ? "update" : change.kind);
}

/** Resources come before their children, and are deleted after them. */
function depthOf(call: Call): number {
  const { length } = call.operation.path;
  return mayDelete(call.operation) ? -length : length;
}
