import type { Operation } from "../../contract/generation.ts";
import { changeAt, equalJson, isObject, mapMembers, membersOf, mergePatch, valueAt } from "../../values/json.ts";
import { contentOfType, essenceOf } from "../../spec/mediaTypes.ts";
import type { SchemaObject } from "../../spec/openapi.ts";
import { applicableSchemas, propertySchemas } from "../../spec/schemas.ts";
import type { ReceivedRequest } from "../mockTypes.ts";
import { refuseMissing, refuseMore, type Missing } from "./stateRefusals.ts";
import { evaluateSource } from "../../contract/resourceExtension.ts";
import {
  createsByPut,
  resourcesIn,
  successContent,
  type KeyParameter,
  type Properties,
  type ResourceOperation,
  type ResourceType,
  type View,
} from "../../contract/resources.ts";
import { isSameTime, moveTimes } from "./movedTimes.ts";
import {
  bodyWithResource,
  fitting,
  inUtc,
  type BodyTemplate,
  type ResourceBody,
  type ShownResource,
} from "./resourceBody.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";
import { responseValidator } from "../../exchange/validator.ts";
import { hashOf, variantOf } from "../content/variants.ts";
import {
  countUp,
  findResource,
  isIdentifier,
  storeResource,
  type StoredResource,
  type WritableWorld,
} from "./world.ts";

/** A valid request, and the effect of its operation on a resource of a world. */
export interface RequestedEffect extends WritableWorld {
  readonly operation: Operation;
  readonly resource: ResourceOperation;
  readonly request: ReceivedRequest;
  /** The closed types: their resources exist only if they were seeded or created. */
  readonly closed: ReadonlySet<ResourceType>;
}

interface Task extends RequestedEffect {
  /** The body of the response in a stateless mock. */
  readonly example: unknown;
}

/** A body, and the resource that it shows, if the request has written that. */
interface WrittenBody extends ResourceBody {
  readonly written?: Properties;
}

/** A body, and the fields of the request that it doesn't show. */
interface EffectBody extends WrittenBody {
  /** Values of read-only properties. They have no effect. */
  readonly readOnly: readonly string[];
  /** Times that can't be stored, because they aren't valid or an end would be before its start. */
  readonly times: readonly string[];
}

/** Applies the effect of a valid request to a resource, and makes the body of the response. */
export function applyEffect(task: Task): EffectBody | Refusal {
  const { operation, resource, request } = task;
  const outcome = applyTask(task);
  if (isRefusal(outcome)) return outcome;
  const shown = shownIn(outcome.value, resource);
  const sent = resource.view !== undefined && isObject(request.body) ? Object.entries(request.body) : [];
  const isRemoval = (value: unknown) => value === null && isMergePatch(request);
  const isShown = (name: string, value: unknown) =>
    isRemoval(value) ? !Object.hasOwn(shown, name) : isSameTime(value, shown[name]);
  const changed = sent.filter(([name, value]) => !isShown(name, value)).map(([name]) => name);
  const others = changed.filter((name) => !outcome.dropped.includes(name));
  const isReadOnly = (name: string) => schemaOf(resource.view, name)?.readOnly === true;
  const writable = others.filter((name) => !isReadOnly(name));
  const sentValues = new Map(sent);
  const required = writable.filter((name) => isRemoval(sentValues.get(name)));
  const moved = new Set(Object.entries(operation.resource.moves).flat());
  const times = writable.filter((name) => moved.has(name) && !required.includes(name));
  return { ...outcome, dropped: [...outcome.dropped, ...required], readOnly: others.filter(isReadOnly), times };
}

/** Returns whether the body of a request is a JSON Merge Patch (RFC 7396), whose `null` removes a property. */
function isMergePatch({ headers }: ReceivedRequest): boolean {
  return essenceOf(headers["content-type"] ?? "") === "application/merge-patch+json";
}

