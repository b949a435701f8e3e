import { messageOf } from "../contract/failures.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import {
  readResources,
  resourcesIn,
  type Properties,
  type ResourceOperation,
  type ResourceType,
} from "../contract/resources.ts";
import type { SecurityAlternative, SecurityScheme } from "../contract/security.ts";
import { isSent, sampleRequest, sentContent } from "../samples/exampleRequest.ts";
import { writeRequest } from "../samples/writeRequest.ts";
import { isObject, membersOf, parseJson } from "../spec/json.ts";
import { valueAt } from "../spec/jsonPointer.ts";
import type { Exchange } from "../mock/upstream/exchange.ts";
import type { Send } from "./sender.ts";
import { describeValue } from "./unlistedValues.ts";

/** A generation at a server, and the credentials for it by the names of their schemes. */
interface CalledGeneration {
  readonly generation: Generation;
  readonly server: string;
  readonly credentials: ReadonlyMap<string, SecurityScheme>;
}

interface CallOptions {
  /** Values by the names of parameters; also below the name of a generation or an operation, which may have a `body`. */
  readonly values: unknown;
  readonly allowDeletes: boolean;
  readonly send: Send;
  readonly stop: AbortSignal;
  readonly onExchange: (exchange: Exchange) => void;
}

/** An operation, and the reason not to call it. */
interface PlannedCall extends CalledGeneration {
  readonly operation: Operation;
  /** `undefined` if it is to be called. */
  readonly reason: string | undefined;
  readonly resource: ResourceOperation | undefined;
}

/** The places at which a file may have the value of a parameter or the body, the first one first. */
function placesFor(
  { name: generation }: Generation,
  operation: Operation,
  name: string,
): readonly (readonly string[])[] {
  const id = operation.operationId ?? operation.name;
  return [[generation, id, name], [generation, name], [id, name], [name]];
}

/** The places in a file with values that no call looks at, each as the names that lead there, with dots between them. */
export function unusedValues(values: unknown, generations: readonly Generation[]): readonly string[] {
  const places = generations.flatMap((generation) =>
    generation.operations.flatMap((operation) =>
      ["body", ...operation.parameters.map(({ name }) => name)].flatMap((name) =>
        placesFor(generation, operation, name),
      ),
    ),
  );
  const unusedIn = (value: unknown, keys: readonly string[]): readonly string[] => {
    const ahead = places.filter((place) => keys.every((key, index) => place[index] === key));
    if (ahead.length === 0) return [keys.join(".")];
    if (ahead.some((place) => place.length === keys.length)) return [];
    return membersOf(value).flatMap(([key, member]) => unusedIn(member, [...keys, key]));
  };
  return unusedIn(values, []);
}

/** Effects in the order of the calls. */
const order = ["list", "read", "create", "update", "other", "delete"];
/** Calls in a row without a response after which no more are made. */
const mostSilent = 5;

/** All operations in the order in which they are called, so that none misses what another has deleted. */
export function planCalls(
  sources: readonly CalledGeneration[],
  selected: ReadonlySet<Operation>,
  allowChanges: boolean,
): readonly PlannedCall[] {
  const resources = readResources(sources.map(({ generation }) => generation));
  return sources
    .flatMap((source) =>
      source.generation.operations.map((operation): PlannedCall => {
        const reasons = [
          selected.has(operation) ? undefined : "it is not selected",
          operation.method === "get" || allowChanges ? undefined : "it may change data: --allow-changes calls it",
          credentialsFor(operation, source.credentials) === undefined ? "there are no credentials for it" : undefined,
        ];
        const reason = reasons.find((one) => one !== undefined);
        return { ...source, operation, reason, resource: resources.get(operation) };
      }),
    )
    .sort((a, b) => rankOf(a) - rankOf(b) || a.operation.path.length - b.operation.path.length);
}

function rankOf({ operation: { method }, resource }: PlannedCall): number {
  const effect = resource?.effect ?? "other";
  const isRead = method === "get" && effect !== "list";
  return order.indexOf(method === "delete" ? "delete" : isRead ? "read" : effect);
}

