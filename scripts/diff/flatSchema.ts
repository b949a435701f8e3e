import { canonicalJson, recall } from "../contract/text.ts";
import { elementsOf, isObject, lastKey, membersOf, stringsOf, valueAt } from "../spec/json.ts";
import { keywordMerges } from "../spec/mergedSchema.ts";
import { isReference } from "../spec/openapi.ts";
import { typesOf } from "../spec/schemas.ts";
import { meaningOf } from "./meaning.ts";
import { childOf, childrenOf, nameOf, pointerOfPlace, targetPlace, type Place } from "./places.ts";

/** Schemas that all apply to the same value. If there are none, any value is allowed. */
export type SchemaView = readonly Place[];

/** A keyword as written in one of the schemas for a value. */
export interface Written {
  readonly value: unknown;
  readonly holder: Place;
}

/**
 * All keywords for a value: those in a schema, behind its reference, in its `allOf`, and in the only
 * alternative of `anyOf` and `oneOf`.
 */
export interface FlatSchema {
  /** The keywords without subschemas, those of the outermost schema first. */
  readonly written: Map<string, Written[]>;
  /** The subschemas of a keyword: by name for a map, by position for a list, or under "" if there is only one. */
  readonly schemas: Map<string, Map<string, Place[]>>;
  /** The parts that can't be merged, as JSON. */
  readonly others: Map<string, Place>;
  /** JSON Pointers of the schemas that contain all of this. */
  readonly pointers: Set<string>;
}

