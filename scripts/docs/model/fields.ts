import { phraseText } from "../../contract/gaps.ts";
import type { Header, Parameter } from "../../contract/generation.ts";
import { lastKey } from "../../spec/jsonPointer.ts";
import { resolve } from "../../spec/references.ts";
import {
  extensionOf,
  isReference,
  unspecifiedOf,
  type OpenApiDocument,
  type SchemaObject,
} from "../../spec/openapi.ts";
import { isObject, stringsOf } from "../../spec/json.ts";
import { isUntyped } from "../../spec/schemaKeywords.ts";
import { countOf, slugOf } from "../../contract/text.ts";

/** What readers are told of a value: of a property, a parameter, a header or a whole body. */
export interface Field {
  /** A property's key; `[]` for the items of an array, and `<key>` for properties whose keys are free. */
  readonly name: string;
  /** The id of the field on its page. */
  readonly anchor: string;
  readonly type: TypeName;
  readonly presence: Presence;
  readonly isDeprecated: boolean;
  /** Whether the value is secret, such as a password. */
  readonly isSecret: boolean;
  /** What else limits the value, each as a phrase: `at least 1`. */
  readonly constraints: readonly string[];
  readonly knownValues: readonly unknown[];
  /** Whether there may be other values than the known ones. */
  readonly hasOtherValues: boolean;
  /** What is not specified of the value, as in `x-unspecified`. */
  readonly unspecified: readonly string[];
  /** The objects of the description that say so. */
  readonly sources: readonly object[];
  /** Markdown. */
  readonly description: string;
  /** What the value contains. */
  readonly fields: readonly Field[];
  /** Whether it contains more than is listed here: the page of its schema, or the description, has it. */
  readonly isCut: boolean;
  /** Schemas of which any one (`anyOf`), or exactly one (`oneOf`), describes the value. */
  readonly alternatives: readonly Field[];
}

/** A type in words; the parts that name a component's schema say which. */
export type TypeName = readonly { readonly text: string; readonly schema?: string }[];

/**
 * Whether a field is there: `required` and `optional` are for whoever writes it, and `always` and `maybe` for whoever
 * reads it. It is `unknown` if the contract does not say.
 */
export type Presence = "required" | "optional" | "always" | "maybe" | "unknown";

/** Whether readers of the docs write a value or receive it. */
export type Direction = "request" | "response";

interface FieldOptions {
  readonly document: OpenApiDocument;
  readonly direction: Direction;
  /** What precedes the ids of the fields. */
  readonly anchor: string;
}

interface Place extends FieldOptions {
  readonly name: string;
  readonly presence: Presence;
  /** The components around the value, against circles. */
  readonly trail: readonly string[];
  /** How many more fields there is room for. */
  readonly room: { left: number };
  /** The ids so far: forms of a value, and parts of it, may have fields of the same name. */
  readonly anchors: Set<string>;
}

/** As many fields are shown in one place; what is deeper has pages of its own. */
const maximumFields = 500;

/** What a schema says of a whole body, or of a component. */
export function schemaField(schema: SchemaObject, name: string, options: FieldOptions, trail: readonly string[] = []) {
  return readField(schema, { ...options, name, presence: "unknown", trail, ...emptyPlace() });
}

/** What a parameter or a response's header says of its value. */
export function parameterField(parameter: Parameter | Header, options: FieldOptions): Field {
  const { name, schema, description, required, isDeprecated, unspecified, source } = parameter;
  const anchor = `${options.anchor}-${anchorOf(name)}`;
  const isUnknown = unspecified.includes("required");
  const presence = presenceOf(required, isUnknown, options.direction);
  const field = readField(schema, { ...options, anchor, name, presence, trail: [], ...emptyPlace() });
  return {
    ...field,
    description: description === "" ? field.description : description,
    isDeprecated: isDeprecated || field.isDeprecated,
    unspecified: [...new Set([...unspecified, ...field.unspecified])],
    sources: [...(unspecified.length > 0 ? [source] : []), ...field.sources],
  };
}

function emptyPlace(): Pick<Place, "room" | "anchors"> {
  return { room: { left: maximumFields }, anchors: new Set() };
}

