/**
 * What each operation does to which resource. It follows from method, path and schemas, and where these leave it open,
 * from `x-resource`.
 */
import { jsonContent, successResponses, type Generation, type MediaType, type Operation } from "./generation.ts";
import { isObject, valueAt } from "../spec/json.ts";
import { componentName, describingSchemas, isVisible, propertySchemas, typesOf } from "../spec/schemas.ts";
import { isSchema, resolveSchema, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { readSchemaExtension, type Effect } from "./resourceExtension.ts";
import { groupBy } from "./text.ts";

/** A kind of resource: bookings, for example. */
export type ResourceType = Readonly<ReturnType<typeof readType>>;

/** Types of resources by their names. */
export type ResourceTypes = ReadonlyMap<string, ResourceType>;

/** Values by the names under which properties are stored. */
export type Properties = Readonly<Record<string, unknown>>;

export interface ResourceOperation {
  readonly type: ResourceType;
  readonly effect: Effect;
  /** The parameter by which the path names the resource; `undefined` if it does not, as when one is created. */
  readonly key: KeyParameter | undefined;
  /** The resources that the path leads through, the operation's own included. */
  readonly ancestors: readonly Ancestor[];
  /** The resource or the list in a successful response; `undefined` if the contract does not say. */
  readonly view: View | undefined;
}

/** A path parameter that identifies a resource, and the property that it is the value of. */
export interface KeyParameter {
  readonly parameter: string;
  readonly property: string;
}

type Ancestor = Pick<ResourceOperation, "type"> & { readonly key: KeyParameter };

/** The place and the properties of a resource in a body, or of each one in a list. */
export type View = Readonly<NonNullable<ReturnType<typeof viewOf>>>;

type Draft = Readonly<ReturnType<typeof draftAll>[number]>;

/** Operations that share a collection, a given name or a component are about the same type. */
type Located = Readonly<ReturnType<typeof locateAll>[number]>;

/** Tells whether a PUT creates what is not there, as its 201 or 204 says (RFC 9110, section 9.3.4). */
export function createsByPut({ method, responses }: Operation): boolean {
  return method === "put" && responses.some(({ status }) => status === "201" || status === "204");
}

/** Reads the effects of operations on resources. Operations without a known effect are not in the map. */
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

/** Tells what an operation does from its method and path; `undefined` if they leave it open. */
export function deriveEffect(operation: Operation, siblings: readonly Operation[]): Effect | undefined {
  const { path, method } = operation;
  const isItem = itemPath(path) !== undefined;
  const isList = returnsList(operation);
  const isCollection = isList || siblings.some((other) => itemPath(other.path)?.collection === path);
  const here = siblings.filter((other) => other.path === path);
  switch (method) {
    case "get":
      if (isList) return "list";
      return isItem || (!isCollection && here.some((other) => /^(?:patch|put)$/.test(other.method)))
        ? "read"
        : undefined;
    case "patch":
    case "put":
      return isCollection ? undefined : "update";
    case "delete":
      return isItem ? "delete" : undefined;
    case "post": {
      const isListed = here.some((other) => other.method === "get" && returnsList(other));
      const isCreation = isCollection || isListed || operation.responses.some(({ status }) => status === "201");
      return isCreation && !isItem ? "create" : undefined;
    }
    default:
      return undefined;
  }
}

function draftAll(generation: string, operations: readonly Operation[]) {
  const familyOf = ({ path }: Operation) => itemPath(path)?.collection ?? path;
  const families = groupBy(operations, familyOf);
  return operations.flatMap((operation) => {
    const effect = operation.resource.effect ?? deriveEffect(operation, families.get(familyOf(operation)) ?? []);
    if (effect === undefined || effect === "none") return [];
    return [{ generation, operation, effect, ...placeOf(operation, effect) }];
  });
}

/** The path of the collection that a resource is in, or else its own, and the path parameter that identifies it. */
function placeOf({ path, resource }: Operation, effect: Effect) {
  if (effect === "list" || effect === "create") {
    const [collection = path, ...rest] = path.split(`/{${resource.copies ?? ""}}`);
    return { collection, parameter: rest.length > 0 ? resource.copies : undefined };
  }
  // Behind the identifier, the path may go on: `/teams/{teamId}/archive`.
  const item = itemPath(path) ?? (resource.effect && itemPath(path.replace(/[^}]*$/, "")));
  return { collection: item?.collection ?? path, parameter: item?.parameter };
}

