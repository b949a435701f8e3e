/**
 * The effect of each operation on a resource. It is derived from method, path and schemas, and from
 * `x-resource` where these are ambiguous.
 */
import { jsonContent, successResponses, type Generation, type MediaType, type Operation } from "./generation.ts";
import { objectsOf, valueAt } from "../values/json.ts";
import { fillTemplate, pathParameters } from "../spec/pathTemplate.ts";
import { propertySchemas } from "../spec/schemas.ts";
import { readSchemaExtension, type Effect } from "./resourceExtension.ts";
import { findShownList, findShownResource, isListSchema, keyNames, type FoundResource } from "./foundResource.ts";
import { groupBy } from "../values/collections.ts";

/** A kind of resource: bookings, for example. */
export interface ResourceType {
  readonly name: string;
  /** The properties that each identify a resource. Empty if there is only one in its scope. */
  readonly keys: readonly string[];
  /** The path parameters that all paths to the resource share. Identifiers are unique within their values. */
  readonly scope: readonly string[];
  /** All other path parameters on paths to the resource. */
  readonly parameters: ReadonlySet<string>;
  /** How responses show it. */
  readonly views: readonly View[];
  /** The properties that at least one response shows. */
  readonly properties: ReadonlySet<string>;
  /** Pairs of times: an end, and the start that it follows when the start moves. */
  readonly moves: Readonly<Record<string, string>>;
  /** True if another operation can find a created resource. */
  readonly isFound: boolean;
  /** The operations that read one resource by an identifier at the end of their path. */
  readonly reads: readonly ReadOperation[];
  /** The resources in the examples of responses. */
  readonly examples: () => readonly ResourceExample[];
}

/** An operation that reads a resource, and the identifier in its path. */
export interface ReadOperation {
  readonly operation: Operation;
  readonly key: KeyParameter;
}

/** A resource in an example of an operation's response. */
export interface ResourceExample {
  readonly operation: Operation;
  readonly properties: Properties;
}

/** Types of resources by their names. */
export type ResourceTypes = ReadonlyMap<string, ResourceType>;

/** Values by the stored names of properties. */
export type Properties = Readonly<Record<string, unknown>>;

export interface ResourceOperation {
  readonly type: ResourceType;
  readonly effect: Effect;
  /**
   * The parameter that identifies the resource in the path. `undefined` if there is none, for example when a
   * resource is created.
   */
  readonly key: KeyParameter | undefined;
  /** The resources along the path, including the operation's own. */
  readonly ancestors: readonly Ancestor[];
  /** The resource or the list in a successful response. `undefined` if the contract doesn't say. */
  readonly view: View | undefined;
}

/** A path parameter that identifies a resource, and the property with its value. */
export interface KeyParameter {
  readonly parameter: string;
  readonly property: string;
}

type Ancestor = Pick<ResourceOperation, "type"> & { readonly key: KeyParameter };

/** The place and the properties of a resource in a body, or of each resource in a list. */
export interface View extends FoundResource {
  /** Stored names of properties, by their names in the body. */
  readonly properties: ReadonlyMap<string, string>;
  /** Names in the body, by stored name. */
  readonly names: ReadonlyMap<string, string>;
  /** The stored properties that appear as path parameters. */
  readonly identifiers: ReadonlySet<string>;
  /** Properties that get a new value on each read. */
  readonly renews: readonly string[];
}

/** The facts about an operation that follow from its path and method. */
interface Draft {
  /** The name of its generation. */
  readonly generation: string;
  readonly operation: Operation;
  readonly effect: Effect;
  /** The path of the surrounding collection, or else the resource's own. */
  readonly collection: string;
  /** The path parameter that identifies the resource. */
  readonly parameter: string | undefined;
}

/**
 * A draft with facts from schemas. Operations that share a collection, a given name or a component have the
 * same type.
 */
interface Located extends Draft {
  readonly found: FoundResource | undefined;
  /** The resource's name in `x-resource`. */
  readonly givenName: string | undefined;
  /** The resource's schema, if it is a component and has an identifier. */
  readonly component: string | undefined;
}

/** Returns whether a PUT creates missing resources, by its 201 or 204 (RFC 9110, section 9.3.4). */
export function createsByPut({ method, responses }: Operation): boolean {
  return method === "put" && responses.some(({ status }) => status === "201" || status === "204");
}