/** The id of what is said of a value as a whole. A whole body has no name, and its own id is that of a heading. */
export function ownAnchor({ name, anchor }: Pick<Field, "name" | "anchor">): string {
  return name === "" ? `${anchor}-body` : anchor;
}

/** Every field, with those inside it after it. */
export function flattenFields(fields: readonly Field[]): readonly Field[] {
  return fields.flatMap((field) => [field, ...flattenFields([...field.alternatives, ...field.fields])]);
}

/** What is not specified, in words: `unit not specified`. */
export function unspecifiedText(phrase: string): string {
  return `${phraseText(phrase)} not specified`;
}

/** A type name as plain text. */
export function typeText(type: TypeName): string {
  return type.map(({ text }) => text).join("");
}

function readField(referenced: SchemaObject, place: Place): Field {
  const { document, trail, name, presence } = place;
  const anchor = distinctAnchor(place);
  const component = isReference(referenced) ? lastKey(referenced.$ref) : undefined;
  const schema = followReference(document, referenced);
  place.room.left -= 1;
  const isCircle = component !== undefined && trail.includes(component);
  const isCut = (isCircle || place.room.left < 0) && hasContent(schema);
  const inner = { ...place, anchor, trail: component === undefined ? trail : [...trail, component] };
  const content = isCut ? { fields: [], alternatives: [] } : readContent(schema, inner);
  const known = stringsOf(extensionOf(schema, "x-extensible-enum"));
  const sources = describingSchemas(document, referenced).filter((source) => unspecifiedOf(source).length > 0);
  return {
    name,
    anchor,
    type: typeName(document, referenced),
    presence,
    isDeprecated: schema.deprecated ?? false,
    isSecret: schema.format === "password",
    constraints: readConstraints(schema),
    knownValues: schema.enum ?? known,
    hasOtherValues: schema.enum === undefined,
    unspecified: [...new Set(sources.flatMap(unspecifiedOf))],
    sources,
    description: schema.description ?? "",
    isCut,
    ...content,
  };
}

/** The id that a field would have, with a number behind it if another field has it. */
function distinctAnchor({ anchor, anchors }: Place): string {
  let candidate = anchor;
  for (let count = 2; anchors.has(candidate); count += 1) candidate = `${anchor}-${String(count)}`;
  anchors.add(candidate);
  return candidate;
}

function hasContent({ properties, items, anyOf, oneOf, allOf, additionalProperties }: SchemaObject): boolean {
  return [properties, items, anyOf, oneOf, allOf, additionalProperties].some((part) => typeof part === "object");
}

/** Keywords beside a reference hold too, and its description takes the place of the other's (OpenAPI 3.1.1, 4.8.23). */
function followReference(document: OpenApiDocument, referenced: SchemaObject): SchemaObject {
  if (!isReference(referenced)) return referenced;
  const beside = Object.entries(referenced).filter(([keyword]) => keyword !== "$ref");
  return { ...resolve<SchemaObject>(document, referenced), ...Object.fromEntries(beside) };
}

/**
 * The schemas that describe a value as a whole: one as it is written, what it refers to, the parts of an `allOf`, and the
 * one alternative to `null`.
 */
function describingSchemas(
  document: OpenApiDocument,
  schema: SchemaObject,
  seen: ReadonlySet<SchemaObject> = new Set(),
): readonly SchemaObject[] {
  if (seen.has(schema)) return [];
  const trail = new Set([...seen, schema]);
  const alternatives = alternativesOf(schema).filter((alternative) => !isNull(alternative));
  const parts = [
    ...(isReference(schema) ? [resolve<SchemaObject>(document, schema)] : []),
    ...(schema.allOf ?? []),
    ...(alternatives.length === 1 ? alternatives : []),
  ];
  return [schema, ...parts.flatMap((part) => describingSchemas(document, part, trail))];
}

