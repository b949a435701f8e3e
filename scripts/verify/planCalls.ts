import { isSegment, pathParameters } from "../spec/pathTemplate.ts";
import { isSafe, isSent, type Generation, type Operation, type Parameter } from "../contract/generation.ts";
import { resolveSchema } from "../spec/openapi.ts";
import { typesOf } from "../spec/schemas.ts";
import { readResources, type ResourceOperation } from "../contract/resources.ts";
import { credentialsFor, type SecurityAlternative, type SecurityScheme } from "../contract/security.ts";
import { givenValue, valuesForOperation } from "./givenValues.ts";
import { untested } from "./describeCalls.ts";

/** A generation at a server, and the credentials for it by the names of their schemes. */
interface CalledGeneration {
  readonly generation: Generation;
  readonly server: string;
  readonly credentials: ReadonlyMap<string, SecurityScheme>;
}

/** What a run may do. */
export interface CallPermissions {
  readonly selected: ReadonlySet<Operation>;
  /** Values by the names of parameters; also below the name of a generation or an operation, which may have a `body`. */
  readonly values: unknown;
  readonly allowsChanges: boolean;
  readonly allowsDeletes: boolean;
}

/** A type of resources, and the path parameter that identifies one of them. */
type Target = ResourceOperation["ancestors"][number];

/** What a call does to data. */
export interface PlannedChange {
  readonly kind: "creates" | "changes" | "deletes";
  /** The path parameter that names what it acts on; `undefined` if it creates something, or its path names nothing. */
  readonly parameter: string | undefined;
  /** What that parameter identifies; `undefined` if the contract does not say. */
  readonly target: Target | undefined;
  /** True if the file with values names what it acts on, below this very operation. */
  readonly isNamed: boolean;
  /** The values that the file gives for the parameters that name something. */
  readonly given: ReadonlyMap<string, unknown>;
}

/** An operation in a run. */
export interface PlannedCall extends CalledGeneration {
  readonly operation: Operation;
  readonly resource: ResourceOperation | undefined;
  /** The credentials to send; `undefined` if they are missing. */
  readonly schemes: SecurityAlternative | undefined;
  /** `undefined` if it only reads. */
  readonly change: PlannedChange | undefined;
  /** What reads the resource that it updates, so that it can be put back; `undefined` if nothing does. */
  readonly reading: PlannedCall | undefined;
  /** Why it is not called; `undefined` if it is. */
  readonly reason: string | undefined;
}

type Call = Omit<PlannedCall, "reading" | "reason">;

/** All operations in the order in which they are called, so that none misses what another has deleted. */
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
  const plan = calls.map((call): PlannedCall => {
    const reading = calls.find((other) => readsBefore(other, call));
    const read = reading && { ...reading, reading: undefined, reason: undefined };
    return { ...call, reading: read, reason: reasonAgainst(call, creating, permissions) };
  });
  return plan.sort((a, b) => rankOf(a) - rankOf(b) || depthOf(a) - depthOf(b));
}

/** Tells whether a call reads what another one updates, where a file with values names that. */
function readsBefore(reading: Call, { generation, server, operation, change }: Call): boolean {
  const isUpdate = ["patch", "put"].includes(operation.method) && change?.kind === "changes" && change.isNamed;
  const isAtSamePlace = reading.generation === generation && reading.server === server;
  const { method, path } = reading.operation;
  return isUpdate && isAtSamePlace && method === "get" && path === operation.path && reading.schemes !== undefined;
}

/** Why an operation is not called; `undefined` if it is. */
function reasonAgainst(call: Call, creating: readonly Call[], permissions: CallPermissions): string | undefined {
  const { operation, server, schemes, change } = call;
  if (!permissions.selected.has(operation)) return untested.notSelected;
  if (change !== undefined && !permissions.allowsChanges) return untested.changesNotAllowed;
  if (schemes === undefined) return untested.noCredentials;
  if (change === undefined) return undefined;
  const missing = namingParameters(operation).filter(({ name, required }) => required && !change.given.has(name));
  if (missing.length > 0) return untested.onlyExamples(missing.map(({ name }) => name));
  if (change.kind === "creates") return undefined;
  const isCreated = creating.some((one) => one.server === server && one.resource?.type === change.target?.type);
  if (isCreated && change.target !== undefined) return undefined;
  if (!change.isNamed) return untested.notOurs(operation, change.parameter);
  return isDelete(call) && !permissions.allowsDeletes ? untested.deletesNotAllowed : undefined;
}