/** What tells whether a POST creates a resource. */
interface PostFacts {
  readonly path: string;
  /** All paths of its generation. */
  readonly paths: Iterable<string>;
  readonly statuses: readonly string[];
  /** Whether its success, or that of the GET of its path, has a list. */
  readonly isListed: boolean;
}

/** Returns whether a POST creates a resource. Otherwise, its effect doesn't follow from the rest of the contract. */
export function createsByPost({ path, paths, statuses, isListed }: PostFacts): boolean {
  if (itemPath(path) !== undefined) return false;
  return isListed || statuses.includes("201") || isCollectionOf(path, paths);
}

/** Returns whether one of some paths is that of a resource in a collection. */
function isCollectionOf(path: string, paths: Iterable<string>): boolean {
  return [...paths].some((other) => itemPath(other)?.collection === path);
}

/** Reads the effects of operations on resources. Operations without a known effect are left out. */
export function readResources(generations: readonly Generation[]): ReadonlyMap<Operation, ResourceOperation> {
  const located = generations.flatMap(({ name, operations }) => locateAll(draftAll(name, operations)));
  const namesOf = (draft: Located) => [collectionOf(draft), draft.givenName ?? [], draft.component ?? []].flat();
  const united = unite(located.map(namesOf));
  const groups = groupBy(located, (draft) => united.get(collectionOf(draft)));
  const typed = [...groups.values()].flatMap((drafts) => {
    const keys = readKeys(drafts);
    const views = new Map(drafts.map((draft) => [draft, viewOf(draft, keys)]));
    const type = readType(drafts, keys, views);
    return drafts.map((draft) => {
      const { parameter } = draft;
      const key = parameter === undefined ? undefined : { parameter, property: keys.get(parameter) ?? parameter };
      return { draft, type, key, view: views.get(draft) };
    });
  });
  const items = new Map(
    typed.flatMap(({ draft: { generation, collection }, type, key }) =>
      key === undefined ? [] : [[`${generation} ${shapeOf(`${collection}/{}`)}`, { type, key }] as const],
    ),
  );
  return new Map(
    typed.map(({ draft: { generation, operation, effect }, type, key, view }) => {
      const ancestors = readAncestors(operation.path, (path) => items.get(`${generation} ${shapeOf(path)}`));
      return [operation, { type, effect, key, view, ancestors }];
    }),
  );
}

/** Derives the effect of an operation from its method and path. Returns `undefined` if they are ambiguous. */
function deriveEffect(operation: Operation, siblings: readonly Operation[]): Effect | undefined {
  const { path, method, responses } = operation;
  const isItem = itemPath(path) !== undefined;
  const isList = returnsList(operation);
  const paths = siblings.map((other) => other.path);
  const isCollection = isList || isCollectionOf(path, paths);
  const here = siblings.filter((other) => other.path === path);
  switch (method) {
    case "get":
      if (isList) return "list";
      return isItem || (!isCollection && here.some((other) => other.method === "patch" || other.method === "put"))
        ? "read"
        : undefined;
    case "patch":
    case "put":
      return isCollection ? undefined : "update";
    case "delete":
      return isItem ? "delete" : undefined;
    case "post": {
      const isListed = isList || here.some((other) => other.method === "get" && returnsList(other));
      const statuses = responses.map(({ status }) => status);
      return createsByPost({ path, paths, statuses, isListed }) ? "create" : undefined;
    }
    default:
      return undefined;
  }
}

function draftAll(generation: string, operations: readonly Operation[]): readonly Draft[] {
  const families = groupBy(operations, familyOf);
  return operations.flatMap((operation) => {
    const effect = operation.resource.effect ?? deriveEffect(operation, families.get(familyOf(operation)) ?? []);
    if (effect === undefined || effect === "none") return [];
    return [{ generation, operation, effect, ...placeOf(operation, effect) }];
  });
}

/** What the paths of a collection and of its resources have in common: the path of the collection. */
export function familyOf({ path }: Operation): string {
  return itemPath(path)?.collection ?? path;
}

/**
 * The path of the collection that contains a resource, or else its own path, and the path parameter that
 * identifies it.
 */
