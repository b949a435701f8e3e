import { canonicalJson, elementsOf, isObject, lastKey, membersOf, stringsOf, valueAt } from "../values/json.ts";
import { compareText } from "../values/text.ts";
import { groupBy, getOrCreate } from "../values/collections.ts";
import { keywordMerges } from "../spec/mergedSchema.ts";
import { isReference } from "../spec/openapi.ts";
import { typesOf, type Direction } from "../spec/schemas.ts";
import { isOfType } from "../values/jsonType.ts";
import type { Comparison } from "./comparison.ts";
import { childOf, childrenOf, nameOf, pointerOfPlace, targetPlace, type Place } from "./places.ts";

/** A schema, or a part of its values. */
export interface SchemaPart extends Place {
  /** Which of its values are meant, if not all. */
  readonly only?: "null" | "others";
}

/** Schemas that all apply to the same value. If there are none, any value is allowed. */
export type SchemaView = readonly SchemaPart[];

/** A text that is different for different views of a document. */
export function keyOfView(view: SchemaView): string {
  return view.map((part) => [pointerOfPlace(part), part.only].join(" ")).join(" ");
}

/** A keyword as written in one of the schemas for a value. */
export interface KeywordSource {
  readonly value: unknown;
  readonly holder: Place;
}

/** An `anyOf` or `oneOf` with several alternatives that are more than types or constants. */
export interface Choice {
  readonly keyword: "anyOf" | "oneOf";
  readonly holder: Place;
  /** Those of alternatives that are choices themselves are among them. */
  readonly alternatives: readonly Place[];
}

/**
 * The normal form of the schemas for a value: all keywords of a schema, behind its reference, in its `allOf`, and in
 * the only alternative of `anyOf` and `oneOf`. Spellings of the same are one: `null`, types, constants, closed objects
 * and files.
 */
export interface FlatSchema {
  /** The keywords without subschemas, and those that aren't compared, those of the outermost schema first. */
  readonly written: Map<string, KeywordSource[]>;
  /** The subschemas of a keyword: by name for properties, and else under "". */
  readonly schemas: Map<string, Map<string, Place[]>>;
  readonly choices: Choice[];
  /** JSON Pointers of the schemas that contain all of this. */
  readonly pointers: Set<string>;
}

/** Values with the same meaning as a missing keyword. */
const defaults: Readonly<Record<string, unknown>> = {
  ...{ deprecated: false, readOnly: false, writeOnly: false, uniqueItems: false },
  ...{ minLength: 0, minItems: 0, minProperties: 0 },
};

/** Keywords that concern a schema, and not the value. */
const ownKeywords = new Set(["$ref", "$defs", "$id", "$anchor", "$schema", "$comment", "allOf"]);

/** Keywords of which the outermost applies, because they concern a place and not its values. */
const outermost = new Set(["default", "deprecated", "x-deprecated-on", "x-sunset", "discriminator"]);

/** The texts of the values that are listed as alternatives. */
const valueTexts = "descriptions of values";

/** Keywords that are notes. Each is reported at its place. */
export const notes: ReadonlySet<string> = new Set(["title", "description", "examples", "externalDocs", valueTexts]);

const flatSchemas = new WeakMap<object, Map<string, FlatSchema>>();

/** Merges the schemas for a value. */
export function flatten(view: SchemaView): FlatSchema {
  const [first] = view;
  if (first === undefined) return emptySchema();
  const known = getOrCreate(flatSchemas, first.document, () => new Map<string, FlatSchema>());
  return getOrCreate(known, keyOfView(view), () => {
    const flat = emptySchema();
    for (const { document, keys, value } of view) gather({ document, keys, value }, flat, flat.pointers);
    normalizeObject(flat);
    normalizeFile(flat);
    return view.reduce(onlySome, flat);
  });
}

/** The part of a normal form that is for `null`, or for other values. */
function onlySome(flat: FlatSchema, { only, ...holder }: SchemaPart): FlatSchema {
  if (only === undefined) return flat;
  if (only === "null") return { ...emptySchema(), written: new Map([["type", [{ value: ["null"], holder }]]]) };
  const written = new Map(flat.written);
  for (const [keyword, empty] of nulls) {
    const list = flat.written.get(keyword) ?? [];
    const rest = list.map((one) => ({ ...one, value: elementsOf(one.value).filter((value) => value !== empty) }));
    if (list.length > 0) written.set(keyword, rest);
  }
  return { ...flat, written };
}