/** Tells whether a call deletes a resource, or a part of one. */
export function isDelete({ operation, change }: Pick<Call, "operation" | "change">): boolean {
  return operation.method === "delete" || change?.kind === "deletes";
}

/** Tells whether a call deletes what another one creates. */
export function deletesCreated({ server, schemes, change }: Call, creating: Call): boolean {
  if (change?.kind !== "deletes" || change.target === undefined || schemes === undefined) return false;
  return server === creating.server && change.target.type === creating.resource?.type;
}

/** What the paths of a generation lead to. */
interface Paths {
  /** The paths at which resources are listed, or below which each of them has its own. */
  readonly collections: ReadonlySet<string>;
  /** What the last parameter of a path identifies, by the paths that end with one. */
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

/** What an operation does to data; `undefined` if it only reads. */
function readChange(
  { generation, operation, resource }: Pick<Call, "generation" | "operation" | "resource">,
  { collections, items }: Paths,
  values: unknown,
): PlannedChange | undefined {
  const { method, path } = operation;
  if (isSafe(operation)) return undefined;
  const names = pathParameters(operation.path);
  const given = new Map<string, unknown>();
  for (const name of names) {
    const value = givenValue(values, generation, operation, name);
    if (isSegment(value)) given.set(name, value);
  }
  for (const { name } of namingParameters(operation)) {
    const value = givenValue(values, generation, operation, name);
    if (value !== undefined) given.set(name, value);
  }
  // Behind an identifier, a 201 alone may be the response to any action: `/rooms/{id}/close`.
  const isCollection = names.length === 0 || collections.has(path) || operation.resource.effect === "create";
  const { copies } = operation.resource;
  if (method === "post" && resource?.effect === "create" && isCollection && copies === undefined)
    return { kind: "creates", parameter: undefined, target: undefined, isNamed: false, given };
  const kind = resource?.effect === "delete" ? "deletes" : "changes";
  const own = valuesForOperation(values, generation, operation);
  const parameter = copies ?? names.at(-1);
  if (parameter === undefined)
    return { kind, parameter, target: undefined, isNamed: Object.keys(own).length > 0, given };
  const end = path.indexOf(`{${parameter}}`) + parameter.length + 2;
  return { kind, parameter, target: items.get(path.slice(0, end)), isNamed: isSegment(own[parameter]), given };
}

/**
 * The parameters beside the path that may name what exists already, such as `?userId=7`: those whose schema lists no
 * values and has no default.
 */
export function namingParameters({ document, parameters }: Operation): readonly Parameter[] {
  return parameters.filter(isSent).filter((parameter) => {
    const schema = resolveSchema(document, parameter.schema);
    const { const: constant, default: preset, enum: values } = schema;
    const isOpen = constant === undefined && preset === undefined && values === undefined;
    return parameter.in !== "path" && isOpen && !typesOf(schema).includes("boolean");
  });
}

/** What is called first: lists, whose identifiers others need, and what deletes comes last. */
const order = ["list", "read", "creates", "update", "changes", "deletes"];

function rankOf(call: Call): number {
  const { change, resource } = call;
  if (isDelete(call)) return order.indexOf("deletes");
  if (change === undefined) return order.indexOf(resource?.effect === "list" ? "list" : "read");
  return order.indexOf(change.kind === "changes" && resource?.effect === "update" ? "update" : change.kind);
}

/** Resources come before what is in them, and are deleted after it. */
function depthOf(call: Call): number {
  const { length } = call.operation.path;
  return isDelete(call) ? -length : length;
}
