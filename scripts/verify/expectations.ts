import type { Operation } from "../contract/generation.ts";
import { evaluateSource } from "../contract/resourceExtension.ts";
import { resourcesIn, type Properties, type ResourceOperation, type ResourceType } from "../contract/resources.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { isSegment } from "../spec/pathTemplate.ts";
import { equalJson, isObject, membersOf } from "../values/json.ts";
import { readDateTime } from "../values/dateTimes.ts";

/** An exchange with an operation on a resource. */
export interface ResourceExchange {
  readonly operation: Operation;
  readonly resource: ResourceOperation;
  readonly exchange: Exchange;
  /** The values of path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Headers, with names in lower case. */
  readonly requestFields: Readonly<Record<string, string>>;
  /** The JSON in the request. `undefined` without any. */
  readonly body: unknown;
  /** The JSON in the response. `undefined` without any. */
  readonly value: unknown;
}

/** Behavior that the contract allows, but that testers would question. */
export interface Doubt {
  /** The operation that caused it, possibly an earlier one. */
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly code: Expected["code"] | "deleted" | "lost" | "neighbors" | "other-resource" | "renewed";
  readonly message: string;
  readonly received: string;
}

/** An operation, and its exchange. */
export type Source = Pick<Doubt, "exchange" | "operation">;

/** The resources in a response. */
export function shownIn({ resource: { view }, value }: ResourceExchange): readonly Properties[] {
  return view === undefined || value === undefined ? [] : resourcesIn(value, view);
}

/** The properties that may identify a resource. */
export function identifiersOf({ keys }: ResourceType): readonly string[] {
  return [...keys, "id"];
}

/** The identifiers of a resource and its parents. */
export function idsOf(type: ResourceType, properties: Properties, path: ResourceExchange["path"]): readonly string[] {
  const parents = type.scope.map((name) => path[name] ?? "");
  return [...new Set(identifiersOf(type))]
    .filter((name) => isSegment(properties[name]))
    .map((name) => JSON.stringify([...parents, name, String(properties[name])]));
}

/** A resource in the body of a request. */
type SentResource = Pick<ResourceExchange, "body" | "resource">;

/** The expected value of a property after a request. */
export interface Expected {
  readonly value: unknown;
  /** The reason, for programs. */
  readonly code: "as-sent" | "as-set" | "copied" | "kept" | "moved";
  /** The reason in words: `/name is the value in the request`. */
  readonly rule: string;
  /** False if a response may leave it out. */
  readonly isShown: boolean;
}

/**
 * The expected properties of a resource after a request that created or updated it, by their stored names. `before`:
 * the known properties of the resource, or of the one that was copied.
 */
export function expectedAfter(seen: ResourceExchange, before: Properties | undefined): ReadonlyMap<string, Expected> {
  const { operation, resource } = seen;
  const sent = sentProperties(seen);
  const inBody = sentNames(seen);
  const found = new Map<string, Expected>();
  for (const [name, value] of sent)
    found.set(name, { value, code: "as-sent", rule: `/${name} has the value in the request`, isShown: true });
  for (const [name, source] of Object.entries(operation.resource.set)) {
    const value = evaluateSource(source, { ...seen, headers: seen.requestFields });
    if (value !== undefined)
      found.set(name, { value, code: "as-set", rule: `/${name} has the value that x-resource sets`, isShown: false });
  }
  for (const [name, leader] of Object.entries(operation.resource.moves)) {
    const value = found.has(name) ? undefined : movedTime(before, name, leader, sent.get(leader));
    if (value !== undefined)
      found.set(name, { value, code: "moved", rule: `/${name} moves with /${leader}`, isShown: false });
  }
  const isCopy = operation.resource.copies !== undefined;
  // PUT replaces the whole resource.
  const isPart = resource.effect === "update" && operation.method !== "put";
  if (!isCopy && !isPart) return found;
  const code = isCopy ? "copied" : "kept";
  const rule = isCopy ? "is copied" : "wasn't in the request, and stays the same";
  for (const [name, value] of Object.entries(before ?? {})) {
    const moves = Object.entries(operation.resource.moves).flat();
    if (found.has(name) || inBody.has(name) || moves.includes(name) || Object.hasOwn(operation.resource.set, name))
      continue;
    if (isKept(seen, name, value)) found.set(name, { value, code, rule: `/${name} ${rule}`, isShown: false });
  }
  return found;
}

/** Checks whether a property stays the same. Identifiers of copies, times and counters may change. */
function isKept({ resource }: ResourceExchange, name: string, value: unknown): boolean {
  const { type, view } = resource;
  if (view?.renews.includes(name) === true) return false;
  if (resource.effect === "create" && (type.keys.includes(name) || name.toLowerCase().endsWith("id"))) return false;
  const isText = typeof value === "string" && readDateTime(value) === undefined;
  return isText || typeof value === "boolean" || Array.isArray(value);
}

/** The stored names of all properties in a request. The resource may lack some. */
export function sentNames(seen: ResourceExchange): ReadonlySet<string> {
  return new Set(membersOf(seen.body).map(([name]) => storedName(seen, name)));
}

/** The stored name of a property in a request. */
function storedName({ resource: { view } }: SentResource, name: string): string {
  return view?.properties.get(name) ?? name;
}

/** The properties of a resource in a request, by their stored names. */
export function sentProperties(seen: SentResource): ReadonlyMap<string, unknown> {
  const { type, view } = seen.resource;
  const sent = membersOf(seen.body).map(([name, value]) => [storedName(seen, name), value] as const);
  const isWritable = (name: string) => {
    const schema = view?.schemas.get(view.names.get(name) ?? name);
    return type.properties.has(name) && schema?.readOnly !== true && schema?.writeOnly !== true;
  };
  return new Map(sent.filter(([name]) => isWritable(name)));
}

/** A time, moved by the same duration as another one. `undefined` if a value is missing. */
function movedTime(before: Properties | undefined, name: string, leader: string, moved: unknown): string | undefined {
  const [time, from, to] = [before?.[name], before?.[leader], moved].map((text) =>
    typeof text === "string" ? readDateTime(text) : undefined,
  );
  if (time === undefined || from === undefined || to === undefined) return undefined;
  return new Date(time + to - from).toISOString();
}

/** Checks whether a response shows a value. Times may be in another time zone, and objects may have more members. */
export function isShownAs(value: unknown, shown: unknown): boolean {
  if (typeof value === "string" && typeof shown === "string") {
    const [one, other] = [readDateTime(value), readDateTime(shown)];
    return value === shown || (one !== undefined && one === other);
  }
  if (Array.isArray(value) && Array.isArray(shown))
    return value.length === shown.length && value.every((item, index) => isShownAs(item, shown[index]));
  if (isObject(value) && isObject(shown))
    return membersOf(value).every(([name, member]) => isShownAs(member, shown[name]));
  return equalJson(value, shown);
}
