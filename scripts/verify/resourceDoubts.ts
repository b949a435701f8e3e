import type { Properties, ResourceType, View } from "../contract/resources.ts";
import { escapeControls } from "../values/text.ts";
import { getOrCreate } from "../values/collections.ts";
import { hideCredentials } from "../exchange/exchange.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import { maskAndCut, type Secrets } from "../exchange/secrets.ts";
import { applicableSchemas } from "../spec/schemas.ts";
import { isSegment } from "../spec/pathTemplate.ts";
import {
  expectedAfter,
  idsOf,
  isShownAs,
  sentNames,
  shownIn,
  type Doubt,
  type Expected,
  type ResourceExchange,
  type Source,
} from "./expectations.ts";
import { createNeighborCheck } from "./neighbors.ts";
import type { Observation } from "../exchange/observation.ts";
import { describeReceived, describeValue } from "../exchange/describeValue.ts";

function doubt({ operation, exchange }: Source, code: Doubt["code"], message: string, received: string): Doubt {
  return { operation, exchange, code, message, received };
}

/** Facts about a resource from earlier exchanges. */
interface KnownResource {
  properties: Properties;
  /** The expected properties in a later read. */
  expected: Map<string, Expected & { readonly source: Source; isSeen: boolean }>;
  /** The last operation that wrote it. */
  writer: Source | undefined;
  /** True if it was readable after that, or if that was an action, which may hide it. */
  isReadable: boolean;
  /** The operation that deleted it. */
  deleter: Source | undefined;
}

/** The resources of one type, by each of their identifiers. */
type KnownResources = Map<ResourceType, Map<string, KnownResource>>;

/**
 * Makes a function that compares responses with their requests, and with responses to earlier requests. `isComplete`:
 * nobody else changes the resources. Otherwise each exchange is judged separately.
 */
export function createResourceCheck(generation: string, isComplete: boolean, secrets: Secrets) {
  const resources: KnownResources = new Map();
  const doubtNeighbors = isComplete ? createNeighborCheck() : () => [];
  return (seen: ResourceExchange): readonly Observation[] =>
    [...doubtsAbout(isComplete ? resources : new Map(), seen), ...doubtNeighbors(seen)].map(
      ({ operation, exchange, code, message, received }) => {
        // Names alone may mask only a part of a credential.
        const safe = hideCredentials(exchange, secrets)(received);
        return {
          ...{ kind: "doubt", generation, operation: operation.name, place: pointerTo(operation), code },
          direction: "response",
          ...{ message: escapeControls(message), received: escapeControls(maskAndCut(safe, 300)), exchange },
        };
      },
    );
}

function doubtsAbout(known: KnownResources, seen: ResourceExchange): readonly Doubt[] {
  const { effect } = seen.resource;
  const { status = 0 } = seen.exchange.response ?? {};
  if (status < 200 || status >= 300) return effect === "read" ? doubtAbsence(known, seen, status) : [];
  if (effect === "delete") return keepDeletion(known, seen);
  const other = doubtIdentity(seen);
  if (other.length > 0) return other;
  if (effect === "create" && status === 201 && isKnown(known, seen))
    return [doubt(seen, "other-resource", "a created resource has an identifier of its own", "that of an earlier one")];
  return effect === "create" || effect === "update" ? doubtWrite(known, seen) : doubtRead(known, seen);
}

/** Returns whether an earlier response showed a resource with all identifiers of a response, and nothing deleted it. */
function isKnown(resources: KnownResources, seen: ResourceExchange): boolean {
  const { type } = seen.resource;
  const [shown = {}] = shownIn(seen);
  const ids = idsOf(type, shown, seen.path);
  const known = ids.map((id) => resources.get(type)?.get(id));
  return ids.length > 0 && known.every((one) => one !== undefined && one.deleter === undefined);
}

/** A written resource that can't be read, unless something later may have hidden it. */
function doubtAbsence(resources: KnownResources, seen: ResourceExchange, status: number): readonly Doubt[] {
  const known = resourceAt(resources, seen);
  if (known?.writer === undefined || known.isReadable || known.deleter !== undefined) return [];
  if (status !== 404 && status !== 410) return [];
  const { writer } = known;
  known.writer = undefined;
  return [doubt(writer, "lost", "a written resource can be read", `${status} for ${seen.exchange.method}`)];
}

/** The response must show the resource that the path identifies. */
function doubtIdentity(seen: ResourceExchange): readonly Doubt[] {
  const { resource, path } = seen;
  const { key, effect } = resource;
  const [shown] = shownIn(seen);
  if (key === undefined || shown === undefined || (effect !== "read" && effect !== "update")) return [];
  const [sent, id] = [path[key.parameter], shown[key.property]];
  if (!isSegment(id) || sent === undefined || String(id) === sent) return [];
  const received = `${describeValue({ value: id, path: key.property })} for ${sent}`;
  return [doubt(seen, "other-resource", `the response shows the resource of ${key.parameter}`, received)];
}