function applyTask(task: Task): Refusal | WrittenBody {
  const { operation, request } = task;
  const { type, effect, key, ancestors } = task.resource;
  const isPut = effect === "update" && createsByPut(operation);
  const needed = isPut ? ancestors.filter((ancestor) => ancestor.key.parameter !== key?.parameter) : ancestors;
  for (const ancestor of needed) {
    const why = whyMissing(task, ancestor.type, ancestor.key);
    if (why !== undefined) return refuseMissing(operation, request.path, ancestor.key.parameter, why);
  }
  const stored = findByKey(task, type, key);
  const why = effect === "create" || isPut ? undefined : whyMissing(task, type, key);
  if (why !== undefined) return refuseMissing(operation, request.path, undefined, why);
  switch (effect) {
    case "read":
      return showResource(task, readNamed(task, stored));
    case "list":
      return showList(task);
    case "create":
      return create(task, key && readNamed(task, stored));
    case "update":
    case "delete":
      return write(task, stored);
  }
}

/**
 * Returns whether a path leads to a deleted resource, or to one of a closed type that no request and no
 * example mentions.
 */
export function isAbsent(place: RequestedEffect): boolean {
  const { resource, request, closed } = place;
  const { type, key } = resource;
  if (key === undefined || closed.has(type) || findByKey(place, type, key))
    return whyMissing(place, type, key) !== undefined;
  return !type.examples().some(({ properties }) => isSame(properties[key.property], request.path[key.parameter]));
}

/** Why a resource is missing at a path. `undefined` if it is there. */
function whyMissing(place: RequestedEffect, type: ResourceType, key: KeyParameter | undefined): Missing | undefined {
  const stored = findByKey(place, type, key);
  if (stored?.isDeleted === true) return "deleted";
  if (key === undefined || !place.closed.has(type)) return undefined;
  return stored && hasSame(stored.scope, without(place.request.path, key)) ? undefined : "unknown";
}

function write(task: Task, previous: StoredResource | undefined): Refusal | WrittenBody {
  const { type, effect } = task.resource;
  const before = readNamed(task, previous);
  const scope = { ...previous?.scope, ...without(task.request.path, task.resource.key) };
  const keys = Object.fromEntries(Object.entries(before.properties).filter(([name]) => type.keys.includes(name)));
  const deleted = { scope, properties: keys, absent: [], isDeleted: true };
  if (effect === "delete") return store(task, deleted, previous) ?? showResource(task, before);
  const { properties: changes, absent } = requested(task, before);
  // The identifiers come first, where readers look for them.
  const properties = { ...keys, ...previous?.properties, ...parentsIn(task), ...changes, ...keys };
  const full = store(task, { scope, properties, absent, isDeleted: false }, previous);
  return full ?? showWritten(task, { properties: { ...before.properties, ...properties }, absent });
}

function create(sent: Task, copied: ShownResource | undefined): Refusal | WrittenBody {
  const { type } = sent.resource;
  const task = withNewSecrets(sent);
  const scope = without(task.request.path, task.resource.key);
  const { properties: changes, absent } = requested(task, copied);
  const copy = Object.entries(copied?.properties ?? {}).filter(([name]) => !type.keys.includes(name));
  const written = { ...Object.fromEntries(copy), ...changedExample(sent, task), ...parentsIn(task), ...changes };
  const properties = { ...newIdentifiers(task, scope, written), ...written };
  const own = type.keys.find((name) => Object.hasOwn(properties, name));
  if (!type.isFound || own === undefined) return showResource(task, { properties, absent });
  const previous = findResource(task.world, type, { scope, properties: { [own]: properties[own] } });
  const full = store(task, { scope, properties, absent, isDeleted: false }, previous);
  return full ?? showWritten(task, { properties, absent });
}

function store(task: Task, next: StoredResource, previous: StoredResource | undefined) {
  return storeResource(task, task.resource.type, next, previous) ? undefined : refuseMore(task.budget);
}

