import { jsonContent, type Operation } from "../../contract/generation.ts";
import { pointerKeys, valueAt } from "../../spec/jsonPointer.ts";
import { isObject } from "../../spec/json.ts";
import type { SchemaObject } from "../../spec/openapi.ts";
import { propertySchemas } from "../../spec/schemas.ts";
import { readExpression } from "../../contract/resourceExtension.ts";
import {
  resourcesIn,
  successContent,
  type KeyParameter,
  type Properties,
  type ResourceOperation,
  type ResourceType,
  type View,
} from "../../contract/resources.ts";
import {
  bodyWithList,
  bodyWithResource,
  fitting,
  replaceAt,
  type ResourceBody,
  type ShownResource,
} from "./resourceBody.ts";
import { responseValidator } from "../validation/validator.ts";
import { hashOf, variantOf } from "./variants.ts";
import {
  countUp,
  findResource,
  isIdentifier,
  listResources,
  storeResource,
  type Budget,
  type StoredResource,
  type World,
} from "./world.ts";

/** What matters to resources of a valid request. */
export interface ResourceRequest {
  readonly method: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The value of a JSON body. */
  readonly body: unknown;
}

/** What came of a request: a body, or why there is none. */
export type Outcome =
  | ResourceBody
  /** An earlier request deleted the resource, or one that the path leads through. */
  | { readonly deleted: KeyParameter | undefined }
  /** The budget is used up; nothing was written. */
  | { readonly isFull: true };

interface Task {
  readonly operation: Operation;
  readonly resource: ResourceOperation;
  readonly request: ResourceRequest;
  /** The body that the response would have without any resources. */
  readonly example: unknown;
}

/** Lets a valid request do to a resource what its operation does, and makes the body of the response. */
export function applyEffect(world: World, budget: Budget, task: Task): Outcome {
  const { type, effect, key, ancestors } = task.resource;
  const gone = ancestors.find((ancestor) => findByKey(world, task, ancestor.type, ancestor.key)?.isDeleted === true);
  if (gone !== undefined) return { deleted: gone.key };
  const stored = key === undefined ? findAlone(world, task) : findByKey(world, task, type, key);
  if (stored?.isDeleted === true && effect !== "create") return { deleted: undefined };
  switch (effect) {
    case "read":
      return showResource(world, task, identify(task, stored));
    case "list":
      return showList(world, task);
    case "create":
      return create(world, budget, task, key === undefined ? undefined : identify(task, stored));
    case "update":
    case "delete":
      return write(world, budget, task, stored);
  }
}

function write(world: World, budget: Budget, task: Task, stored: StoredResource | undefined): Outcome {
  const { type, effect } = task.resource;
  const before = identify(task, stored);
  const scope = { ...stored?.scope, ...scopeOf(task) };
  const keys = Object.fromEntries(
    type.keys.flatMap((name) => (Object.hasOwn(before.properties, name) ? [[name, before.properties[name]]] : [])),
  );
  if (effect === "delete") {
    const tombstone = { scope, properties: keys, absent: [], isDeleted: true };
    if (!storeResource(world, budget, type, tombstone, stored)) return { isFull: true };
    return showResource(world, task, before);
  }
  const changes = requested(task, before);
  const written = { ...stored?.properties, ...parentsIn(task), ...changes.properties, ...keys };
  const absent = absentAfter(before, changes);
  const next = { scope, properties: written, absent, isDeleted: false };
  if (!storeResource(world, budget, type, next, stored)) return { isFull: true };
  return showResource(world, task, { properties: { ...before.properties, ...written }, absent });
}

function create(world: World, budget: Budget, task: Task, copied: ShownResource | undefined): Outcome {
  const { type } = task.resource;
  const scope = scopeOf(task);
  const changes = requested(task, copied);
  const identifiers = new Set(type.keys);
  const copy = Object.entries(copied?.properties ?? {}).filter(([name]) => !identifiers.has(name));
  const written = { ...Object.fromEntries(copy), ...parentsIn(task), ...changes.properties };
  const properties = { ...written, ...newIdentifiers(world, task, scope, written) };
  const absent = absentAfter(copied, changes);
  const own = type.keys.find((name) => Object.hasOwn(properties, name));
  if (type.isFound && own !== undefined) {
    const previous = findResource(world, type, scope, own, properties[own]);
    const resource = { scope, properties, absent, isDeleted: false };
    if (!storeResource(world, budget, type, resource, previous)) return { isFull: true };
  }
  return showResource(world, task, { properties, absent });
}

