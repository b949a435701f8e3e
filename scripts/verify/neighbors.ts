import type { Properties, ResourceType } from "../contract/resources.ts";
import { getOrCreate } from "../values/collections.ts";
import {
  idsOf,
  isShownAs,
  sentProperties,
  shownIn,
  type Doubt,
  type ResourceExchange,
  type Source,
} from "./expectations.ts";

/** What is known of the resources of one type. */
interface KnownType {
  /** The resources that the run hasn't written, by each of their identifiers. */
  readonly neighbors: Map<string, Properties>;
  /** The identifiers of those that it has written. */
  readonly written: Set<string>;
  readonly writes: (Source & { readonly sent: ReadonlyMap<string, unknown> })[];
  deletion: Source | undefined;
  /** The addresses of the lists that showed neighbors. */
  readonly lists: Set<string>;
}

/**
 * Makes a function that doubts a change of one resource after which others have its values, or are gone. Nobody else may
 * change them in the meantime.
 */
export function createNeighborCheck(): (seen: ResourceExchange) => readonly Doubt[] {
  const types = new Map<ResourceType, KnownType>();
  return (seen) => {
    const { resource, exchange } = seen;
    const { status = 0 } = exchange.response ?? {};
    if (status < 200 || status >= 300) return [];
    const known = getOrCreate(types, resource.type, nothingKnown);
    if (resource.effect === "read" || resource.effect === "list") return doubtShown(known, seen);
    keepWrite(known, seen);
    return [];
  };
}

function nothingKnown(): KnownType {
  return { neighbors: new Map(), written: new Set(), writes: [], deletion: undefined, lists: new Set() };
}

function keepWrite(known: KnownType, seen: ResourceExchange): void {
  const { operation, exchange, resource, path } = seen;
  const { type, key, effect } = resource;
  const shown = effect === "create" ? shownIn(seen) : [];
  const named = key === undefined ? [] : [{ [key.property]: path[key.parameter] }];
  for (const id of [...shown, ...named].flatMap((one) => idsOf(type, one, path))) known.written.add(id);
  if (effect === "delete") known.deletion = { operation, exchange };
  else known.writes.push({ operation, exchange, sent: sentProperties(seen) });
}

function doubtShown(known: KnownType, seen: ResourceExchange): readonly Doubt[] {
  const { operation, resource, exchange, path } = seen;
  const { neighbors, written, lists, deletion } = known;
  const shown = shownIn(seen);
  if (shown.length === 0 && deletion !== undefined && lists.delete(exchange.url)) {
    const message = "a deletion leaves the other resources";
    return [{ ...deletion, code: "neighbors", message, received: `a later ${operation.name} shows none` }];
  }
  return shown.flatMap((properties) => {
    const ids = idsOf(resource.type, properties, path);
    if (ids.length === 0 || ids.some((id) => written.has(id))) return [];
    if (resource.effect === "list") lists.add(exchange.url);
    const before = ids.map((id) => neighbors.get(id)).find((one) => one !== undefined);
    for (const id of ids) neighbors.set(id, properties);
    return before === undefined ? [] : doubtChanges(known, before, properties);
  });
}

/** Doubts the last write of a value that another resource suddenly has. */
function doubtChanges({ writes }: KnownType, before: Properties, now: Properties): readonly Doubt[] {
  const changed = Object.entries(now).filter(([name, value]) => name in before && !isShownAs(before[name], value));
  return changed.flatMap(([name, value]): readonly Doubt[] => {
    const write = writes.findLast(({ sent }) => sent.has(name) && isShownAs(sent.get(name), value));
    if (write === undefined) return [];
    const { operation, exchange } = write;
    const message = "a write leaves the other resources as they are";
    return [
      { operation, exchange, code: "neighbors", message, received: `/${name} of another one has the value, too` },
    ];
  });
}