function showWritten(task: Task, written: ShownResource): WrittenBody {
  return { ...showResource(task, written), written: written.properties };
}

function showResource(task: Task, shown: ShownResource): ResourceBody {
  const { view } = task.resource;
  if (view === undefined) return { value: task.example, dropped: [] };
  const { document } = task.operation;
  return showIn(task, { example: exampleBody(task, view), view, schema: bodySchema(task), document }, shown);
}

/** Puts a resource into a template. Properties that change with every response get new values. */
function showIn(task: Task, template: BodyTemplate, { properties, absent }: ShownResource): ResourceBody {
  const { example, view } = template;
  const known = { ...resourcesIn(example, view)[0], ...properties };
  const renewed = view.renews.map((name) => {
    const stored = view.properties.get(name) ?? name;
    const n = countUp(task, `${task.resource.type.name} ${name}`);
    return [stored, n === 0 ? known[stored] : variantOf(known[stored], n)] as const;
  });
  return bodyWithResource(template, { properties: { ...properties, ...Object.fromEntries(renewed) }, absent });
}

function showList(task: Task): ResourceBody {
  const { world, operation, resource, example } = task;
  const { type, view } = resource;
  const elements = view === undefined ? undefined : valueAt(example, view.location);
  if (view === undefined || !Array.isArray(elements)) return { value: example, dropped: [] };
  const scope = without(task.request.path, task.resource.key);
  const parents = parentsIn(task);
  const shown = new Set<StoredResource>();
  const dropped = new Set<string>();
  const element = { ...view, location: [], isList: false };
  const { schema } = view;
  const { document } = operation;
  const show = (like: unknown, { properties, absent }: ShownResource) => {
    const template = { example: like, view: element, schema, document };
    const body = showIn(task, template, { properties: { ...properties, ...parents }, absent });
    for (const name of body.dropped) dropped.add(name);
    return body.value;
  };
  const examples: readonly unknown[] = task.closed.has(type) ? [] : elements;
  const first = examples.flatMap((template) => {
    const [properties = {}] = resourcesIn(template, element);
    const stored = type.keys.length === 0 ? undefined : findResource(world, type, { scope, properties });
    if (stored !== undefined) shown.add(stored);
    return stored?.isDeleted === true ? [] : [show(template, stored ?? { properties: {}, absent: [] })];
  });
  const isHere = (one: StoredResource) => hasSame(one.scope, scope) && hasSame(one.properties, parents);
  const written = world.resources.get(type.name) ?? [];
  const others = written.filter((one) => !shown.has(one) && !one.isDeleted && isHere(one));
  const list = [...first, ...others.map((stored) => show(templateFor(type, element, stored, elements[0]), stored))];
  const value = changeAt(example, view.location, () => page(list, task));
  return equalJson(value, example) || responseValidator(bodySchema(task), operation.document)(value)
    ? { value, dropped: [...dropped] }
    : { value: example, dropped: [...dropped, "list"] };
}

/**
 * The example of a body. If the operation has none, it shows a resource from the examples of another
 * operation.
 */
function exampleBody(task: Task, view: View): unknown {
  const { operation, resource, example } = task;
  const [other] = resource.type.examples();
  const content = successContent(operation);
  if (content === undefined || content.examples.length > 0 || other === undefined) return example;
  const sampled = valueAt(example, view.location);
  const alike = inView(view, other.properties);
  const bodies = [alike, { ...(isObject(sampled) && sampled), ...alike }];
  const isValid = responseValidator(content.schema, operation.document);
  return bodies.map((one) => changeAt(example, view.location, () => one)).find(isValid) ?? example;
}

function inView(view: View, properties: Properties): Properties {
  const known = [...view.properties].filter(([, stored]) => Object.hasOwn(properties, stored));
  return Object.fromEntries(known.map(([name, stored]) => [name, properties[stored]]));
}