/** What a resource does not have after a change. */
function absentAfter(before: ShownResource | undefined, { properties, absent }: ShownResource): readonly string[] {
  const left = (before?.absent ?? []).filter((name) => !Object.hasOwn(properties, name));
  return [...new Set([...left, ...absent])];
}

function showResource(world: World, task: Task, resource: ShownResource): ResourceBody {
  const { view } = task.resource;
  if (view === undefined) return { value: task.example, dropped: [] };
  const properties = { ...resource.properties, ...renew(world, task, view, resource.properties) };
  return bodyWithResource(
    exampleBody(task, view),
    view,
    { ...resource, properties },
    bodySchema(task),
    task.operation.document,
  );
}

function showList(world: World, task: Task): ResourceBody {
  const { operation, resource, example } = task;
  const { type, view } = resource;
  const elements = view === undefined ? undefined : valueAt(example, view.location);
  if (view === undefined || !Array.isArray(elements)) return { value: example, dropped: [] };
  const scope = scopeOf(task);
  const parents = parentsIn(task);
  const shown = new Set<StoredResource>();
  const dropped = new Set<string>();
  const element = { ...view, location: [], isList: false };
  const show = (template: unknown, { properties, absent }: ShownResource) => {
    const own = { ...properties, ...parents };
    const renewed = renew(world, task, element, { ...resourcesIn(template, element)[0], ...own });
    const body = bodyWithResource(
      template,
      element,
      { properties: { ...own, ...renewed }, absent },
      view.schema,
      operation.document,
    );
    for (const name of body.dropped) dropped.add(name);
    return body.value;
  };
  const first = elements.flatMap((template: unknown) => {
    const [properties = {}] = resourcesIn(template, element);
    const stored = type.keys
      .map((name) => findResource(world, type, scope, name, properties[name]))
      .find((found) => found !== undefined);
    if (stored !== undefined) shown.add(stored);
    return stored?.isDeleted === true ? [] : [show(template, stored ?? { properties: {}, absent: [] })];
  });
  const others = [...listResources(world, type)].filter(
    (stored) =>
      !shown.has(stored) && !stored.isDeleted && hasSame(stored.scope, scope) && hasSame(stored.properties, parents),
  );
  const list = [...first, ...others.map((stored) => show(templateFor(type, element, stored, elements[0]), stored))];
  const body = bodyWithList(
    example,
    view,
    page(list, operation, task.request.query),
    responseValidator(bodySchema(task), operation.document),
  );
  return { value: body.value, dropped: [...dropped, ...body.dropped] };
}

/** The example of a body; if the operation has none, its resource is like one of another operation's examples. */
function exampleBody(task: Task, view: View): unknown {
  const { operation, resource, example } = task;
  const [other] = resource.type.examples();
  const hasExample = (successContent(operation)?.examples.length ?? 0) > 0;
  if (hasExample || other === undefined) return example;
  const sampled = valueAt(example, view.location);
  const alike = inView(view, other.properties);
  const bodies = [alike, { ...(isObject(sampled) && sampled), ...alike }].map((one) =>
    replaceAt(example, view.location, one),
  );
  return bodies.find(responseValidator(bodySchema(task), operation.document)) ?? example;
}

/** Properties under their names in a body. */
function inView(view: View, properties: Properties): Properties {
  return Object.fromEntries(
    [...view.properties].flatMap(([name, stored]) =>
      Object.hasOwn(properties, stored) ? [[name, properties[stored]]] : [],
    ),
  );
}

/** What an element that is not in the example of a list is made of. */
function templateFor(type: ResourceType, view: View, { properties }: StoredResource, first: unknown): unknown {
  const examples = type.examples();
  const same = examples.find((one) => type.keys.some((name) => isSame(one.properties[name], properties[name])));
  const example = same ?? (first === undefined ? examples[0] : undefined);
  return example === undefined ? (first ?? {}) : inView(view, example.properties);
}

function page(
  list: readonly unknown[],
  { pagination }: Operation,
  query: ResourceRequest["query"],
): readonly unknown[] {
  const numberIn = (name: string | undefined) => (name === undefined ? Number.NaN : Number(query[name] ?? Number.NaN));
  const [limit, offset] = [numberIn(pagination?.limit), numberIn(pagination?.offset)];
  const start = Number.isNaN(offset) ? 0 : Math.max(0, offset);
  return list.slice(start, Number.isNaN(limit) ? undefined : start + Math.max(0, limit));
}

