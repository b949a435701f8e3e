/* What a run remembers: the resources that it has seen and created, and the other data that it has changed. */
import { jsonContent, successResponses, type Operation } from "../contract/generation.ts";
import { resourcesIn, successContent, type Properties, type ResourceType } from "../contract/resources.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { responseOf } from "../spec/openapi.ts";
import { equalJson, isObject, membersOf, parseExactJson } from "../values/json.ts";
import { identifiersOf, isShownAs, sentProperties } from "./expectations.ts";
import type { PlannedCall } from "./planCalls.ts";

export interface RunMemory {
  readonly seen: SeenResource[];
  readonly created: CreatedResource[];
  /** Changes of other resources than the created ones. */
  readonly lasting: LastingChange[];
}

/** A change by a run, and its outcome. */
export interface LastingChange {
  readonly kind: "created" | "changed" | "deleted";
  readonly operation: Operation;
  /** The values of path parameters. */
  readonly path: ReadonlyMap<string, unknown>;
  /** The identifier of the created resource. `undefined` if the response doesn't show it. */
  readonly id: unknown;
  /** False if no response confirms the change. */
  readonly isCertain: boolean;
}

/** A resource from a response. */
interface SeenResource {
  readonly type: ResourceType;
  readonly server: string;
  readonly properties: Properties;
}

export interface CreatedResource extends SeenResource {
  readonly operation: Operation;
  /** The values of path parameters in the request that created it. */
  readonly path: ReadonlyMap<string, unknown>;
  /** The properties in that request. */
  readonly sent: Properties;
  /** `doubtful`: a response contradicts the request, so it may be another resource. The run leaves that alone. */
  state: "deleted" | "doubtful" | "kept";
}

/** What a call acts on. */
export interface CallTarget {
  /** The values of path parameters. */
  readonly path: ReadonlyMap<string, unknown>;
  /** The created resource that the call acts on. `undefined` if it acts on another one, or on none. */
  readonly own?: CreatedResource | undefined;
}

/** Remembers what a call changes. Returns the resources in its response. */
export function rememberChanges(
  memory: RunMemory,
  planned: PlannedCall,
  { path, own }: CallTarget,
  exchange: Exchange,
): readonly SeenResource[] {
  const { operation, server, resource, change } = planned;
  const { status = 0 } = exchange.response ?? {};
  const isSuccess = status >= 200 && status < 300;
  const found = isSuccess ? resourcesShown(planned, exchange) : [];
  const isRefused = status >= 400 && status < 500;
  if (change === undefined || isRefused) return found;
  if (own !== undefined && change.kind === "deletes" && isSuccess) own.state = "deleted";
  if (own === undefined && change.kind !== "creates") {
    const kind = change.kind === "deletes" ? "deleted" : "changed";
    memory.lasting.push({ kind, operation, path, id: undefined, isCertain: isSuccess });
  }
  if (resource?.effect !== "create") return found;
  const { type } = resource;
  const properties = found[0]?.properties ?? {};
  const id = identifierIn(type, properties);
  const isSame = (one: SeenResource) =>
    one.type === type && one.server === server && shareIdentifier(type, one.properties, properties);
  const earlier = memory.created.find(isSame);
  if (isSuccess && earlier !== undefined) {
    // Two creations made one resource, so it may have been there before the first.
    if (earlier.state === "kept" && isCreation(operation, status)) earlier.state = "doubtful";
    // A create operation may return an existing resource.
  } else if (isSuccess && memory.seen.some(isSame)) {
    memory.lasting.push({ kind: "changed", operation, path, id, isCertain: true });
  } else if (!isSuccess || !isCreation(operation, status)) {
    memory.lasting.push({ kind: "created", operation, path, id, isCertain: false });
  } else {
    const body = parseExactJson(Buffer.from(exchange.request.body ?? []).toString());
    const sent = Object.fromEntries(sentProperties({ resource, body }));
    const created: CreatedResource = { type, server, operation, path, properties, sent, state: "kept" };
    memory.created.push(created);
    doubtCreated(created, properties);
  }
  return found;
}

/** The changes that stay after the run. */
export function lastingChanges({ created, lasting }: RunMemory): readonly LastingChange[] {
  const left = created.filter(({ state }) => state !== "deleted");
  return [
    ...left.map(({ type, operation, path, properties, state }): LastingChange => {
      return { kind: "created", operation, path, id: identifierIn(type, properties), isCertain: state === "kept" };
    }),
    ...lasting,
  ];
}

/** Doubts that a run has created a resource, if a read contradicts that. */
export function doubtAfterRead(created: CreatedResource, reading: PlannedCall, { response }: Exchange): void {
  const { status = 0 } = response ?? {};
  if (created.state === "kept" && (status === 404 || status === 410)) created.state = "doubtful";
  const [shown] = status >= 200 && status < 300 ? resourcesShown(reading, { response }) : [];
  if (shown !== undefined) doubtCreated(created, shown.properties);
}

/** Doubts that a run has created a resource, if a response shows another identifier or other values than the request. */
function doubtCreated(created: CreatedResource, shown: Properties): void {
  const { type, properties, sent } = created;
  const isOther = identifiersOf(type).some(
    (key) => key in shown && key in properties && String(shown[key]) !== String(properties[key]),
  );
  const isDifferent = Object.entries(sent).some(([name, value]) => name in shown && !isShownAs(value, shown[name]));
  if (created.state === "kept" && (isOther || isDifferent)) created.state = "doubtful";
}

/** The resources with an identifier in a response. */
function resourcesShown(
  { operation, resource, server }: PlannedCall,
  { response }: Pick<Exchange, "response">,
): readonly SeenResource[] {
  if (resource === undefined || resource.effect === "delete" || response === undefined) return [];
  const { type, view } = resource;
  if (resource.effect === "create" && !isShownBy(operation, response.status)) return [];
  const value = parseExactJson(Buffer.from(response.body ?? []).toString());
  // In a body without a description, the objects with an identifier.
  const shown =
    view === undefined
      ? [value, ...membersOf(value).map(([, member]) => member)].filter(isObject)
      : resourcesIn(value, view);
  return shown
    .filter((properties) => identifierIn(type, properties) !== undefined)
    .map((properties) => ({ type, server, properties }));
}

/** Checks whether the contract describes the resource in a response of the operation that creates it. A 202 describes work. */
function isShownBy(operation: Operation, status: number): boolean {
  const content = jsonContent(responseOf(operation.responses, status)?.content);
  return status !== 202 && content !== undefined && equalJson(content.schema, successContent(operation)?.schema);
}

/** Checks whether a status says that a resource was created: a 201, or a 200 if no other success is listed. */
function isCreation(operation: Operation, status: number): boolean {
  const [listed, ...others] = successResponses(operation).map((response) => response.status.toUpperCase());
  return status === 201 || (status === 200 && others.length === 0 && (listed === "200" || listed === "2XX"));
}

/** Checks whether two resources have the same value of an identifying property. */
function shareIdentifier(type: ResourceType, one: Properties, other: Properties): boolean {
  return identifiersOf(type).some((key) => key in one && key in other && String(one[key]) === String(other[key]));
}

/** The value of the first property that identifies a resource. `undefined` if it has none. */
export function identifierIn(type: ResourceType, properties: Properties): unknown {
  const name = identifiersOf(type).find((key) => key in properties);
  return name === undefined ? undefined : properties[name];
}