/** The template for an element that isn't in the example of a list. */
function templateFor(type: ResourceType, view: View, { properties }: StoredResource, first: unknown): unknown {
  const examples = type.examples();
  const same = examples.find((one) => type.keys.some((name) => isSame(one.properties[name], properties[name])));
  return same === undefined && first !== undefined ? first : inView(view, (same ?? examples[0])?.properties ?? {});
}

function page(list: readonly unknown[], { operation: { pagination }, request: { query } }: Task): readonly unknown[] {
  const numberIn = (name: string | undefined) => (name === undefined ? Number.NaN : Number(query[name] ?? Number.NaN));
  const [limit, offset] = [numberIn(pagination?.limit), numberIn(pagination?.offset)];
  const start = Number.isNaN(offset) ? 0 : Math.max(0, offset);
  return list.slice(start, Number.isNaN(limit) ? undefined : start + Math.max(0, limit));
}

/**
 * All known properties of the resource that a path names. Every identifier exists and belongs to some
 * resource.
 */
function readNamed(task: Task, stored: StoredResource | undefined): ShownResource {
  const { operation, resource, request } = task;
  const { type, key, view } = resource;
  const absent = stored?.absent ?? [];
  if (key === undefined) return { properties: { ...stored?.properties, ...parentsIn(task) }, absent };
  const text = request.path[key.parameter] ?? "";
  const examples = type.examples().filter(({ properties }) => isSame(properties[key.property], text));
  const own = examples.filter((one) => one.operation === operation);
  const others = examples.filter((one) => one.operation !== operation);
  // What was written takes precedence over examples, the operation's own ones over others, and earlier ones over later ones.
  const sources = [stored, ...own, ...others].map((one) => one?.properties ?? {});
  const known = sources.reduceRight<Properties>((later, earlier) => ({ ...later, ...earlier }), {});
  const identifier = fitting(text, schemaOf(view, key.property), known[key.property] ?? exampleOf(type, key.property));
  const identifiers = identifiersOf(type, key.property, text);
  return { properties: { ...identifiers, ...known, ...parentsIn(task), [key.property]: identifier }, absent };
}

/** All identifiers of a resource, given one of them. They come from the example that has it, or are new. */
export function identifiersOf(type: ResourceType, property: string, text: string): Properties {
  const same = type.examples().find(({ properties }) => isSame(properties[property], text));
  const n = hashOf(JSON.stringify([type.name, text]));
  const identifiers: Record<string, unknown> = {};
  for (const name of type.keys) {
    const model = exampleOf(type, name);
    if (name !== property && isIdentifier(model)) identifiers[name] = same?.properties[name] ?? variantOf(model, n);
  }
  return identifiers;
}

/** How many numbers are tried as a new identifier, since the schema may allow few. */
const maxTries = 1_000;

/** Copies a task with other secrets in its example, so that no two created resources share any. */
function withNewSecrets(task: Task): Task {
  const { operation, resource, example } = task;
  const schema = bodySchema(task);
  const renew = (value: unknown, described: SchemaObject, n: number): unknown => {
    const isSecret = applicableSchemas(operation.document, described).some(({ format }) => format === "password");
    if (typeof value === "string" && isSecret) return variantOf(value, n);
    const schemas = propertySchemas(operation.document, described);
    return isObject(value) ? mapMembers(value, (member, name) => renew(member, schemas.get(name) ?? {}, n)) : value;
  };
  if (equalJson(renew(example, schema, 1), example)) return task;
  const n = countUp(task, `${resource.type.name} secrets`);
  const renewed = n === 0 ? example : renew(example, schema, n);
  return responseValidator(schema, operation.document)(renewed) ? { ...task, example: renewed } : task;
}