/** What stands for `null` in keywords. */
const nulls = [
  ["type", "null"],
  ["enum", null],
] as const;

function emptySchema(): FlatSchema {
  return { written: new Map(), schemas: new Map(), choices: [], pointers: new Set() };
}

/** Adds the keywords of a schema, and then those of the schemas that apply with it. `seen` has those that were read. */
function gather(place: Place, flat: FlatSchema, seen: Set<string>): void {
  const pointer = pointerOfPlace(place);
  if (seen.has(pointer)) return;
  seen.add(pointer);
  if (place.value === false) addWritten(flat, "false", { value: true, holder: place });
  for (const [keyword, value] of membersOf(place.value)) {
    if (ownKeywords.has(keyword)) continue;
    if (keyword === "anyOf" || keyword === "oneOf") gatherChoice(place, keyword, flat, seen);
    else addKeyword(flat, place, keyword, value);
  }
  const target = targetPlace(place);
  const parts = childrenOf(childOf(place, "allOf"));
  for (const part of target === undefined ? parts : [target, ...parts]) gather(part, flat, seen);
}

/**
 * Adds `anyOf` or `oneOf`: as a list of types or values, as its only alternative, if there is one besides `null`, or
 * else as a choice.
 */
function gatherChoice(holder: Place, keyword: Choice["keyword"], flat: FlatSchema, seen: Set<string>): void {
  const alternatives = alternativesIn(holder, keyword, flat);
  if (alternatives.length === 0) return;
  const constants = alternatives.map(constantsIn);
  if (constants.every((one) => one !== undefined)) {
    addConstants(flat, holder, constants, keyword);
    return;
  }
  const others = alternatives.filter(({ value }) => !isNull(value));
  const [only] = others;
  if (only === undefined || others.length > 1 || alternatives.length > 2) {
    // `oneOf` excludes null if several alternatives list it.
    const isExcluded = keyword === "oneOf" && alternatives.length - others.length > 1;
    flat.choices.push({ keyword, holder, alternatives: isExcluded ? others : alternatives });
    return;
  }
  // The result may be discarded. Its schemas then don't count as seen.
  const [inner, seenInside] = [emptySchema(), new Set(seen)];
  gather(only, inner, seenInside);
  const isExcluded = keyword === "oneOf" && knownTypes(inner).includes("null");
  if (alternatives.length === 2 && (isExcluded || !allowNull(inner)))
    flat.choices.push({ keyword, holder, alternatives });
  else {
    for (const pointer of seenInside) seen.add(pointer);
    addAll(flat, inner);
  }
}

/** The alternatives of a keyword. An alternative that is a choice and nothing more counts as its alternatives. */
function alternativesIn(holder: Place, keyword: Choice["keyword"], flat: FlatSchema): readonly Place[] {
  return childrenOf(childOf(holder, keyword)).flatMap((place) => {
    const inner = onlyPart(place);
    const choice = membersOf(inner.value).find(([name]) => name === "anyOf" || name === "oneOf")?.[0];
    const isAlone = membersOf(inner.value).every(
      ([name]) => name === choice || isText(name) || name === "discriminator",
    );
    // Without a discriminator, a value may match several alternatives of `oneOf`.
    const isUnion = choice === "anyOf" || valueAt(inner.value, ["discriminator"]) !== undefined;
    if ((choice !== "anyOf" && choice !== "oneOf") || !isAlone || !(isUnion || choice === keyword)) return [place];
    const pointer = pointerOfPlace(inner);
    if (flat.pointers.has(pointer)) return [place];
    flat.pointers.add(pointer);
    for (const [field, value] of membersOf(inner.value)) if (field !== choice) addKeyword(flat, inner, field, value);
    return alternativesIn(inner, choice, flat);
  });
}

/** What a schema refers to, or has as the only part of its `allOf`, if it is nothing more. */
function onlyPart(place: Place, seen: readonly string[] = []): Place {
  const [keyword, second] = Object.keys(isObject(place.value) ? place.value : {});
  const parts = keyword === "$ref" ? [targetPlace(place)] : childrenOf(childOf(place, "allOf"));
  const [part] = parts;
  const isAlone = second === undefined && (keyword === "$ref" || keyword === "allOf") && parts.length === 1;
  if (part === undefined || !isAlone || seen.includes(pointerOfPlace(part))) return place;
  return onlyPart(part, [...seen, pointerOfPlace(part)]);
}