function placeOf({ path, resource }: Operation, effect: Effect): Pick<Draft, "collection" | "parameter"> {
  if (effect === "list" || effect === "create") {
    const [collection = path, ...rest] = path.split(`/{${resource.copies ?? ""}}`);
    return { collection, parameter: rest.length > 0 ? resource.copies : undefined };
  }
  // The path may continue after the identifier: `/teams/{teamId}/archive`.
  const upToLast = path.slice(0, path.lastIndexOf("}") + 1);
  const item = itemPath(path) ?? (resource.effect === undefined ? undefined : itemPath(upToLast));
  return { collection: item?.collection ?? path, parameter: item?.parameter };
}

function locateAll(drafts: readonly Draft[]): readonly Located[] {
  const byCollection = groupBy(drafts, ({ collection }) => collection);
  return drafts.map((draft) => {
    const { generation, operation, collection } = draft;
    const siblings = byCollection.get(collection) ?? [];
    const found = locate(draft, [...new Set(siblings.flatMap(({ parameter }) => parameter ?? []))]);
    const isNamed = found?.component !== undefined && found.key !== undefined;
    return {
      ...draft,
      found,
      givenName: operation.resource.name ?? (found && readSchemaExtension(found.schema).name),
      component: isNamed ? `${generation} ${found.component}` : undefined,
    };
  });
}

function collectionOf({ generation, collection }: Draft): string {
  return `${generation} ${collection}`;
}

/** The resource or the list in the body of an operation's success. */
function locate({ operation, effect }: Draft, parameters: readonly string[]): FoundResource | undefined {
  const { document, requestBody } = operation;
  const schema = successContent(operation)?.schema;
  if (schema === undefined) return undefined;
  if (effect === "list") return findShownList(document, schema, parameters);
  const sent = propertySchemas(document, jsonContent(requestBody?.content)?.schema ?? {});
  return findShownResource(document, schema, parameters, sent);
}

function returnsList(operation: Operation): boolean {
  const schema = successContent(operation)?.schema;
  return schema !== undefined && isListSchema(operation.document, schema);
}

/** The stored name for each path parameter that identifies a resource of a type. */
function readKeys(drafts: readonly Located[]): ReadonlyMap<string, string> {
  const parameters = new Set(drafts.flatMap(({ parameter }) => parameter ?? []));
  const ranked = drafts.toSorted((a, b) => Number(a.effect === "create") - Number(b.effect === "create"));
  return new Map(
    Array.from(parameters, (parameter) => {
      const names = keyNames(parameter);
      const found = ranked.map((draft) => draft.found).find((one) => names.some((name) => one?.scalars.has(name)));
      const property = names.find((name) => found?.scalars.has(name)) ?? names[1] ?? parameter;
      return [parameter, (found && readSchemaExtension(found.schema).properties.get(property)) ?? property];
    }),
  );
}

function viewOf({ found }: Located, keys: ReadonlyMap<string, string>): View | undefined {
  if (found === undefined || found.schemas.size === 0) return undefined;
  const { properties, renews } = readSchemaExtension(found.schema);
  // The path may have another name for the identifier: `clientId` for `id`.
  const renamed = [...keys].filter(([parameter, property]) => parameter === found.key && !found.schemas.has(property));
  const names = new Map([...renamed, ...properties]);
  const stored = Array.from(found.schemas.keys(), (name) => [name, names.get(name) ?? name] as const);
  return {
    ...found,
    properties: new Map(stored),
    names: new Map(stored.map(([name, other]) => [other, name])),
    identifiers: new Set(keys.values()),
    renews,
  };
}

function readType(
  drafts: readonly Located[],
  keys: ReadonlyMap<string, string>,
  views: ReadonlyMap<Located, View | undefined>,
): ResourceType {
  const items = drafts.filter(({ parameter }) => parameter !== undefined);
  const shown = [...views.values()].filter((view) => view !== undefined);
  const properties = shown.flatMap((view) => [...view.properties.values()]);
  const moves = drafts.flatMap(({ operation }) => Object.entries(operation.resource.moves));
  let examples: readonly ResourceExample[] | undefined;
  return {
    name: nameOf(drafts),
    keys: items.length > 0 ? [...new Set(keys.values())] : shownKeys(drafts),
    scope: scopeOf(items.length > 0 ? items : drafts),
    parameters: otherParameters(drafts),
    views: shown,
    properties: new Set(properties),
    moves: Object.fromEntries(moves),
    isFound: drafts.some(({ effect, parameter }) => effect !== "create" || parameter !== undefined),
    reads: drafts.flatMap(({ operation, effect, parameter }) => {
      if (effect !== "read" || parameter === undefined || itemPath(operation.path) === undefined) return [];
      return [{ operation, key: { parameter, property: keys.get(parameter) ?? parameter } }];
    }),
    examples: () => (examples ??= listExamples(views)),
  };
}