/** The new properties of the resource in the example, which are stored so that they stay the same. */
function changedExample({ example, resource }: Task, { example: renewed }: Task): Properties {
  const before = shownIn(example, resource);
  const after = Object.entries(shownIn(renewed, resource));
  return Object.fromEntries(after.filter(([name, value]) => !equalJson(value, before[name])));
}

/** A possible value of an identifier of a new resource. */
interface Candidate {
  /** The name of the identifier. */
  readonly name: string;
  readonly value: unknown;
  readonly schema: SchemaObject | undefined;
}

/** New identifiers for a resource, which no other resource and no example has. Empty if none seem to be left. */
function newIdentifiers(task: Task, scope: StoredResource["scope"], given: Properties): Properties {
  const { world, operation, resource, example } = task;
  const { type, view } = resource;
  const sampled = shownIn(example, resource);
  const models = type.keys.flatMap((name) => {
    const model = exampleOf(type, name) ?? sampled[name];
    return Object.hasOwn(given, name) || !isIdentifier(model) ? [] : [{ name, model, schema: schemaOf(view, name) }];
  });
  const isTaken = (name: string, value: unknown) =>
    findResource(world, type, { scope, properties: { [name]: value } }) !== undefined ||
    type.examples().some(({ properties }) => isSame(properties[name], value));
  const isFree = ({ name, value, schema }: Candidate) => {
    if (!isIdentifier(value) || isTaken(name, value)) return false;
    return schema === undefined || responseValidator(schema, operation.document)(value);
  };
  for (let tries = 0; models.length > 0 && tries < maxTries; tries += 1) {
    const n = countUp(task, type.name) + 1;
    const candidates = models.map(({ name, model, schema }) => ({ name, value: variantOf(model, n), schema }));
    if (candidates.every(isFree)) return Object.fromEntries(candidates.map(({ name, value }) => [name, value]));
  }
  return {};
}

/** The changes that a request makes to a resource, while they are collected. */
interface Changes {
  /** The new values of properties. */
  readonly values: Record<string, unknown>;
  /** The properties that the resource no longer has. */
  readonly removed: string[];
}

/**
 * The changes that a request makes: the fields of its body that the resource has, and other changes that the
 * contract describes.
 */
function requested(task: Task, before: ShownResource | undefined): ShownResource {
  const { operation, resource, request, example: body } = task;
  const { type, effect } = resource;
  const example = shownIn(body, resource);
  const earlier = { properties: { ...example, ...before?.properties }, example };
  const changes: Changes = { values: {}, removed: [] };
  takeFields(task, changes);
  if (isMergePatch(request)) {
    const absent = new Set(before?.absent);
    mergeFields(changes, (name) => (absent.has(name) ? undefined : earlier.properties[name]));
  }
  // POST and PUT send the whole resource. A field that they leave out gets its default or is removed, even if
  // the resource begins as a copy.
  const isWhole = effect === "create" || request.method === "PUT";
  if (isWhole) takeDefaults(task, changes);
  for (const [name, value] of Object.entries(operation.resource.set)) {
    const found = evaluateSource(value, request);
    if (found !== undefined) changes.values[name] = found;
    else if (isWhole && !Object.hasOwn(changes.values, name)) changes.removed.push(name);
  }
  const isShowable = (name: string, value: unknown) => canBeShown(type, name, value);
  const properties = moveTimes(changes.values, earlier, operation.resource.moves, isShowable);
  const stillAbsent = (before?.absent ?? []).filter((name) => !Object.hasOwn(properties, name));
  return { properties, absent: [...new Set([...stillAbsent, ...changes.removed])] };
}

/** Takes the resource's fields from the body. Takes identifiers only when the resource is created. */
function takeFields({ resource, request }: Task, { values }: Changes): void {
  const { type, effect } = resource;
  for (const [name, value] of membersOf(request.body)) {
    if (!isWritable(resource, name)) continue;
    if (!type.keys.includes(name) || (effect === "create" && isIdentifier(value))) values[name] = value;
  }
}