/** Returns whether a keyword says nothing of the values. */
export function isText(keyword: string): boolean {
  return notes.has(keyword) || keyword === "deprecated" || keyword.startsWith("x-");
}

/** The values that an alternative lists, and what it says about them. */
interface Constants {
  readonly values: readonly unknown[];
  readonly texts: Readonly<Record<string, unknown>>;
}

/** The values of an alternative that is nothing but a list of them. */
function constantsIn(place: Place): Constants | undefined {
  const { value } = onlyPart(place);
  const { const: constant, enum: list, type, ...texts } = isObject(value) ? value : {};
  const listed = type === "null" ? [null] : elementsOf(list);
  const all = constant === undefined ? listed : [constant];
  if (all.length === 0 || !Object.keys(texts).every(isText)) return undefined;
  const types = typesOf({ type });
  return { values: types.length === 0 ? all : all.filter((one) => types.some((name) => isOfType(one, name))), texts };
}

function addConstants(
  flat: FlatSchema,
  holder: Place,
  constants: readonly Constants[],
  keyword: Choice["keyword"],
): void {
  const all = constants.flatMap(({ values }) => values);
  const groups = [...groupBy(all, canonicalJson).values()];
  // `oneOf` excludes what several alternatives list.
  const value = groups.filter(({ length }) => keyword === "anyOf" || length === 1).map(([one]) => one);
  addWritten(flat, "enum", { value, holder });
  const described = constants.filter(({ texts }) => Object.keys(texts).length > 0).map((one) => canonicalJson(one));
  if (described.length > 0) addWritten(flat, valueTexts, { value: described.toSorted(compareText), holder });
}

function isNull(schema: unknown): boolean {
  const { type, enum: values = [valueAt(schema, ["const"])] } = isObject(schema) ? schema : {};
  return type === "null" || (elementsOf(values).length === 1 && elementsOf(values)[0] === null);
}

/** Adds `null` to the types and values of a schema. Returns `false` if `null` would still violate it. */
function allowNull({ written, choices }: FlatSchema): boolean {
  const isKnown = written.has("type") || written.has("enum");
  if (!isKnown || choices.length > 0 || ["not", "if", "then", "else"].some((keyword) => written.has(keyword)))
    return false;
  for (const [keyword, empty] of nulls) {
    const list = written.get(keyword) ?? [];
    const allowed = list.map(({ value, holder }) => ({ holder, value: [...new Set([...elementsOf(value), empty])] }));
    if (allowed.length > 0) written.set(keyword, allowed);
  }
  return true;
}

function addAll(flat: FlatSchema, { written, schemas, choices }: FlatSchema): void {
  for (const [keyword, list] of written) for (const one of list) addWritten(flat, keyword, one);
  for (const [keyword, named] of schemas) {
    for (const [name, places] of named) for (const place of places) addSchema(flat, keyword, name, place);
  }
  flat.choices.push(...choices);
}

function addKeyword(flat: FlatSchema, holder: Place, keyword: string, value: unknown): void {
  const place = childOf(holder, keyword);
  if (place === undefined) return;
  if (keyword === "properties") {
    for (const child of childrenOf(place)) addSchema(flat, keyword, nameOf(child), child);
  } else if (singleSchemas.includes(keyword)) {
    if (isAnything(value)) addWritten(flat, keyword, { value: true, holder });
    else addSchema(flat, keyword, "", place);
  } else if (keyword === "const") addWritten(flat, "enum", { value: [value], holder });
  else if (keyword === "type") addWritten(flat, keyword, { value: typesOf({ type: value }), holder });
  else if (keyword === "example") addWritten(flat, "examples", { value: [value], holder });
  else if (defaults[keyword] !== value) addWritten(flat, keyword, { value, holder });
}

/** Keywords with a schema. Several such schemas all apply. */
export const singleSchemas: readonly string[] = ["items", "additionalProperties"];

/** Returns whether a view allows no value. */
export function isNothing(view: SchemaView): boolean {
  return view.some(({ value }) => value === false);
}

