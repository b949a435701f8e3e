import { lifecycleOf, type Lifecycle } from "../../spec/lifecycle.ts";
import { gapText } from "../../contract/gaps.ts";
import { namedExamples, type Header, type Parameter } from "../../contract/generation.ts";
import { distinctName, slugOf } from "../../values/text.ts";
import { constraintsOf, type Constraint } from "../../contract/constraints.ts";
import { isObject, stringsOf } from "../../values/json.ts";
import { mergedSchema } from "../../spec/mergedSchema.ts";
import {
  extensionOf,
  isReference,
  isSchema,
  unspecifiedOf,
  type OpenApiDocument,
  type SchemaObject,
} from "../../spec/openapi.ts";
import {
  alternativesOf,
  componentName,
  constantsOf,
  describingSchemas,
  discriminatorValues,
  isVisible,
  type Direction,
  type KnownValue,
} from "../../spec/schemas.ts";
import { typeName, type TypeName } from "../../spec/typeNames.ts";

/** Facts about a value, which is a property, a parameter, a header or a whole body. */
export interface Field {
  /** A property's key. `[]` for the items of an array, and `<key>` for arbitrary keys. */
  readonly name: string;
  readonly anchor: string;
  readonly type: TypeName;
  readonly presence: Presence;
  readonly lifecycle: Lifecycle;
  readonly isSecret: boolean;
  readonly constraints: readonly Constraint[];
  readonly knownValues: readonly unknown[];
  /** The values of {@link knownValues} with their titles and descriptions. Empty if there are no such texts. */
  readonly describedValues: readonly KnownValue[];
  readonly hasOtherValues: boolean;
  readonly unspecified: readonly string[];
  /** The objects of the description that specify its gaps. */
  readonly sources: readonly object[];
  readonly description: string;
  readonly examples: readonly FieldExample[];
  readonly fields: readonly Field[];
  /**
   * True if the value has more fields than are listed here. They are on the page of its schema, or in the
   * description.
   */
  readonly isCut: boolean;
  /** Alternative schemas of the value. At least one (`anyOf`) or exactly one (`oneOf`) applies. */
  readonly alternatives: readonly Field[];
}

/** A value that a field may have. */
export interface FieldExample {
  readonly value: unknown;
  /** Empty if there is no text about it. */
  readonly summary: string;
}

type KnownValues = Pick<Field, "knownValues" | "hasOtherValues" | "describedValues">;

/**
 * `required` and `optional` are for consumers who write a field. `listed` and `maybe` are for those who read
 * it.
 */
export type Presence = "required" | "optional" | "listed" | "maybe" | "unknown";

export interface FieldOptions {
  readonly document: OpenApiDocument;
  readonly direction: Direction;
  readonly anchor: string;
}

interface FieldContext extends FieldOptions {
  readonly name: string;
  readonly presence: Presence;
  /** The components around the value, to detect recursion. */
  readonly trail: readonly string[];
  /** The number of components around the value, not counting the whole place. */
  readonly level: number;
  readonly reading: Reading;
}

/** One reading of all fields in a place. */
interface Reading {
  /** The number of levels of components that are read with their fields. */
  readonly levels: number;
  /** The ids used so far, since alternatives and parts of a value may have fields with the same name. */
  readonly anchors: Set<string>;
  /** True if there are more levels. */
  isShort: boolean;
}

/**
 * Number of fields in one place after which no more components are opened. Their fields are on the pages of their
 * schemas: without this limit, a page about closely linked schemas had 1.7 MB.
 */
const manyFields = 150;

/** Reads a schema as the field of a whole body, or of a component. */
export function schemaField(schema: SchemaObject, options: FieldOptions, trail: readonly string[] = []) {
  return readWhole(schema, { ...options, name: "", presence: "unknown", trail });
}

/**
 * Reads as many levels as there is room for, so that a level is complete before the next one. The first one is always
 * there: it's cut where there are too many fields.
 */
function readWhole(schema: SchemaObject, place: Omit<FieldContext, "level" | "reading">): Field {
  const level = describingSchemas(place.document, schema).some(isReference) ? -1 : 0;
  const read = (levels: number) => {
    const reading: Reading = { levels, anchors: new Set(), isShort: false };
    return { field: readField(schema, { ...place, level, reading }), reading };
  };
  let shown = read(1);
  while (shown.reading.isShort) {
    const deeper = read(shown.reading.levels + 1);
    if (deeper.reading.anchors.size > manyFields) break;
    shown = deeper;
  }
  return shown.field;
}