/** Credentials of the first alternative for which there are some; none where none are needed. */
function credentialsFor(
  { security }: Operation,
  credentials: PlannedCall["credentials"],
): SecurityAlternative | undefined {
  if (security.length === 0) return [];
  const usable = security.filter((schemes) =>
    schemes.every(({ name, in: place }) => place === "connection" || credentials.has(name)),
  );
  const chosen = usable.find((schemes) => schemes.length > 0) ?? usable[0];
  return chosen?.flatMap(({ name }) => credentials.get(name) ?? []);
}

/** No credentials, and each half of those that belong together, unless they are enough for another alternative. */
function insufficientCredentials(
  { security }: Operation,
  credentials: PlannedCall["credentials"],
): readonly SecurityAlternative[] {
  if (security.length === 0) return [];
  const pairs = security.filter((schemes) => schemes.length > 1);
  const halves = new Set(pairs.flat().flatMap(({ name }) => credentials.get(name) ?? []));
  const enough = security.flatMap((schemes) => (schemes.length === 1 ? schemes : [])).map(({ name }) => name);
  return [[], ...[...halves].filter(({ name }) => !enough.includes(name)).map((scheme) => [scheme])];
}

/**
 * Calls the operations of a plan one after the other, and deletes what that creates. Gives the reasons for what was not
 * called, what was created and is still there, and why it ended early, if it did.
 */