/** All that is known of the resource that a path names: every identifier exists, and is that of some resource. */
function identify(task: Task, stored: StoredResource | undefined): ShownResource {
  const { operation, resource, request } = task;
  const { type, key, view } = resource;
  if (key === undefined)
    return { properties: { ...stored?.properties, ...parentsIn(task) }, absent: stored?.absent ?? [] };
  const text = request.path[key.parameter] ?? "";
  const same = type.examples().filter(({ properties }) => isSame(properties[key.property], text));
  // What the operation's own examples say comes first, and the earlier before the later.
  const ranked = [...same].sort((a, b) => Number(b.operation === operation) - Number(a.operation === operation));
  const known: Properties = Object.fromEntries(
    [...ranked.map(({ properties }) => properties).reverse(), stored?.properties ?? {}].flatMap(
      Object.entries<unknown>,
    ),
  );
  const others = type.keys.flatMap((name): [string, unknown][] => {
    const model = exampleOf(type, name);
    if (name === key.property || Object.hasOwn(known, name) || !isIdentifier(model)) return [];
    return [[name, variantOf(model, hashOf(JSON.stringify([type.name, text])))]];
  });
  const own = fitting(text, schemaOf(view, key.property), known[key.property] ?? exampleOf(type, key.property));
  return {
    properties: { ...known, ...Object.fromEntries(others), ...parentsIn(task), [key.property]: own },
    absent: stored?.absent ?? [],
  };
}

/** As often is a number tried that a new identifier could have: the schema may allow few. */
const mostTries = 1_000;

/** Identifiers for a new resource, which neither another one nor an example has; none if there seem to be no more. */
function newIdentifiers(world: World, task: Task, scope: StoredResource["scope"], given: Properties): Properties {
  const { operation, resource, example } = task;
  const { type, view } = resource;
  const [sampled = {}] = view === undefined ? [] : resourcesIn(example, view);
  const models = type.keys.flatMap((name) => {
    const model = exampleOf(type, name) ?? sampled[name];
    return Object.hasOwn(given, name) || !isIdentifier(model) ? [] : [{ name, model, schema: schemaOf(view, name) }];
  });
  for (let tries = 0; models.length > 0 && tries < mostTries; tries += 1) {
    const n = countUp(world, type.name) + 1;
    const candidates = models.map(({ name, model, schema }) => ({ name, value: variantOf(model, n), schema }));
    const isFree = candidates.every(
      ({ name, value, schema }) =>
        isIdentifier(value) &&
        findResource(world, type, scope, name, value) === undefined &&
        !type.examples().some(({ properties }) => isSame(properties[name], value)) &&
        (schema === undefined || responseValidator(schema, operation.document)(value)),
    );
    if (isFree) return Object.fromEntries(candidates.map(({ name, value }) => [name, value]));
  }
  return {};
}

/** What a request changes: the fields of its body that the resource has, and what the contract says besides. */
function requested(task: Task, before: ShownResource | undefined): ShownResource {
  const { operation, resource, request } = task;
  const { type, view } = resource;
  const sent = isObject(request.body) ? request.body : {};
  const isMergePatch = /^application\/merge-patch\+json/i.test(request.headers["content-type"] ?? "");
  const taken = Object.entries(sent).filter(
    ([name]) =>
      type.properties.has(name) &&
      schemaOf(view, name)?.readOnly !== true &&
      (!type.keys.includes(name) || (resource.effect === "create" && isIdentifier(sent[name]))),
  );
  const removed = isMergePatch ? taken.filter(([, value]) => value === null).map(([name]) => name) : [];
  const changes: Record<string, unknown> = Object.fromEntries(
    taken
      .filter(([name]) => !removed.includes(name))
      .map(([name, value]) => [name, isMergePatch ? mergePatch(before?.properties[name], value) : value]),
  );
  // POST and PUT send the whole resource: what they leave out has its default, or is not there.
  const isWhole = resource.effect === "create" ? before === undefined : request.method === "PUT" && !isMergePatch;
  const fields = isWhole
    ? [...propertySchemas(operation.document, jsonContent(operation.requestBody?.content)?.schema ?? {})]
    : [];
  for (const [name, schema] of fields) {
    if (
      type.keys.includes(name) ||
      Object.hasOwn(changes, name) ||
      Object.hasOwn(request.path, name) ||
      !type.properties.has(name)
    )
      continue;
    if (schema.default === undefined) removed.push(name);
    else changes[name] = schema.default;
  }
  const { set, moves } = operation.resource;
  for (const [name, value] of Object.entries(set)) {
    const found = evaluate(value, request);
    if (found !== undefined) changes[name] = found;
  }
  const earlier = { ...(view && resourcesIn(task.example, view)[0]), ...before?.properties };
  for (const [moved, by] of Object.entries(moves)) {
    const value = move(earlier[moved], earlier[by], changes[by]);
    if (value !== undefined && !Object.hasOwn(changes, moved)) changes[moved] = value;
  }
  return { properties: changes, absent: removed };
}

