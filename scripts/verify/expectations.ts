import type { Operation } from "../contract/generation.ts";
import { readExpression } from "../contract/resourceExtension.ts";
import type { Properties, ResourceOperation } from "../contract/resources.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { equalJson, isObject, membersOf, pointerKeys, valueAt } from "../spec/json.ts";
import { readDateTime } from "../spec/dateTimes.ts";

/** An exchange with an operation on a resource. */
export interface ResourceExchange {
  readonly operation: Operation;
  readonly resource: ResourceOperation;
  readonly exchange: Exchange;
  /** The values of the path's parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** With names in lower case. */
  readonly requestFields: Readonly<Record<string, string>>;
  /** The JSON that was sent; `undefined` if there was none. */
  readonly body: unknown;
  /** The JSON that came; `undefined` if there was none. */
  readonly value: unknown;
}

/** What a property should be after a request. */
export interface Expected {
  readonly value: unknown;
  /** Why: `/name is what was sent`. */
  readonly rule: string;
  /** False if a response may leave it out. */
  readonly isShown: boolean;
}

/**
 * What the properties of a resource should be after a request that created or updated it, by the names under which they
 * are stored. `before`: what is known of it, or of what it is a copy of.
 */
export function expectedAfter(seen: ResourceExchange, before: Properties | undefined): ReadonlyMap<string, Expected> {
  const { operation, resource } = seen;
  const sent = sentProperties(seen);
  const found = new Map<string, Expected>();
  for (const [name, value] of sent) found.set(name, { value, rule: `/${name} is what was sent`, isShown: true });
  for (const [name, source] of Object.entries(operation.resource.set)) {
    const value = evaluate(source, seen);
    if (value !== undefined) found.set(name, { value, rule: `/${name} is what x-resource sets`, isShown: false });
  }
  for (const [name, leader] of Object.entries(operation.resource.moves)) {
    const value = found.has(name) ? undefined : movedTime(before, name, leader, sent.get(leader));
    if (value !== undefined) found.set(name, { value, rule: `/${name} moves along with /${leader}`, isShown: false });
  }
  const isCopy = operation.resource.copies !== undefined;
  // PUT replaces the whole.
  const isPart = resource.effect === "update" && operation.method !== "put";
  if (!isCopy && !isPart) return found;
  const rule = isCopy ? "is copied" : "was not sent, and is as before";
  for (const [name, value] of Object.entries(before ?? {})) {
    const moves = Object.entries(operation.resource.moves).flat();
    if (found.has(name) || moves.includes(name) || Object.hasOwn(operation.resource.set, name)) continue;
    if (isKept(seen, name, value)) found.set(name, { value, rule: `/${name} ${rule}`, isShown: false });
  }
  return found;
}

/** Tells whether a property stays as it is: identifiers of copies, times, and what services count do not. */
function isKept({ resource }: ResourceExchange, name: string, value: unknown): boolean {
  const { type, view } = resource;
  if (view?.renews.includes(name) === true) return false;
  if (resource.effect === "create" && (type.keys.includes(name) || /(?:id|uid)$/i.test(name))) return false;
  const isText = typeof value === "string" && readDateTime(value) === undefined;
  return isText || typeof value === "boolean" || Array.isArray(value);
}

/** What a request sends of a resource, by the names under which it is stored. */
function sentProperties({ resource, body }: ResourceExchange): ReadonlyMap<string, unknown> {
  const { type, view } = resource;
  const sent = membersOf(body).map(([name, value]) => [view?.properties.get(name) ?? name, value] as const);
  const isWritable = (name: string) => {
    const schema = view?.schemas.get(view.names.get(name) ?? name);
    return type.properties.has(name) && schema?.readOnly !== true && schema?.writeOnly !== true;
  };
  return new Map(sent.filter(([name]) => isWritable(name)));
}

/** The value of an entry of `set`; `undefined` if the request does not have it. */
function evaluate(source: unknown, { path, query, requestFields, body }: ResourceExchange): unknown {
  const part = readExpression(source);
  if (part === undefined) return source;
  if (part.in === "body") return valueAt(body, pointerKeys(part.pointer));
  if (part.in === "header") return requestFields[part.name.toLowerCase()];
  return part.in === "path" ? path[part.name] : query[part.name];
}

/** A time that moved by as much as another one did; `undefined` if not all of them are known. */
function movedTime(before: Properties | undefined, name: string, leader: string, moved: unknown): string | undefined {
  const [time, from, to] = [before?.[name], before?.[leader], moved].map((text) =>
    typeof text === "string" ? readDateTime(text) : undefined,
  );
  if (time === undefined || from === undefined || to === undefined) return undefined;
  return new Date(time + to - from).toISOString();
}

/** Tells whether a server shows a value: it may write times in another time zone, and add members to objects. */
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