function readContent(schema: SchemaObject, place: Place): Pick<Field, "fields" | "alternatives"> {
  const { document } = place;
  const parts = (schema.allOf ?? []).map((part) => readPart(part, place));
  const alternatives = alternativesOf(schema).filter((alternative) => !isNull(alternative));
  const isSimple = alternatives.every((alternative) => isPlain(document, alternative));
  const [first] = alternatives;
  // `anyOf: [A, null]` is A, as far as its fields go.
  const single = alternatives.length === 1 && first !== undefined ? first : undefined;
  const only = single && readPart(single, place);
  return {
    fields: [...parts.flatMap(({ fields }) => fields), ...readMembers(schema, place), ...(only?.fields ?? [])],
    alternatives: [
      ...parts.flatMap((part) => part.alternatives),
      ...(only?.alternatives ?? []),
      ...(isSimple || single !== undefined
        ? []
        : alternatives.map((alternative, index) => {
            const name = titleOf(document, alternative) ?? `Option ${String(index + 1)}`;
            const anchor = `${place.anchor}-${anchorOf(name)}`;
            return readField(alternative, { ...place, name, anchor, presence: "unknown" });
          })),
    ],
  };
}

/** What a part of a schema adds to it: nothing if it is a component that the value is in already. */
function readPart(part: SchemaObject, place: Place): Pick<Field, "fields" | "alternatives"> {
  if (!isReference(part)) return readContent(part, place);
  const name = lastKey(part.$ref);
  if (place.trail.includes(name)) return { fields: [], alternatives: [] };
  return readContent(followReference(place.document, part), { ...place, trail: [...place.trail, name] });
}

/** The fields of an object, or of the items of an array. */
function readMembers(schema: SchemaObject, place: Place): readonly Field[] {
  const { document, direction } = place;
  const { properties = {}, patternProperties = {}, additionalProperties, items, prefixItems = [], required } = schema;
  const isUnknown = direction === "request" && required === undefined;
  const member = (name: string, part: SchemaObject, presence: Presence): Field =>
    readField(part, { ...place, name, presence, anchor: `${place.anchor}.${anchorOf(name)}` });
  const named = Object.entries(properties)
    .filter(([, property]) => !isHidden(followReference(document, property), direction))
    .map(([name, property]) => {
      const isRequired = required?.includes(name) === true;
      return member(name, property, presenceOf(isRequired, isUnknown, direction));
    });
  const byPattern = Object.entries(patternProperties).map(([pattern, part]) => member(pattern, part, "unknown"));
  const free =
    isObject(additionalProperties) &&
    (!isUntyped(additionalProperties) || unspecifiedOf(additionalProperties).length > 0)
      ? [member("<key>", additionalProperties, "unknown")]
      : [];
  const positions = prefixItems.map((part, index) => member(`[${String(index)}]`, part, "unknown"));
  return [...named, ...byPattern, ...free, ...positions, ...(isObject(items) ? readItems(items, place) : [])];
}

/** The fields of an array's items belong to the array; items that are none have a line of their own if there is more to say. */
function readItems(items: SchemaObject, place: Place): readonly Field[] {
  const item = readField(items, { ...place, name: "[]", presence: "unknown", anchor: `${place.anchor}[]` });
  const saysMore =
    item.unspecified.length > 0 ||
    item.knownValues.length > 0 ||
    item.constraints.length > 0 ||
    item.alternatives.length > 0 ||
    item.description !== "";
  return saysMore ? [item] : item.fields;
}

function presenceOf(isRequired: boolean, isUnknown: boolean, direction: Direction): Presence {
  if (direction === "response") return isRequired ? "always" : "maybe";
  if (isRequired) return "required";
  return isUnknown ? "unknown" : "optional";
}

/** Whether a property is not for this direction (OpenAPI 3.1.1, section 4.8.24: `readOnly`, `writeOnly`). */
function isHidden({ readOnly = false, writeOnly = false }: SchemaObject, direction: Direction): boolean {
  return direction === "request" ? readOnly : writeOnly;
}

function alternativesOf({ anyOf = [], oneOf = [] }: SchemaObject): readonly SchemaObject[] {
  return [...anyOf, ...oneOf];
}

function isNull({ type }: SchemaObject): boolean {
  return type === "null";
}