/** Reads a parameter or a response's header as a field. */
export function parameterField(parameter: Parameter | Header, options: FieldOptions): Field {
  const { name, schema, description, required, unspecified, source } = parameter;
  const lifecycle = lifecycleOf(source);
  const anchor = `${options.anchor}-${anchorOf(name)}`;
  const presence = presenceOf(required, unspecified.includes("required"), options.direction);
  const field = readWhole(schema, { ...options, anchor, name, presence, trail: [] });
  return {
    ...field,
    description: description === "" ? field.description : description,
    examples: parameterExamples(parameter, options.document) ?? field.examples,
    lifecycle: lifecycle.isDeprecated ? lifecycle : field.lifecycle,
    unspecified: [...new Set([...unspecified, ...field.unspecified])],
    sources: unspecified.length > 0 ? [source, ...field.sources] : field.sources,
  };
}

function parameterExamples({ schema, source }: Parameter | Header, document: OpenApiDocument) {
  const { example, examples } = source;
  if (listsValues(mergedSchema(document, schema))) return [];
  if (example !== undefined) return [{ value: example, summary: "" }];
  return examples && namedExamples(document, examples);
}

/** The examples of a value that has a name, if they are more than its listed values. */
function examplesOf(schema: SchemaObject, { name }: FieldContext) {
  const { example, examples = [] } = schema;
  const shown = name === "" || listsValues(schema) ? [] : [example, ...examples].filter((value) => value !== undefined);
  return shown.map((value) => ({ value, summary: "" }));
}

function listsValues({ enum: values, const: constant }: SchemaObject): boolean {
  return values !== undefined || constant !== undefined;
}

/** The id of the text about a value as a whole. A whole body has no name, and its id belongs to a heading. */
export function ownAnchor({ name, anchor }: Pick<Field, "name" | "anchor">): string {
  return name === "" ? `${anchor}-body` : anchor;
}

/** Every field, followed by its inner fields. */
export function flattenFields(fields: readonly Field[]): readonly Field[] {
  return fields.flatMap((field) => [field, ...flattenFields([...field.alternatives, ...field.fields])]);
}

/** The gaps of a place in words: `unit not specified`, `default, maximum not specified`. */
export function unspecifiedText(gaps: readonly string[]): string {
  return `${gaps.map(gapText).join(", ")} not specified`;
}

function readField(referenced: SchemaObject, place: FieldContext): Field {
  const { document, trail, name, presence, level, reading } = place;
  const anchor = distinctName(place.anchor, reading.anchors);
  const parts = describingSchemas(document, referenced);
  const schema = mergedSchema(document, referenced);
  const components = parts.flatMap((part) => componentName(part) ?? []);
  const isComponent = components.length > 0;
  const isFull = reading.anchors.size > manyFields || components.some((component) => trail.includes(component));
  const isDeep = isComponent && level >= reading.levels;
  const isCut = hasContent(schema) && (isFull || isDeep);
  if (isCut && !isFull) reading.isShort = true;
  const content = isCut
    ? { fields: [], alternatives: [] }
    : readContent(schema, {
        ...place,
        anchor,
        trail: [...trail, ...components],
        level: isComponent ? level + 1 : level,
      });
  const sources = parts.filter((source) => unspecifiedOf(source).length > 0);
  return {
    name,
    anchor,
    type: typeName(document, referenced),
    presence,
    lifecycle: lifecycleOf(schema),
    isSecret: schema.format === "password",
    constraints: constraintsOf(schema),
    ...readValues(document, schema, parts),
    unspecified: [...new Set(sources.flatMap(unspecifiedOf))],
    sources,
    description: schema.description ?? "",
    examples: examplesOf(schema, place),
    isCut,
    ...content,
  };
}

/** The values that are listed in the schemas that describe a value. */
function readValues(
  document: OpenApiDocument,
  { enum: listed }: SchemaObject,
  parts: readonly SchemaObject[],
): KnownValues {
  if (listed !== undefined) return { knownValues: listed, hasOtherValues: false, describedValues: [] };
  for (const part of parts) {
    const constants = constantsOf(document, part);
    if (constants.length < 2) continue;
    const isDescribed = constants.some(({ title, description }) => title + description !== "");
    const knownValues = constants.map(({ value }) => value);
    return { knownValues, hasOtherValues: false, describedValues: isDescribed ? constants : [] };
  }
  const knownValues = [...new Set(parts.flatMap((part) => stringsOf(extensionOf(part, "x-extensible-enum"))))];
  return { knownValues, hasOtherValues: true, describedValues: [] };
}

function hasContent({ properties, items, anyOf, oneOf, allOf, additionalProperties }: SchemaObject): boolean {
  return [properties, items, anyOf, oneOf, allOf, additionalProperties].some((part) => typeof part === "object");
}