/** Keywords with a schema. Several such schemas can be merged. */
export const singleSchemas: readonly string[] = [
  ...["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "propertyNames"],
  "contentSchema",
];

/** Keywords with a schema that doesn't limit the value by itself. */
export const conditions: readonly string[] = ["not", "if", "then", "else", "contains"];

/** Keywords with several schemas, by name or by position. */
export const schemaMaps: readonly string[] = ["properties", "patternProperties", "dependentSchemas", "prefixItems"];

/** Values with the same meaning as a missing keyword. */
const defaults: Readonly<Record<string, unknown>> = {
  ...{ deprecated: false, readOnly: false, writeOnly: false, uniqueItems: false },
  ...{ minLength: 0, minItems: 0, minProperties: 0 },
};

/** Keywords that concern a schema, and not the value. */
const ownKeywords = new Set(["$ref", "$defs", "$id", "$anchor", "$schema", "$comment"]);

/** Keywords of which the outermost applies, because they concern a place and not its values. */
const outermost = new Set(["default", "deprecated", "x-deprecated-on", "x-sunset", "discriminator", "xml"]);

/** Keywords that are notes. Each is reported at its place. */
export const notes = ["title", "description", "examples", "externalDocs"] as const;

const flatSchemas = new WeakMap<object, Map<string, FlatSchema>>();

/** Merges the schemas for a value. */
export function flatten(view: SchemaView): FlatSchema {
  const [first] = view;
  if (first === undefined) return emptySchema();
  const known = recall(flatSchemas, first.document, () => new Map<string, FlatSchema>());
  return recall(known, view.map(pointerOfPlace).join(" "), () => gatherAll(view));
}

function emptySchema(): FlatSchema {
  return { written: new Map(), schemas: new Map(), others: new Map(), pointers: new Set() };
}

function gatherAll(view: SchemaView): FlatSchema {
  const flat = emptySchema();
  for (const place of view) gather(place, flat, flat.pointers);
  keepSealed(flat);
  return flat;
}

/** Adds the keywords of a schema, and then those of the schemas that apply with it. */
function gather(place: Place, flat: FlatSchema, seen: Set<string>): void {
  const pointer = pointerOfPlace(place);
  if (seen.has(pointer)) return;
  seen.add(pointer);
  if (place.value === false) addWritten(flat, "false", { value: true, holder: place });
  for (const [keyword, value] of membersOf(place.value)) {
    if (ownKeywords.has(keyword) || keyword === "allOf") continue;
    const isChoice = keyword === "anyOf" || keyword === "oneOf";
    const meaning = isChoice ? withoutChoice(place, keyword, seen) : undefined;
    if (meaning === undefined) addKeyword(flat, place, keyword, value);
    else addAll(flat, meaning);
  }
  const target = targetPlace(place);
  const parts = childrenOf(childOf(place, "allOf"));
  for (const part of target === undefined ? parts : [target, ...parts]) gather(part, flat, seen);
}

/**
 * Replaces `anyOf` or `oneOf` if possible: with its only alternative, with one alternative and `null`, or
 * with a list of types.
 */
function withoutChoice(place: Place, keyword: string, seen: Set<string>): FlatSchema | undefined {
  const alternatives = childrenOf(childOf(place, keyword));
  const flat = emptySchema();
  const types = alternatives.map(({ value }) => onlyTypes(value));
  const all = types.flat();
  // An integer matches both alternatives, which `oneOf` excludes.
  const isShared = keyword === "oneOf" && all.includes("integer") && all.includes("number");
  if (!isShared && types.every((some) => some.length > 0) && new Set(all).size === all.length) {
    addWritten(flat, "type", { value: all, holder: place });
    return flat;
  }
  const others = alternatives.filter(({ value }) => !isNull(value));
  const [only] = others;
  if (only === undefined || others.length > 1 || alternatives.length > 2) return undefined;
  // The result may be discarded. Its schemas then don't count as seen.
  const around = new Set(seen);
  gather(only, flat, around);
  if (alternatives.length === 2 && !allowNull(flat)) return undefined;
  for (const pointer of around) seen.add(pointer);
  return flat;
}

/** The types of a schema that has no other keywords. */
function onlyTypes(schema: unknown): readonly string[] {
  const isAlone = isObject(schema) && Object.keys(schema).every((keyword) => keyword === "type");
  return isAlone ? typesOf(schema) : [];
}

function isNull(schema: unknown): boolean {
  const { type, enum: values = [valueAt(schema, ["const"])] } = isObject(schema) ? schema : {};
  return type === "null" || (elementsOf(values).length === 1 && elementsOf(values)[0] === null);
}

/**
 * Adds `null` to the types and values of a schema. Returns `false` if the schema has no types, or a keyword
 * that `null` may violate.
 */
function allowNull({ written, schemas }: FlatSchema): boolean {
  if (!written.has("type") && !written.has("enum")) return false;
  if (["anyOf", "oneOf"].some((keyword) => written.has(keyword))) return false;
  if (conditions.some((keyword) => schemas.has(keyword))) return false;
  for (const [keyword, empty] of [
    ["type", "null"],
    ["enum", null],
  ] as const) {
    const list = written.get(keyword) ?? [];
    const allowed = list.map(({ value, holder }) => ({ holder, value: [...new Set([...elementsOf(value), empty])] }));
    if (allowed.length > 0) written.set(keyword, allowed);
  }
  return true;
}

function addAll(flat: FlatSchema, { written, schemas, others }: FlatSchema): void {
  for (const [keyword, list] of written) for (const one of list) addWritten(flat, keyword, one);
  for (const [keyword, named] of schemas) {
    for (const [name, places] of named) for (const place of places) addSchema(flat, keyword, name, place);
  }
  for (const [text, place] of others) flat.others.set(text, place);
}

function addKeyword(flat: FlatSchema, holder: Place, keyword: string, value: unknown): void {
  const place = childOf(holder, keyword);
  if (place === undefined) return;
  if (schemaMaps.includes(keyword)) {
    for (const child of childrenOf(place)) addSchema(flat, keyword, nameOf(child), child);
  } else if (singleSchemas.includes(keyword)) {
    if (isAnything(value)) addWritten(flat, keyword, { value: true, holder });
    else addSchema(flat, keyword, "", place);
  } else if (conditions.includes(keyword)) addCondition(flat, keyword, place);
  else if (keyword === "const") addWritten(flat, "enum", { value: [value], holder });
  else if (keyword === "type") addWritten(flat, keyword, { value: typesOf({ type: value }), holder });
  else if (keyword === "example") addWritten(flat, "examples", { value: [value], holder });
  else if (defaults[keyword] !== value) addWritten(flat, keyword, { value, holder });
}

function addCondition(flat: FlatSchema, keyword: string, place: Place): void {
  const [first] = flat.schemas.get(keyword)?.get("") ?? [];
  if (first === undefined) addSchema(flat, keyword, "", place);
  else if (canonicalJson(first.value) !== canonicalJson(place.value)) {
    flat.others.set(canonicalJson({ [keyword]: meaningOf(place) }), place);
  }
}

/** Returns whether a schema allows every value. */
function isAnything(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function addSchema(flat: FlatSchema, keyword: string, name: string, place: Place): void {
  const named = recall(flat.schemas, keyword, () => new Map<string, Place[]>());
  recall(named, name, () => []).push(place);
}

function addWritten(flat: FlatSchema, keyword: string, one: Written): void {
  const list = recall(flat.written, keyword, () => []);
  const isNote = notes.some((note) => note === keyword);
  const isMerged = isNote || list.length === 0 || outermost.has(keyword) || keywordMerges[keyword] !== undefined;
  if (isMerged || one.value === list[0]?.value) list.push(one);
  else if (canonicalJson(one.value) !== canonicalJson(list[0]?.value)) {
    const { document } = one.holder;
    flat.others.set(canonicalJson({ [keyword]: meaningOf({ document, value: one.value }) }), one.holder);
  }
}

/** A keyword for unlisted members depends on its own schema's properties, so it can't be merged. */
function keepSealed(flat: FlatSchema): void {
  const owners = new Set<Place>();
  for (const keyword of ["properties", "patternProperties"]) {
    for (const place of [...(flat.schemas.get(keyword)?.values() ?? [])].flat()) owners.add(place);
  }
  const holders = new Set([...owners].map((place) => holderOf(place, 2)));
  for (const place of flat.schemas.get("additionalProperties")?.get("") ?? []) {
    const holder = holderOf(place, 1);
    if ([...holders].every((other) => other === holder)) continue;
    const names = [...owners].filter((owner) => holderOf(owner, 2) === holder).map(nameOf);
    flat.others.set(canonicalJson({ additionalProperties: meaningOf(place), besides: names.toSorted() }), place);
    flat.schemas.delete("additionalProperties");
  }
}

function holderOf({ keys }: Place, depth: number): string {
  return keys.slice(0, -depth).join("/");
}

/** The value of a keyword where all schemas apply. `undefined` if none has it. */
export function valueIn({ written }: FlatSchema, keyword: string): unknown {
  const values = (written.get(keyword) ?? []).map(({ value }) => value);
  const merge = keywordMerges[keyword];
  if (merge === undefined || values.length < 2) return values[0];
  return values.reduce(merge);
}

/** The schema that contains a keyword. If there is none, the outermost schema. */
export function holderIn({ written }: FlatSchema, keyword: string): Place | undefined {
  return written.get(keyword)?.[0]?.holder;
}

/** The subschemas of a keyword by name. */
export function schemasIn({ schemas }: FlatSchema, keyword: string): ReadonlyMap<string, SchemaView> {
  return schemas.get(keyword) ?? new Map();
}

export function typesIn(flat: FlatSchema): readonly string[] {
  return stringsOf(valueIn(flat, "type")).toSorted();
}

/**
 * The name of the component that a view is or refers to directly. `undefined` if it is several schemas or
 * none.
 */
export function nameOfView(view: SchemaView): string | undefined {
  const [only, ...others] = view;
  if (only === undefined || others.length > 0) return undefined;
  const isComponent = only.keys.length === 3 && only.keys[1] === "schemas";
  if (isReference(only.value)) return lastKey(only.value.$ref);
  return isComponent ? only.keys[2] : undefined;
}

/**
 * Returns whether schemas describe the same kind of value: they share a type, and at least half of the
 * property names.
 */
export function isAlike(one: FlatSchema, other: FlatSchema): boolean {
  const [types, otherTypes] = [impliedIn(one), impliedIn(other)];
  if (canonicalJson(types) !== canonicalJson(otherTypes)) return false;
  const names = [...schemasIn(one, "properties").keys()];
  const shared = names.filter((name) => schemasIn(other, "properties").has(name));
  return shared.length * 2 >= names.length;
}

/** The types of a schema, or else the one that its keywords imply. */
export function impliedIn(flat: FlatSchema): readonly string[] {
  if (flat.written.has("type")) return typesIn(flat);
  if (flat.schemas.has("properties") || flat.schemas.has("additionalProperties")) return ["object"];
  return flat.schemas.has("items") ? ["array"] : [];
}

export function hasValue(list: unknown, value: unknown): boolean {
  const text = canonicalJson(value);
  return elementsOf(list).some((one) => one === value || canonicalJson(one) === text);
}