export async function callOperations(plan: readonly PlannedCall[], options: CallOptions) {
  const { values, allowDeletes, send, stop, onExchange } = options;
  const known = new Map<ResourceType, Properties[]>();
  const created: Created[] = [];
  const reasons = new Map(plan.flatMap(({ operation, reason }) => (reason === undefined ? [] : [[operation, reason]])));
  let silent = 0;
  const ended = (): string | undefined => {
    if (stop.aborted) return messageOf(stop.reason);
    return silent < mostSilent ? undefined : `${silent} calls in a row had no response`;
  };
  /** A value from the file, or else an identifier from an earlier answer. */
  const valueFor = (planned: PlannedCall, name: string, target?: Properties): unknown => {
    const { generation, operation, resource, server } = planned;
    const ancestor = resource?.ancestors.find(({ key }) => key.parameter === name);
    // Only what was created may be deleted, whatever the file names.
    if (target !== undefined && ancestor !== undefined && ancestor.type === resource?.type)
      return target[ancestor.key.property];
    const places = placesFor(generation, operation, name);
    const given = places.map((keys) => valueAt(values, keys)).find((value) => value !== undefined);
    if (given !== undefined || ancestor === undefined) return given;
    const { type, key } = ancestor;
    const made = created.filter((one) => one.type === type && one.server === server && !one.isDeleted);
    const all = [...made.map(({ properties }) => properties), ...(known.get(type) ?? [])];
    return all.map((properties) => properties[key.property]).find(isSegment);
  };
  const call = async (planned: PlannedCall, changes: CallChanges = {}, signal = stop): Promise<boolean> => {
    const { operation, server, credentials } = planned;
    const schemes = changes.schemes ?? credentialsFor(operation, credentials) ?? [];
    const sample = sampleRequest(operation, server, { schemes, body: changes.body });
    const parameters = operation.parameters.filter(isSent).flatMap((parameter) => {
      const { name, in: place } = parameter;
      const example = sample.parameters.find((one) => one.name === name && one.in === place)?.value;
      const value = changes.query?.[name] ?? valueFor(planned, name, changes.target) ?? example;
      return value === undefined ? [] : [{ ...parameter, value }];
    });
    const body = valueFor(planned, "body") ?? sample.body;
    const exchange = await send(writeRequest({ ...sample, parameters, body }), signal);
    silent = exchange.response === undefined ? silent + 1 : 0;
    onExchange(exchange);
    const { status = 0 } = exchange.response ?? {};
    const isSuccess = status >= 200 && status < 300;
    if (isSuccess) learn(planned, parseJson(Buffer.from(exchange.response?.body ?? []).toString()));
    return isSuccess;
  };
  const learn = ({ operation, resource, server }: PlannedCall, value: unknown): void => {
    if (resource === undefined || resource.effect === "delete") return;
    const { type, effect, view } = resource;
    // Of a body that the contract does not describe, what has an identifier.
    const shown =
      view === undefined
        ? [value, ...membersOf(value).map(([, member]) => member)].filter(isObject)
        : resourcesIn(value, view);
    const found = shown.filter((properties) => [...type.keys, "id"].some((key) => key in properties));
    const before = known.get(type) ?? [];
    const [properties = {}] = found;
    // A create may give what was there before.
    const isOld = before.some((one) => type.keys.some((key) => key in one && one[key] === properties[key]));
    if (effect !== "create") known.set(type, [...before, ...found]);
    else if (!isOld) created.push({ type, server, by: operation.name, properties, isDeleted: false });
  };
  const callAll = async (planned: PlannedCall): Promise<void> => {
    const { operation, credentials } = planned;
    const { pagination } = operation;
    const isSuccess = await call(planned);
    const [, ...others] = valueFor(planned, "body") === undefined ? (sentContent(operation)?.examples ?? []) : [];
    for (const { name } of others) await call(planned, { body: name });
    if (operation.method !== "get" || !isSuccess) return;
    for (const schemes of insufficientCredentials(operation, credentials)) await call(planned, { schemes });
    if (pagination === undefined) return;
    for (const skipped of [0, 1])
      await call(planned, { query: { [pagination.limit]: 1, [pagination.offset]: skipped } });
  };

  const isDelete = ({ operation }: PlannedCall) => operation.method === "delete";
  for (const planned of plan.filter((one) => one.reason === undefined && !isDelete(one))) {
    const reason = ended();
    if (reason === undefined) await callAll(planned);
    else reasons.set(planned.operation, reason);
  }
  /** The operations that have deleted what was there before. */
  const deletedBy = new Map<ResourceType | undefined, string>();
  // What was created is deleted even when the time is over, or with an operation that is not selected.
  for (const planned of plan.filter(isDelete)) {
    const { operation, resource } = planned;
    const property = resource?.key?.property ?? "";
    const isOwn = (one: Created) => one.type === resource?.type && one.server === planned.server && !one.isDeleted;
    const own = created.filter((one) => isOwn(one) && isSegment(one.properties[property]));
    for (const one of own)
      one.isDeleted = await call(planned, { target: one.properties }, new AbortController().signal);
    if (own.length > 0 || planned.reason !== undefined) continue;
    const reason = allowDeletes ? ended() : "it deletes what was there before: --allow-deletes calls it";
    const earlier = deletedBy.get(resource?.type);
    if (reason !== undefined) reasons.set(operation, reason);
    else if (await call(planned)) deletedBy.set(resource?.type, operation.name);
    else if (earlier !== undefined)
      reasons.set(operation, `it failed after ${earlier}, which may have deleted the same: --values can name another`);
  }
  const left = created.filter(({ isDeleted }) => !isDeleted);
  return { reasons, ended: ended(), left: left.map(describeCreated) };
}

interface Created {
  readonly type: ResourceType;
  /** The one that it is at: another may have its own by the same identifier. */
  readonly server: string;
  /** The name of the operation that created it. */
  readonly by: string;
  readonly properties: Properties;
  isDeleted: boolean;
}

/** Tells whether a value can be a segment of a path: dots lead to another path (RFC 3986, section 5.2.4). */
function isSegment(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && !/^\.{0,2}$/.test(value));
}

function describeCreated({ by, properties: { id } }: Created): string {
  return `${id === undefined ? "something" : describeValue({ value: id, path: "" })}, which ${by} created`;
}

/** How a call differs from the operation's usual one. */
interface CallChanges {
  /** The name of the body's example. */
  readonly body?: string | undefined;
  readonly schemes?: SecurityAlternative;
  readonly query?: Readonly<Record<string, unknown>>;
  /** The resource that it is about. */
  readonly target?: Properties;
}