/** Whether a schema's type name says all about it. */
function isPlain(document: OpenApiDocument, referenced: SchemaObject): boolean {
  const schema = followReference(document, referenced);
  return (
    !isReference(referenced) &&
    schema.properties === undefined &&
    schema.allOf === undefined &&
    schema.items === undefined &&
    alternativesOf(schema).length === 0 &&
    schema.description === undefined &&
    unspecifiedOf(schema).length === 0
  );
}

function titleOf(document: OpenApiDocument, schema: SchemaObject): string | undefined {
  return isReference(schema) ? lastKey(schema.$ref) : followReference(document, schema).title;
}

/** The type of a schema in words, with the components that it names. */
function typeName(document: OpenApiDocument, schema: SchemaObject): TypeName {
  if (isReference(schema)) {
    const name = lastKey(schema.$ref);
    const target = followReference(document, schema);
    const isStructured = isObject(target.properties) || alternativesOf(target).length > 0 || target.allOf !== undefined;
    // A component of a simple type tells more by its type than by its name.
    return isStructured
      ? [{ text: name, schema: name }]
      : [...typeName(document, target), { text: " (" }, { text: name, schema: name }, { text: ")" }];
  }
  if (schema.const !== undefined) return [{ text: JSON.stringify(schema.const) }];
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return joinTypes(alternatives.map((alternative) => typeName(document, alternative)));
  const types = schema.type === undefined ? impliedTypes(schema) : [schema.type].flat();
  const names = types.map((type): TypeName => {
    if (type === "array" && isObject(schema.items)) return [{ text: "array of " }, ...typeName(document, schema.items)];
    if (type === "string" && schema.format !== undefined) return [{ text: `string, ${schema.format}` }];
    if (schema.format !== undefined && type !== "null") return [{ text: `${type}, ${schema.format}` }];
    return [{ text: type }];
  });
  if (names.length > 0) return joinTypes(names);
  const parts = (schema.allOf ?? []).map((part) => typeName(document, part));
  return parts.length > 0 ? joinTypes(parts, " and ") : [{ text: "any type" }];
}

/** The types that keywords speak of, in a schema without `type`. */
function impliedTypes(schema: SchemaObject): readonly string[] {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ["object"];
  if (schema.items !== undefined) return ["array"];
  return [];
}

function joinTypes(types: readonly TypeName[], separator = " or "): TypeName {
  const seen = new Set<string>();
  const distinct = types.filter((type) => {
    const text = typeText(type);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
  return distinct.flatMap((type, index) => (index === 0 ? type : [{ text: separator }, ...type]));
}

function readConstraints(schema: SchemaObject): readonly string[] {
  const limits: readonly (readonly [value: unknown, words: (value: string) => string])[] = [
    [schema.minimum, (value) => `at least ${value}`],
    [schema.exclusiveMinimum, (value) => `more than ${value}`],
    [schema.maximum, (value) => `at most ${value}`],
    [schema.exclusiveMaximum, (value) => `less than ${value}`],
    [schema.multipleOf, (value) => `a multiple of ${value}`],
    [schema.minLength, (value) => `at least ${countOf(value, "character")}`],
    [schema.maxLength, (value) => `at most ${countOf(value, "character")}`],
    [schema.pattern, (value) => `matches ${value}`],
    [schema.minItems, (value) => `at least ${countOf(value, "item")}`],
    [schema.maxItems, (value) => `at most ${countOf(value, "item")}`],
    [schema.minProperties, (value) => `at least ${value} properties`],
    [schema.maxProperties, (value) => `at most ${value} properties`],
    [schema.contentMediaType, (value) => `contains ${value}`],
    [schema.contentEncoding, (value) => `encoded as ${value}`],
    [schema.discriminator?.propertyName, (value) => `${value} tells which form it is`],
  ];
  const phrases = limits.flatMap(([value, words]) =>
    typeof value === "string" || typeof value === "number" ? [words(String(value))] : [],
  );
  return [
    ...phrases,
    ...(schema.uniqueItems === true ? ["no item twice"] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

/** A name as part of an id in HTML, which has no spaces. */
function anchorOf(name: string): string {
  return /^[\w.$-]+$/.test(name) ? name : slugOf(name) || "key";
}