function readContent(schema: SchemaObject, place: FieldContext): Pick<Field, "fields" | "alternatives"> {
  const fields = readMembers(schema, place);
  const alternatives = [schema, ...(schema.allOf ?? [])].flatMap((part) => readAlternatives(part, place));
  return { fields, alternatives };
}

/** For constants and plain alternatives, the values or the type's name are enough. */
function readAlternatives(schema: SchemaObject, place: FieldContext): readonly Field[] {
  const { document } = place;
  const listed = alternativesOf(document, schema);
  if (constantsOf(document, schema).length > 0 || listed.every((one) => isPlain(one.schema))) return [];
  return listed.map(({ name, schema: one }) => {
    const field = readField(one, { ...place, name, anchor: `${place.anchor}-${anchorOf(name)}`, presence: "unknown" });
    return withDiscriminator(field, schema, one);
  });
}

/** An alternative with the values of the discriminator that tell it apart. */
function withDiscriminator(field: Field, { discriminator }: SchemaObject, alternative: SchemaObject): Field {
  if (discriminator === undefined) return field;
  const { propertyName } = discriminator;
  const values = discriminatorValues(discriminator, alternative);
  const [code] = values;
  if (code === undefined) return field;
  const told = { knownValues: values, hasOtherValues: false, describedValues: [] };
  return {
    ...field,
    constraints: [
      { keyword: "discriminator", words: `${propertyName} is`, code: values.join(" or ") },
      ...field.constraints,
    ],
    fields: field.fields.map((one) => (one.name === propertyName ? { ...one, ...told } : one)),
  };
}

function readMembers(schema: SchemaObject, place: FieldContext): readonly Field[] {
  const { document, direction } = place;
  const { properties = {}, patternProperties = {}, additionalProperties, items, prefixItems = [], required } = schema;
  const isUnknown = direction === "request" && required === undefined;
  const member = (name: string, part: SchemaObject, presence: Presence): Field =>
    readField(part, { ...place, name, presence, anchor: `${place.anchor}.${anchorOf(name)}` });
  const unlisted = (required ?? [])
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => [name, {}] as const);
  const named = [...schemasIn(properties), ...unlisted]
    .filter(([, property]) => isVisible(document, property, direction))
    .map(([name, part]) => member(name, part, presenceOf(required?.includes(name) === true, isUnknown, direction)));
  const byPattern = schemasIn(patternProperties).map(([pattern, part]) => member(pattern, part, "unknown"));
  const isDescribed = isObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  const free = isDescribed ? [member("<key>", additionalProperties, "unknown")] : [];
  const positions = prefixItems.map((part, index) => member(`[${String(index)}]`, part, "unknown"));
  return [...named, ...byPattern, ...free, ...positions, ...(isObject(items) ? readItems(items, place) : [])];
}

/**
 * An array has the fields of its items. Items without fields have a separate line if there is more to say
 * about them.
 */
function readItems(items: SchemaObject, place: FieldContext): readonly Field[] {
  const item = readField(items, { ...place, name: "[]", presence: "unknown", anchor: `${place.anchor}[]` });
  return item.isCut || hasFacts(item) ? [item] : item.fields;
}

/** Returns whether there is more to say about a value than its type and its fields. */
function hasFacts({ unspecified, knownValues, constraints, alternatives, examples, description }: Field): boolean {
  return (
    description !== "" ||
    [unspecified, knownValues, constraints, alternatives, examples].some(({ length }) => length > 0)
  );
}

/** The schemas in a map. A property that may have any value has an empty one, and one that can't be there has none. */
function schemasIn(map: object): readonly (readonly [string, SchemaObject])[] {
  return Object.entries(map).flatMap(([name, part]: [string, unknown]) =>
    isSchema(part) ? [[name, part] as const] : part === true ? [[name, {}] as const] : [],
  );
}

function presenceOf(isRequired: boolean, isUnknown: boolean, direction: Direction): Presence {
  if (direction === "response") return isRequired ? "listed" : "maybe";
  if (isRequired) return "required";
  return isUnknown ? "unknown" : "optional";
}

/** Returns whether a type name says everything about a schema. */
function isPlain(schema: SchemaObject): boolean {
  const { properties, required, allOf, anyOf, oneOf, items, description, enum: values } = schema;
  const others = [componentName(schema), properties, required, allOf, anyOf, oneOf, items, description, values];
  return [...others, ...unspecifiedOf(schema), ...constraintsOf(schema)].every((part) => part === undefined);
}

/** A name as part of an HTML id, which can't contain spaces. */
function anchorOf(name: string): string {
  return /^[\w.$-]+$/.test(name) ? name : slugOf(name) || "key";
}