function doubtWrite(resources: KnownResources, seen: ResourceExchange): readonly Doubt[] {
  const { operation, exchange, resource } = seen;
  const writer = { operation, exchange };
  const before = resourceAt(resources, seen, operation.resource.copies ?? resource.key?.parameter);
  const [shown] = shownIn(seen);
  const doubts: Doubt[] = [];
  const expected = new Map(resource.effect === "update" ? before?.expected : []);
  for (const name of sentNames(seen)) expected.delete(name);
  for (const [name, one] of expectedAfter(seen, before?.properties)) {
    if (shown !== undefined && !isAsExpected(one, name, shown, resource.view)) {
      expected.delete(name);
      doubts.push(doubt(writer, one.code, one.rule, compare(seen, name, shown[name], one.value)));
    } else if (!isShownAs(expected.get(name)?.value, one.value)) {
      expected.set(name, { ...one, source: writer, isSeen: false });
    }
  }
  const properties = { ...(resource.effect === "update" && before?.properties), ...shown };
  const isReadable = resource.effect === "update" && operation.method === "post";
  const known = { properties, expected, writer, isReadable, deleter: undefined };
  if (resource.effect === "update" && before !== undefined) Object.assign(before, known);
  else keepResource(resources, seen, properties, known);
  return doubts;
}

/** Reads must show the written values, and no deleted resource. */
function doubtRead(resources: KnownResources, seen: ResourceExchange): readonly Doubt[] {
  const { operation, resource, path } = seen;
  return shownIn(seen).flatMap((shown) => {
    const known = idsOf(resource.type, shown, path)
      .map((id) => resources.get(resource.type)?.get(id))
      .find((one) => one !== undefined);
    if (known === undefined) {
      const none = { writer: undefined, deleter: undefined };
      const fresh = { properties: shown, expected: new Map(), isReadable: true, ...none };
      keepResource(resources, seen, shown, fresh);
      return [];
    }
    const { deleter } = known;
    if (deleter !== undefined)
      return [doubt(deleter, "deleted", "a deleted resource can't be read", `a later ${operation.name} shows it`)];
    const renewed = (resource.view?.renews ?? [])
      .filter((name) => name in shown && shown[name] === known.properties[name])
      .map((name) => doubt(seen, "renewed", `/${name} is new in each read`, "the same value"));
    const doubts = doubtLaterRead(known, shown, seen);
    known.properties = { ...known.properties, ...shown };
    known.isReadable = true;
    return [...renewed, ...doubts];
  });
}

function doubtLaterRead(known: KnownResource, shown: Properties, seen: ResourceExchange): readonly Doubt[] {
  const { view } = seen.resource;
  return [...known.expected].flatMap(([name, one]) => {
    if (isAsExpected(one, name, shown, view)) {
      one.isSeen ||= name in shown;
      return [];
    }
    known.expected.delete(name);
    // A value that was read before was stored, so a later operation has changed it.
    const source = one.isSeen ? (known.writer ?? one.source) : one.source;
    const isKept = one.isSeen && source !== one.source;
    const code = isKept ? "kept" : one.code;
    const rule = isKept ? `/${name} wasn't in the request, and stays the same` : one.rule;
    return [doubt(source, code, `${rule}, also in later reads`, compare(seen, name, shown[name], one.value))];
  });
}

function isAsExpected({ value, isShown }: Expected, name: string, shown: Properties, view: View | undefined): boolean {
  if (name in shown) return isShownAs(value, shown[name]);
  return !isShown || value === null || view?.names.has(name) !== true;
}

function compare({ operation, resource }: ResourceExchange, name: string, shown: unknown, expected: unknown): string {
  const { document } = operation;
  const schema = resource.view?.schemas.get(resource.view.names.get(name) ?? name);
  const schemas = schema === undefined ? [] : applicableSchemas(document, schema);
  const [came, right] = [shown, expected].map((value) =>
    value === undefined ? "nothing" : describeReceived(document, { value, path: `/${name}`, schemas }),
  );
  return came === right ? `a different value than ${right}` : `${came} instead of ${right}`;
}

function keepDeletion(resources: KnownResources, seen: ResourceExchange): readonly Doubt[] {
  const known = resourceAt(resources, seen);
  if (known !== undefined) known.deleter = { operation: seen.operation, exchange: seen.exchange };
  return [];
}

/** Known facts about the resource that a path parameter identifies, by default the operation's own. */
function resourceAt(
  resources: KnownResources,
  { resource, path }: ResourceExchange,
  parameter = resource.key?.parameter,
): KnownResource | undefined {
  const ancestor = resource.ancestors.find(({ key }) => key.parameter === parameter);
  const key = resource.key?.parameter === parameter ? resource.key : ancestor?.key;
  if (key === undefined) return undefined;
  const [id] = idsOf(resource.type, { [key.property]: path[key.parameter] }, path);
  return id === undefined ? undefined : resources.get(resource.type)?.get(id);
}

function keepResource(resources: KnownResources, seen: ResourceExchange, shown: Properties, known: KnownResource) {
  const { type } = seen.resource;
  const ofType = getOrCreate(resources, type, () => new Map<string, KnownResource>());
  for (const id of idsOf(type, shown, seen.path)) ofType.set(id, known);
}