/** Makes the fields of a merge patch into what they leave of the properties that the resource has. */
function mergeFields({ values, removed }: Changes, valueBefore: (name: string) => unknown): void {
  for (const [name, change] of Object.entries(values)) {
    if (change !== null) values[name] = mergePatch(valueBefore(name), change, "remove");
    else if (Reflect.deleteProperty(values, name)) removed.push(name);
  }
}

/** Takes the defaults of fields that the body leaves out, and removes those without a default. */
function takeDefaults({ operation, resource, request }: Task, { values, removed }: Changes): void {
  const mediaType = request.headers["content-type"] ?? "application/json";
  const content = contentOfType(operation.requestBody?.content ?? [], mediaType);
  for (const [name, schema] of propertySchemas(operation.document, content?.schema)) {
    if (!isWritable(resource, name) || resource.type.keys.includes(name)) continue;
    if (Object.hasOwn(values, name) || Object.hasOwn(request.path, name)) continue;
    if (schema.default === undefined) removed.push(name);
    else values[name] = schema.default;
  }
}

function isWritable({ type, view }: ResourceOperation, name: string): boolean {
  return type.properties.has(name) && schemaOf(view, name)?.readOnly !== true;
}

/** Returns whether a property's value is valid in at least one response. */
function canBeShown({ views }: ResourceType, stored: string, value: unknown): boolean {
  const validity = views.flatMap(({ names, schemas, document }) => {
    const schema = schemas.get(names.get(stored) ?? stored);
    return schema === undefined ? [] : [responseValidator(schema, document)(inUtc(value, schema))];
  });
  return validity.length === 0 || validity.includes(true);
}

/** The path parameters that are properties of the resource, without its own identifier. Responses repeat them. */
function parentsIn({ resource, request }: Task): Properties {
  const { type, key, view } = resource;
  const isParent = (name: string) => name !== key?.parameter && !type.keys.includes(name) && type.properties.has(name);
  const valueOf = (name: string) => fitting(request.path[name], schemaOf(view, name), exampleOf(type, name));
  const parents = Object.keys(request.path).filter(isParent);
  return Object.fromEntries(parents.map((name) => [name, valueOf(name)]));
}

function findByKey({ world, request: { path } }: RequestedEffect, type: ResourceType, key: KeyParameter | undefined) {
  const properties = key === undefined ? {} : { [key.property]: path[key.parameter] };
  return findResource(world, type, { scope: path, properties });
}

function without(path: StoredResource["scope"], key: KeyParameter | undefined): StoredResource["scope"] {
  return Object.fromEntries(Object.entries(path).filter(([name]) => name !== key?.parameter));
}

/** Returns whether the properties that both have are the same, compared as text. */
function hasSame(a: Properties, b: Properties): boolean {
  return Object.entries(b).every(([name, value]) => a[name] === undefined || isSame(a[name], value));
}

/** Compares identifiers, which are text in a path and may be numbers in a body. */
function isSame(a: unknown, b: unknown): boolean {
  return isObject(a) || isObject(b) ? JSON.stringify(a) === JSON.stringify(b) : String(a) === String(b);
}

/** The largest number, or the first text, that a property has in the examples. */
function exampleOf(type: ResourceType, name: string): unknown {
  const values = type.examples().flatMap(({ properties }) => properties[name] ?? []);
  const numbers = values.filter((value) => typeof value === "number");
  return numbers.length > 0 ? Math.max(...numbers) : values[0];
}

/** The first resource in a body. Empty if the body has none. */
function shownIn(body: unknown, { view }: ResourceOperation): Properties {
  return (view && resourcesIn(body, view)[0]) ?? {};
}

function schemaOf(view: View | undefined, stored: string): SchemaObject | undefined {
  return view?.schemas.get(view.names.get(stored) ?? stored);
}

function bodySchema({ operation }: Task): SchemaObject {
  return successContent(operation)?.schema ?? {};
}