function locateAll(drafts: readonly Draft[]) {
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
      /** The schema that shows the resource, if it is a component and has an identifier. */
      component: isNamed ? `${generation} ${found.component}` : undefined,
    };
  });
}

function collectionOf({ generation, collection }: Draft): string {
  return `${generation} ${collection}`;
}

function locate({ operation, effect }: Draft, parameters: readonly string[]) {
  const { document } = operation;
  const schema = successContent(operation)?.schema;
  if (schema === undefined) return undefined;
  if (effect === "list") {
    const list = findList(document, schema);
    return list && describe(document, list, parameters, true);
  }
  const body = propertySchemas(document, jsonContent(operation.requestBody?.content)?.schema ?? {});
  // The object with an identifier is the resource; else that with most fields of the request, and of several the outermost.
  const candidates = nestedObjects(document, schema).map((nested) => {
    const found = describe(document, nested, parameters, false);
    const shared = [...found.schemas.keys()].filter((name) => body.has(name)).length;
    return { found, score: (found.key === undefined ? 0 : 1_000) + shared * 10 - nested.location.length };
  });
  const best = Math.max(...candidates.map(({ score }) => score));
  if (best > 0) return candidates.find(({ score }) => score === best)?.found;
  // Neither identifier nor fields of the request: an envelope has one member that is an object with fields.
  const inner = candidates.filter(({ found }) => found.location.length === 1);
  return (inner.length === 1 ? inner : candidates)[0]?.found;
}

function describe(
  document: OpenApiDocument,
  { location, schema }: NestedSchema,
  parameters: readonly string[],
  isList: boolean,
) {
  const shown = [...propertySchemas(document, schema)].filter(([, one]) => isVisible(document, one, "response"));
  const schemas = new Map(shown);
  const scalars = new Set([...schemas].flatMap(([name, property]) => (isContainer(document, property) ? [] : [name])));
  const key = [...parameters.flatMap(keyNames), "id"].find((name) => scalars.has(name));
  return {
    document,
    location,
    isList,
    /** Of the resource, or of each one in the list. */
    schema: resolveSchema(document, schema),
    schemas,
    required: new Set(describingSchemas(document, schema).flatMap((part) => part.required ?? [])),
    scalars,
    key,
    component: componentName(schema),
  };
}

function isContainer(document: OpenApiDocument, schema: SchemaObject): boolean {
  const types = typesOf(resolveSchema(document, schema));
  return types.includes("object") || types.includes("array") || propertySchemas(document, schema).size > 0;
}

/** The properties that a path parameter such as `bookingUid` or `team_id` may be the value of, the likeliest first. */
function keyNames(parameter: string): readonly string[] {
  const [last = ""] = /[A-Z]?[a-z\d]*$/.exec(parameter) ?? [];
  return [parameter, last.toLowerCase(), "id"];
}

interface NestedSchema {
  readonly location: readonly string[];
  readonly schema: SchemaObject;
}

/** A schema and the objects with properties inside it, two levels deep; the outer ones first. */
function nestedObjects(document: OpenApiDocument, root: SchemaObject): readonly NestedSchema[] {
  const inside = ({ location, schema }: NestedSchema): readonly NestedSchema[] =>
    [...propertySchemas(document, schema)]
      .filter(([, property]) => propertySchemas(document, property).size > 0)
      .map(([name, property]) => ({ location: [...location, name], schema: property }));
  const whole = { location: [], schema: root };
  const first = inside(whole);
  return [whole, ...first, ...first.flatMap(inside)];
}

function returnsList(operation: Operation): boolean {
  const schema = successContent(operation)?.schema;
  return schema !== undefined && findList(operation.document, schema) !== undefined;
}

/** The items of the list that a body is, or has as its only member that is an array of objects; none in a resource. */
function findList(document: OpenApiDocument, root: SchemaObject): NestedSchema | undefined {
  const listAt = (schema: SchemaObject, ...location: readonly string[]): readonly NestedSchema[] => {
    const { items } = resolveSchema(document, schema);
    return isSchema(items) && propertySchemas(document, items).size > 0 ? [{ location, schema: items }] : [];
  };
  const [own] = listAt(root);
  if (own !== undefined) return own;
  const properties = propertySchemas(document, root);
  const lists = [...properties].flatMap(([name, schema]) => listAt(schema, name));
  return properties.has("id") || lists.length !== 1 ? undefined : lists[0];
}

/** For each path parameter that identifies a resource of one type: the name under which its value is stored. */
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

