import { messageOf } from "../contract/failures.ts";
import { isSent, type Generation, type Operation } from "../contract/generation.ts";
import { readResources, resourcesIn } from "../contract/resources.ts";
import type { Properties, ResourceOperation, ResourceType } from "../contract/resources.ts";
import type { SecurityAlternative, SecurityScheme } from "../contract/security.ts";
import { sampleRequest, sentContent } from "../samples/exampleRequest.ts";
import { writeRequest } from "../samples/writeRequest.ts";
import { isObject, membersOf, parseJson, valueAt } from "../spec/json.ts";
import type { Exchange } from "../exchange/exchange.ts";
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

type PlannedCall = ReturnType<typeof planCalls>[number];

interface CallChanges {
  /** The name of the body's example. */
  readonly body?: string | undefined;
  readonly schemes?: SecurityAlternative;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly target?: Properties;
}

interface Created {
  readonly planned: PlannedCall;
  readonly properties: Properties;
  isDeleted: boolean;
}

/** The places at which a file may have the value of a parameter or the body, the first one first. */
function placesFor({ name: generation }: Generation, operation: Operation, name: string) {
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
) {
  const resources = readResources(sources.map(({ generation }) => generation));
  const all = sources.flatMap((source) =>
    source.generation.operations.map((operation) => {
      const resource = resources.get(operation);
      const schemes = credentialsFor(operation, source.credentials);
      const isAllowed = operation.method === "get" || allowChanges;
      const reasons = [
        ...(selected.has(operation) ? [] : ["it is not selected"]),
        ...(isAllowed ? [] : ["it may change data: --allow-changes calls it"]),
        ...(schemes === undefined ? ["there are no credentials for it"] : []),
      ];
      return { ...source, operation, resource, schemes, reason: reasons[0], rank: rankOf(operation, resource) };
    }),
  );
  return all.sort((a, b) => a.rank - b.rank || a.operation.path.length - b.operation.path.length);
}

function rankOf({ method }: Operation, resource: ResourceOperation | undefined): number {
  const effect = resource?.effect ?? "other";
  const isRead = method === "get" && effect !== "list";
  return order.indexOf(method === "delete" ? "delete" : isRead ? "read" : effect);
}

/** Credentials of the first alternative for which there are some; none where none are needed. */
function credentialsFor(
  { security }: Operation,
  credentials: CalledGeneration["credentials"],
): SecurityAlternative | undefined {
  if (security.length === 0) return [];
  const usable = security.filter((schemes) =>
    schemes.every(({ name, in: place }) => place === "connection" || credentials.has(name)),
  );
  const chosen = usable.find((schemes) => schemes.length > 0) ?? usable[0];
  return chosen?.flatMap(({ name }) => credentials.get(name) ?? []);
}

/** No credentials, and each half of those that belong together, unless they are enough for another alternative. */
function insufficientCredentials({ operation: { security }, credentials }: PlannedCall): SecurityAlternative[] {
  const enough = security.flatMap((schemes) => (schemes.length === 1 ? schemes : [])).map(({ name }) => name);
  const paired = new Set(security.flatMap((schemes) => (schemes.length > 1 ? schemes : [])).map(({ name }) => name));
  const halves = [...paired].filter((name) => !enough.includes(name)).flatMap((name) => credentials.get(name) ?? []);
  return security.length === 0 ? [] : [[], ...halves.map((scheme) => [scheme])];
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
  /** What was created and not deleted at a server: another may have its own by the same identifier. */
  const remaining = (type: ResourceType | undefined, server: string) =>
    created.filter(
      ({ planned, isDeleted }) => planned.resource?.type === type && planned.server === server && !isDeleted,
    );
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
    const all = [...remaining(type, server).map(({ properties }) => properties), ...(known.get(type) ?? [])];
    return all.map((properties) => properties[key.property]).find(isSegment);
  };
  const call = async (planned: PlannedCall, changes: CallChanges = {}, signal = stop): Promise<boolean> => {
    const { operation, server } = planned;
    const schemes = changes.schemes ?? planned.schemes ?? [];
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
  const learn = (planned: PlannedCall, value: unknown): void => {
    const { resource } = planned;
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
    else if (!isOld) created.push({ planned, properties, isDeleted: false });
  };
  const callAll = async (planned: PlannedCall): Promise<void> => {
    const { operation } = planned;
    const { pagination } = operation;
    const isSuccess = await call(planned);
    const [, ...others] = valueFor(planned, "body") === undefined ? (sentContent(operation)?.examples ?? []) : [];
    for (const { name } of others) await call(planned, { body: name });
    if (operation.method !== "get" || !isSuccess) return;
    for (const schemes of insufficientCredentials(planned)) await call(planned, { schemes });
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
  // What was created is deleted even when the time is over, or with an operation that is not selected.
  for (const planned of plan.filter(isDelete)) {
    const { operation, resource, server } = planned;
    const property = resource?.key?.property ?? "";
    const own = remaining(resource?.type, server).filter(({ properties }) => isSegment(properties[property]));
    for (const one of own)
      one.isDeleted = await call(planned, { target: one.properties }, new AbortController().signal);
    if (own.length > 0 || planned.reason !== undefined) continue;
    const reason = allowDeletes ? ended() : "it deletes what was there before: --allow-deletes calls it";
    if (reason === undefined) await call(planned);
    else reasons.set(operation, reason);
  }
  const left = created
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ planned, properties: { id } }) => {
      const what = id === undefined ? "something" : describeValue({ value: id, path: "" });
      return `${what}, which ${planned.operation.name} created`;
    });
  return { reasons, ended: ended(), left };
}

/** Tells whether a value can be a segment of a path: dots lead to another path (RFC 3986, section 5.2.4). */
function isSegment(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && !/^\.{0,2}$/.test(value));
}