/** The identifiers in responses of resources without a path of their own. */
function shownKeys(drafts: readonly Located[]): readonly string[] {
  const isCollection = drafts.some(({ effect }) => effect === "list" || effect === "create");
  return isCollection ? [...new Set(drafts.flatMap(({ found }) => found?.key ?? []))] : [];
}

/** The path parameters that all collections share. */
function scopeOf(drafts: readonly Located[]): readonly string[] {
  const scopes = drafts.map(({ collection }) => pathParameters(collection));
  const [first = []] = scopes;
  return first.filter((name) => scopes.every((scope) => scope.includes(name)));
}

/** The path parameters of operations, except those that identify the resource. */
function otherParameters(drafts: readonly Located[]): ReadonlySet<string> {
  const others = new Set<string>();
  for (const { operation, parameter } of drafts) {
    for (const name of pathParameters(operation.path)) if (name !== parameter) others.add(name);
  }
  return others;
}

function listExamples(views: ReadonlyMap<Located, View | undefined>): readonly ResourceExample[] {
  return [...views].flatMap(([{ operation }, view]) => {
    if (view === undefined) return [];
    const bodies = (successContent(operation)?.examples ?? []).map(({ value }) => value);
    const shown = bodies.flatMap((body) => resourcesIn(body, view));
    return shown.map((properties) => ({ operation, properties }));
  });
}

/** The resources in a body, with the stored names of their properties. */
export function resourcesIn(body: unknown, { location, isList, properties }: View): readonly Properties[] {
  const shown = valueAt(body, location);
  const resources = isList && Array.isArray(shown) ? objectsOf(shown) : objectsOf([shown]);
  return resources.map((resource) => {
    const stored = Object.entries(resource).map(([name, value]) => [properties.get(name) ?? name, value] as const);
    return Object.fromEntries(stored);
  });
}

function nameOf(drafts: readonly Located[]): string {
  const [given] = drafts.flatMap(({ givenName }) => givenName ?? []);
  const [component] = drafts
    .toSorted((a, b) => (b.found?.schemas.size ?? 0) - (a.found?.schemas.size ?? 0))
    .flatMap((draft) => draft.component ?? []);
  return given ?? component ?? drafts.map(collectionOf)[0] ?? "";
}

function readAncestors(path: string, itemAt: (path: string) => Ancestor | undefined): readonly Ancestor[] {
  const segments = path.split("/");
  return segments.flatMap((segment, index) => {
    const [parameter] = pathParameters(segment);
    const item = itemAt(segments.slice(0, index + 1).join("/"));
    return parameter && item ? [{ type: item.type, key: { parameter, property: item.key.property } }] : [];
  });
}

/** Groups equivalent names: those that share a list, directly or through other lists. */
export function unite(lists: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const united = new Map<string, ReadonlySet<string>>();
  for (const list of lists) {
    const all = new Set(list.flatMap((name) => [name, ...(united.get(name) ?? [])]));
    for (const name of all) united.set(name, all);
  }
  return united;
}

/** The JSON content of an operation's success. */
export function successContent(operation: Operation): MediaType | undefined {
  return jsonContent(successResponses(operation)[0]?.content);
}

/** The collection and the identifier in the path of a resource: `/teams/{teamId}`. */
function itemPath(path: string): { readonly collection: string; readonly parameter: string } | undefined {
  const end = path.lastIndexOf("/");
  const [parameter, ...others] = pathParameters(path.slice(end));
  if (parameter === undefined || others.length > 0) return undefined;
  return { collection: path.slice(0, end), parameter };
}

/** A path without the names of its parameters. */
function shapeOf(path: string): string {
  return fillTemplate(path, () => "{}");
}