function viewOf({ found }: Located, keys: ReadonlyMap<string, string>) {
  if (found === undefined || found.schemas.size === 0) return undefined;
  const { properties, renews } = readSchemaExtension(found.schema);
  // Where the identifier of the path has another name than elsewhere: `clientId` for `id`.
  const renamed = [...keys].filter(([parameter, property]) => parameter === found.key && !found.schemas.has(property));
  const names = new Map([...renamed, ...properties]);
  const stored = Array.from(found.schemas.keys(), (name) => [name, names.get(name) ?? name] as const);
  return {
    ...found,
    /** The properties in the body, and the names under which they are stored. */
    properties: new Map(stored),
    /** The names in the body, by those under which properties are stored. */
    names: new Map(stored.map(([name, other]) => [other, name])),
    identifiers: new Set(keys.values()),
    renews,
  };
}

function readType(
  drafts: readonly Located[],
  keys: ReadonlyMap<string, string>,
  views: ReadonlyMap<Located, View | undefined>,
) {
  const items = drafts.filter(({ parameter }) => parameter !== undefined);
  const scopes = (items.length > 0 ? items : drafts).map(({ collection }) => parametersOf(collection));
  const [first = []] = scopes;
  const isCollection = drafts.some(({ effect }) => effect === "list" || effect === "create");
  const shownKeys = isCollection ? drafts.flatMap(({ found }) => found?.key ?? []) : [];
  const shown = [...views.values()].flatMap((view) => view ?? []);
  let examples: ReturnType<typeof examplesOf> | undefined;
  return {
    name: nameOf(drafts),
    /** The properties that identify a resource, each for itself. None if there is only one in its scope. */
    keys: [...new Set(items.length > 0 ? keys.values() : shownKeys)],
    /** The path parameters that every path to such a resource has: an identifier is unique for their values. */
    scope: first.filter((name) => scopes.every((scope) => scope.includes(name))),
    /** All other path parameters that may lead to such a resource. */
    parameters: new Set(
      drafts.flatMap((one) => parametersOf(one.operation.path).filter((name) => name !== one.parameter)),
    ),
    views: shown,
    /** The properties that some response shows. */
    properties: new Set(shown.flatMap((view) => [...view.properties.values()])),
    /** Pairs of times: the first is never before the second, and moves along with it. */
    moves: Object.fromEntries(drafts.flatMap(({ operation }) => Object.entries(operation.resource.moves))),
    /** True if any operation can find a resource again. */
    isFound: drafts.some(({ effect, parameter }) => effect !== "create" || parameter !== undefined),
    examples: () => (examples ??= [...views].flatMap(([{ operation }, view]) => examplesOf(operation, view))),
  };
}

function examplesOf(operation: Operation, view: View | undefined) {
  if (view === undefined) return [];
  const bodies = (successContent(operation)?.examples ?? []).flatMap(({ value }) => resourcesIn(value, view));
  return bodies.map((properties) => ({ operation, properties }));
}

/** The resources that a body shows, by the names under which their properties are stored. */
export function resourcesIn(body: unknown, { location, isList, properties }: View): readonly Properties[] {
  const shown = valueAt(body, location);
  return (isList && Array.isArray(shown) ? shown : [shown])
    .filter(isObject)
    .map((resource) =>
      Object.fromEntries(Object.entries(resource).map(([name, value]) => [properties.get(name) ?? name, value])),
    );
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
    const [parameter] = parametersOf(segment);
    const item = itemAt(segments.slice(0, index + 1).join("/"));
    return parameter && item ? [{ type: item.type, key: { parameter, property: item.key.property } }] : [];
  });
}

/** Gathers the names that stand for the same: those that are together in a list, directly or through other lists. */
function unite(lists: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const united = new Map<string, ReadonlySet<string>>();
  for (const list of lists) {
    const all = new Set(list.flatMap((name) => [name, ...(united.get(name) ?? [])]));
    for (const name of all) united.set(name, all);
  }
  return united;
}

/** The JSON content of the response that stands for an operation's success. */
export function successContent(operation: Operation): MediaType | undefined {
  return jsonContent(successResponses(operation)[0]?.content);
}

/** The collection and the identifier in the path of a resource: `/teams/{teamId}`. */
function itemPath(path: string): { readonly collection: string; readonly parameter: string } | undefined {
  const end = path.lastIndexOf("/");
  const [parameter, ...others] = parametersOf(path.slice(end));
  if (parameter === undefined || others.length > 0) return undefined;
  return { collection: path.slice(0, end), parameter };
}

function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}");
}