/** Returns whether a schema allows every value. */
function isAnything(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function addSchema(flat: FlatSchema, keyword: string, name: string, place: Place): void {
  const named = getOrCreate(flat.schemas, keyword, () => new Map<string, Place[]>());
  getOrCreate(named, name, () => []).push(place);
}

function addWritten(flat: FlatSchema, keyword: string, one: KeywordSource): void {
  const list = getOrCreate(flat.written, keyword, () => []);
  const isEqual = (other: KeywordSource) => canonicalJson(other.value) === canonicalJson(one.value);
  if (outermost.has(keyword) || !list.some(isEqual)) list.push(one);
}

/** Applies the schemas of unlisted properties to those that only other schemas list. A closed object forbids them. */
function normalizeObject(flat: FlatSchema): void {
  const properties = flat.schemas.get("properties") ?? new Map<string, Place[]>();
  for (const place of flat.schemas.get("additionalProperties")?.get("") ?? []) {
    const listed = valueAt(place.document, [...place.keys.slice(0, -1), "properties"]);
    const others = [...properties].filter(([name]) => !isObject(listed) || !Object.hasOwn(listed, name));
    for (const [name, places] of others) {
      if (place.value === false) properties.delete(name);
      else places.push(place);
    }
  }
}

/** Writes a file as OpenAPI 3.1 has it: a string with a media type, instead of a format. The string may be unsaid. */
function normalizeFile(flat: FlatSchema): void {
  const [format] = flat.written.get("format") ?? [];
  if (format?.value === "binary" && typesIn(flat).join() === "string") {
    flat.written.delete("format");
    const value = "application/octet-stream";
    if (!flat.written.has("contentMediaType")) addWritten(flat, "contentMediaType", { value, holder: format.holder });
  }
  const [content] = flat.written.get("contentMediaType") ?? [];
  const isAlone = !["type", "enum", "contentEncoding"].some((keyword) => flat.written.has(keyword));
  if (content !== undefined && isAlone && flat.schemas.size + flat.choices.length === 0)
    addWritten(flat, "type", { value: ["string"], holder: content.holder });
}

/** The values of a keyword in all schemas. */
export function valuesIn({ written }: FlatSchema, keyword: string): readonly unknown[] {
  return (written.get(keyword) ?? []).map(({ value }) => value);
}

/** The value of a keyword where all schemas apply. `undefined` if none has it. */
export function valueIn(flat: FlatSchema, keyword: string): unknown {
  const values = valuesIn(flat, keyword);
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
  const types = stringsOf(valueIn(flat, "type")).toSorted();
  return types.filter((type) => type !== "integer" || !types.includes("number"));
}

/** The listed values that have one of the types. `undefined` if no values are listed. */
export function listedIn(flat: FlatSchema): readonly unknown[] | undefined {
  if (!flat.written.has("enum")) return undefined;
  const types = typesIn(flat);
  const values = elementsOf(valueIn(flat, "enum"));
  return types.length === 0 ? values : values.filter((value) => types.some((type) => isOfType(value, type)));
}

/** The types of a value: those of the listed values, if there are some. */
export function knownTypes(flat: FlatSchema): readonly string[] {
  const values = listedIn(flat);
  if (values === undefined) return typesIn(flat);
  const names = ["array", "boolean", "integer", "null", "number", "object", "string"];
  const isNeeded = (type: string, value: unknown) => type !== "number" || !Number.isInteger(value);
  return names.filter((type) => values.some((value) => isOfType(value, type) && isNeeded(type, value)));
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

/** The use of a schema's values. */
export interface Use {
  /** If it is missing, nobody sends or receives the values, so no difference is breaking. */
  readonly direction: Direction | undefined;
  /** Gaps of the surrounding object, which the schema may fill. */
  readonly closed?: readonly string[];
}

/** Two states of the schemas for a value. */
export interface FlatPair extends Required<Use> {
  readonly before: FlatSchema;
  readonly after: FlatSchema;
  readonly views: { readonly before: SchemaView; readonly after: SchemaView };
  /** The schema itself, in the old document if it was removed. */
  readonly place: Place;
  /** Compares the subschemas. */
  readonly compare: (before: SchemaView, after: SchemaView, use: Use) => Comparison;
}

export function isTrue(flat: FlatSchema, keyword: string): boolean {
  return valueIn(flat, keyword) === true;
}