/** The value of a literal or a runtime expression; `undefined` if the request does not have it. */
function evaluate(value: unknown, { path, query, headers, body }: ResourceRequest): unknown {
  const part = readExpression(value);
  if (part === undefined) return value;
  if (part.in === "body") return valueAt(body, pointerKeys(part.pointer));
  return { path, query, header: headers }[part.in][part.in === "header" ? part.name.toLowerCase() : part.name];
}

/** A time that keeps its distance from another that changes; `undefined` if one of them is no time. */
function move(moved: unknown, from: unknown, to: unknown): string | undefined {
  const result = new Date(readTime(moved) + readTime(to) - readTime(from));
  return Number.isNaN(result.getTime()) ? undefined : result.toISOString().replace(".000Z", "Z");
}

/** In milliseconds since the epoch; NaN if it is no time. A leap second is the one after it. */
function readTime(value: unknown): number {
  if (typeof value !== "string") return Number.NaN;
  return Date.parse(value.replace(/:60(?=[.z+-])/i, ":59")) + (/:60[.z+-]/i.test(value) ? 1_000 : 0);
}

/** RFC 7396, section 2. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** New values of the properties that have one each time. The first time they have those of the example. */
function renew(world: World, { resource }: Task, view: View, properties: Properties): Properties {
  return Object.fromEntries(
    view.renews.map((name) => {
      const stored = view.properties.get(name) ?? name;
      const n = countUp(world, `${resource.type.name} ${name}`);
      return [stored, n === 0 ? properties[stored] : variantOf(properties[stored], n)];
    }),
  );
}

/** The parameters of the path, without the resource's own, that are properties of it: in the path is in the answer. */
function parentsIn({ resource, request }: Task): Properties {
  const { type, key, view } = resource;
  return Object.fromEntries(
    Object.entries(request.path).flatMap(([name, value]) =>
      name === key?.parameter || type.keys.includes(name) || !type.properties.has(name)
        ? []
        : [[name, fitting(value, schemaOf(view, name), exampleOf(type, name))]],
    ),
  );
}

function findByKey(world: World, { request }: Task, type: ResourceType, key: KeyParameter): StoredResource | undefined {
  return findResource(world, type, request.path, key.property, request.path[key.parameter]);
}

/** What was written of a resource that has no identifier. */
function findAlone(world: World, { resource, request }: Task): StoredResource | undefined {
  return resource.type.keys.length === 0 ? findResource(world, resource.type, request.path, "", "") : undefined;
}

/** The parameters of the path but the resource's own. */
function scopeOf({ resource, request }: Task): StoredResource["scope"] {
  return Object.fromEntries(Object.entries(request.path).filter(([name]) => name !== resource.key?.parameter));
}

/** Tells whether each property that both have is the same, as far as text can tell. */
function hasSame(a: Properties, b: Properties): boolean {
  return Object.entries(b).every(([name, value]) => a[name] === undefined || isSame(a[name], value));
}

/** Identifiers are the same in a path, where they are text, and in a body. */
function isSame(a: unknown, b: unknown): boolean {
  return isObject(a) || isObject(b) ? JSON.stringify(a) === JSON.stringify(b) : String(a) === String(b);
}

/** Examples never change. */
const models = new WeakMap<ResourceType, Map<string, unknown>>();

/** The largest number, or the first text, that a property has in the examples. */
function exampleOf(type: ResourceType, name: string): unknown {
  const known = models.get(type) ?? new Map<string, unknown>();
  models.set(type, known);
  if (!known.has(name)) {
    const values = type.examples().flatMap(({ properties }) => properties[name] ?? []);
    const numbers = values.filter((value) => typeof value === "number");
    known.set(name, numbers.length > 0 ? Math.max(...numbers) : values[0]);
  }
  return known.get(name);
}

function schemaOf(view: View | undefined, stored: string): SchemaObject | undefined {
  return view?.schemas.get(view.names.get(stored) ?? stored);
}

function bodySchema({ operation }: Task): SchemaObject {
  return successContent(operation)?.schema ?? {};
}
