import { isBinarySchema } from "./binary.ts";
import { elementsOf, isObject, membersOf, pointerKeys, roundedValues, valueAt } from "../values/json.ts";
import { essenceOf, isForm, isJson } from "./mediaTypes.ts";
import { isReference } from "./openapi.ts";
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from "./schemaKeywords.ts";
import { listedValues, typesOf } from "./schemas.ts";
import { jsonType } from "../values/jsonType.ts";

/** A value of a description that may have files. */
export interface Placed {
  /** As written, perhaps a reference. */
  readonly written: unknown;
  /** The target of the reference, or the value itself. */
  readonly value: unknown;
  /** The value at keys, through references. */
  readonly at: (...keys: readonly string[]) => Placed;
}

/** Fields that are supported, but not together, or not with every value. */
export interface Combination {
  readonly objects: readonly string[];
  readonly name: string;
  readonly instead: string;
  /** The keys to the places where an object has it. */
  readonly places: (object: Placed) => readonly (readonly string[])[];
}

/** The combinations that are a no. */
export const profileCombinations: readonly Combination[] = [
  {
    objects: ["Path Item"],
    name: "A body of GET",
    instead: "describe a `post`, or send the values as parameters",
    places: ({ written }) => (valueAt(written, ["get", "requestBody"]) === undefined ? [] : [["get", "requestBody"]]),
  },
  {
    objects: ["Parameter", "Header"],
    name: "An object, `null`, or a list outside the query, in a parameter or header",
    instead: "write a parameter for each value, a list in the query, or a body, and leave out what may be `null`",
    places: (parameter) => (isWrittenAsText(parameter) ? [] : [["schema"]]),
  },
  {
    objects: ["Request Body"],
    name: "Several media types of a request",
    instead: "keep one, or describe an operation for each",
    places: ({ written }) => (membersOf(valueAt(written, ["content"])).length > 1 ? [["content"]] : []),
  },
  {
    objects: ["Content"],
    name: "A body other than JSON with members that are objects, `null` or lists of lists",
    instead: "use JSON, or write `type: string` for a text; `multipart/form-data` may have one part that is an object",
    places: (content) => membersOf(content.written).flatMap(([name]) => (isFlat(content, name) ? [] : [[name]])),
  },
  {
    objects: ["Content"],
    name: "An `encoding` with the `contentType` of a field that isn't a file",
    instead: "leave it out: an object is written as JSON, and other fields as text",
    places: (content) => membersOf(content.written).flatMap(([name]) => typedFields(content, name)),
  },
  {
    objects: ["Schema"],
    name: "Several types, apart from one and `null`, or objects",
    instead: "keep one type, or write `{}` if it is unknown",
    places: (schema) => {
      const hasSeveral = typesOf(record(schema.written)).filter((type) => type !== "null").length > 1;
      const mixed = ["anyOf", "oneOf"].filter((keyword) => {
        const others = alternativesIn(schema, keyword);
        return others.length > 1 && !others.every(isOnlyObject);
      });
      return [...(hasSeveral ? ["type"] : []), ...mixed].map((keyword) => [keyword]);
    },
  },
  {
    objects: ["Schema"],
    name: "`oneOf` of objects, or a `discriminator`, without a `mapping` of each alternative's `const`",
    instead: "give each alternative, a component, a property with `const`, and map it, or write `anyOf` alone",
    places: (schema) => {
      const choices = ["anyOf", "oneOf"].flatMap((keyword) => alternativesIn(schema, keyword));
      const discriminator = record(schema.written)["discriminator"];
      if (discriminator !== undefined) return isMapped(choices, discriminator) ? [] : [["discriminator"]];
      const isChoice = alternativesIn(schema, "oneOf").length > 1 && choices.every(isOnlyObject);
      return isChoice ? [["oneOf"]] : [];
    },
  },
  {
    objects: ["Schema"],
    name: "`allOf` with anything but objects",
    instead: "write one schema, or a `$ref` with its `description` beside it",
    places: (schema) => {
      if (!("allOf" in record(schema.written))) return [];
      const isMergeable = (part: Placed) => isOnlyObject(part) && alternativesIn(part, "anyOf", "oneOf").length === 0;
      const parts = [...membersAt(schema, "allOf"), schema];
      return parts.every((part) => isAnnotation(part) || isMergeable(part)) ? [] : [["allOf"]];
    },
  },
  {
    objects: ["Schema"],
    name: "`$ref`, `anyOf` or `oneOf` beside keywords that aren't annotations",
    instead:
      "move these keywords into the schemas that it names, or write `allOf` of the `$ref` and an object with them",
    places: ({ written }) => {
      const keywords = Object.keys(record(written)).filter(
        (one) => !annotations.includes(one) && !one.startsWith("x-"),
      );
      const combined = combining.find((keyword) => keywords.includes(keyword));
      const [beside] = keywords.filter((keyword) => keyword !== combined);
      return combined === undefined || beside === undefined ? [] : [[beside]];
    },
  },
  {
    objects: ["Schema"],
    name: "A required property that contains the schema again without end",
    instead: "leave it out of `required`, or allow `null`, another alternative or an empty list",
    places: (schema) =>
      requiredAt(schema).flatMap(([name, property]) =>
        isEndless(property, [schema.value]) ? [["properties", name]] : [],
      ),
  },
  {
    objects: ["Response"],
    name: "A form in a response",
    instead: "use JSON, or pass the form on as a `text/plain` string",
    places: ({ written }) =>
      membersOf(valueAt(written, ["content"])).flatMap(([name]) =>
        isForm(essenceOf(name)) ? [["content", name]] : [],
      ),
  },
  {
    objects: ["Schema", "Parameter", "Header", "Media Type", "Example"],
    name: "An integer beyond 2^53, which JavaScript rounds",
    instead: "describe it as a text, with `type: string`, and leave out limits that are larger",
    places: ({ written }) =>
      membersOf(written).flatMap(([field, value]) =>
        valueFields.has(field) && roundedValues(value).length > 0 ? [[field]] : [],
      ),
  },
  {
    objects: ["Schema"],
    name: "A reference into a schema or an operation",
    instead: "move its target to `components`",
    places: ({ written }) => (isReference(written) && leadsInside(written.$ref) ? [["$ref"]] : []),
  },
];

function requiredAt(schema: Placed): readonly (readonly [name: string, property: Placed])[] {
  const { required, properties } = record(schema.value);
  const names = elementsOf(required).map(String);
  return membersOf(properties).flatMap(([name]) =>
    names.includes(name) ? [[name, schema.at("properties", name)] as const] : [],
  );
}

/** Schemas with a value that ends. */
const ending = new WeakSet<object>();

/** Whether each value of a schema contains one of the schemas around it. */
function isEndless(schema: Placed, around: readonly unknown[]): boolean {
  const { value } = schema;
  if (!isObject(value) || ending.has(value)) return false;
  if (around.includes(value)) return true;
  const inner = [...around, value];
  const areEndless = (all: readonly Placed[]) => all.length > 0 && all.every((one) => isEndless(one, inner));
  const parts = [...membersAt(schema, "allOf"), ...requiredAt(schema).map(([, property]) => property)];
  const items = Number(value["minItems"]) > 0 && isObject(value["items"]) ? [schema.at("items")] : [];
  const isFound =
    [...parts, ...items].some((one) => isEndless(one, inner)) ||
    ["anyOf", "oneOf"].some((keyword) => areEndless(membersAt(schema, keyword)));
  if (!isFound) ending.add(value);
  return isFound;
}

/** Fields with values and limits. */
const valueFields: ReadonlySet<string> = new Set([
  ..."example examples value const enum default".split(" "),
  ..."minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" "),
]);

const combining = ["$ref", "anyOf", "oneOf"];

/** Keywords that say something about a value, but don't restrict it. */
const annotations = [
  ..."title summary description default example examples deprecated readOnly writeOnly nullable".split(" "),
  ..."discriminator xml externalDocs $comment".split(" "),
];

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function membersAt(schema: Placed, keyword: string): readonly Placed[] {
  return elementsOf(record(schema.value)[keyword]).map((_, index) => schema.at(keyword, String(index)));
}

/** The alternatives but `null`. */
function alternativesIn(schema: Placed, ...keywords: readonly string[]): readonly Placed[] {
  const members = keywords.flatMap((keyword) => membersAt(schema, keyword));
  return members.filter((member) => typesAt(member).some((type) => type !== "null") || typesAt(member).length === 0);
}

const knownTypes = new WeakMap<object, readonly string[]>();

/** The types that a value may have. Empty if that isn't described. */
function typesAt(schema: Placed): readonly string[] {
  const { value } = schema;
  if (!isObject(value)) return [];
  const known = knownTypes.get(value);
  if (known !== undefined) return known;
  // A schema that contains itself for the same value says nothing.
  knownTypes.set(value, []);
  const own = ownTypes(value);
  const alternatives = [...membersAt(schema, "anyOf"), ...membersAt(schema, "oneOf")].flatMap(typesAt);
  const types = [own, alternatives, membersAt(schema, "allOf").flatMap(typesAt)].find((found) => found.length > 0);
  const found = [...new Set([...(types ?? []), ...(value["nullable"] === true && types ? ["null"] : [])])];
  knownTypes.set(value, found);
  return found;
}

const objectKeywords = ["properties", "required", "additionalProperties", "minProperties", "maxProperties"];

function ownTypes(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const types = typesOf(schema);
  if (types.length > 0) return types;
  if (objectKeywords.some((keyword) => keyword in schema)) return ["object"];
  if ("items" in schema) return ["array"];
  return [...new Set(listedValues(schema).map(jsonType))];
}

function isOnlyObject(schema: Placed): boolean {
  const types = typesAt(schema);
  return types.length > 0 && types.every(isObjectType);
}

/** Whether a schema says nothing that restricts a value. */
function isAnnotation({ value }: Placed): boolean {
  return isObject(value) && Object.keys(value).every((keyword) => annotations.includes(keyword));
}

function isObjectType(type: string): boolean {
  return type === "object";
}

/** Whether a parameter or header is a primitive, or in the query a list of them. */
function isWrittenAsText(parameter: Placed): boolean {
  const schema = parameter.at("schema");
  if (isPrimitive(schema)) return true;
  const isList = typesAt(schema).every((type) => type === "array") && isPrimitive(schema.at("items"));
  return isList && valueAt(parameter.written, ["in"]) === "query";
}

const primitiveTypes = ["boolean", "integer", "number", "string"];

/** Whether all values of a schema are written as one text, which `null` isn't. True if the schema doesn't say. */
function isPrimitive(schema: Placed): boolean {
  return typesAt(schema).every((type) => primitiveTypes.includes(type));
}

/** Whether a body that isn't JSON has values that its media type can write. */
function isFlat(content: Placed, mediaType: string): boolean {
  const essence = essenceOf(mediaType);
  const schema = content.at(mediaType, "schema");
  // Rows of the table are about XML and other multipart types.
  const isXml = essence.endsWith("/xml") || essence.endsWith("+xml");
  if (isJson(essence) || isXml || (essence.startsWith("multipart/") && !isForm(essence))) return true;
  if (!isForm(essence)) return typesAt(schema).every((type) => type === "string");
  const fields = propertiesAt(schema).map(([, field]) => field);
  const objects = fields.filter((field) => typesAt(field).includes("object"));
  const isMultipart = essence === "multipart/form-data";
  const areFlat = fields.every((field) => !typesAt(field).includes("null") && isPrimitive(field.at("items")));
  return typesAt(schema).every(isObjectType) && objects.length <= (isMultipart ? 1 : 0) && areFlat;
}

/** The media types of fields that no program writes: a field of a form has none. */
function typedFields(content: Placed, mediaType: string): readonly (readonly string[])[] {
  const names = membersOf(content.at(mediaType, "encoding").value).map(([name]) => name);
  const isFile = (field: Placed) =>
    isBinarySchema(record(field.value)) || isBinarySchema(record(field.at("items").value));
  return propertiesAt(content.at(mediaType, "schema")).flatMap(([name, field]) =>
    names.includes(name) && !isFile(field) ? [[mediaType, "encoding", name]] : [],
  );
}

/** The properties of an object, also those of the objects that it combines. */
function propertiesAt(
  schema: Placed,
  around: readonly unknown[] = [],
): readonly (readonly [name: string, property: Placed])[] {
  if (around.includes(schema.value)) return [];
  const names = membersOf(record(schema.value)["properties"]);
  const own = names.map(([name]) => [name, schema.at("properties", name)] as const);
  const combined = membersAt(schema, "allOf").flatMap((part) => propertiesAt(part, [...around, schema.value]));
  return [...own, ...combined];
}

/**
 * Whether the mapping of a discriminator has each alternative, and the property says in each which texts are mapped to it,
 * because JSON Schema doesn't know discriminators.
 */
function isMapped(alternatives: readonly Placed[], discriminator: unknown): boolean {
  const mapping = membersOf(valueAt(discriminator, ["mapping"]));
  const name = String(valueAt(discriminator, ["propertyName"]));
  const isReported = (one: Placed) => {
    const mapped = mapping.filter(([, reference]) => isReference(one.written) && reference === one.written.$ref);
    const values = valuesOfProperty(one, name);
    return mapped.length > 0 && values.length === mapped.length && mapped.every(([text]) => values.includes(text));
  };
  return alternatives.length > 0 && alternatives.every(isReported);
}

/** The listed values of a property. */
function valuesOfProperty(schema: Placed, name: string, around: readonly unknown[] = []): readonly unknown[] {
  if (around.includes(schema.value)) return [];
  const property = record(schema.at("properties", name).value);
  const inner = membersAt(schema, "allOf").flatMap((part) => valuesOfProperty(part, name, [...around, schema.value]));
  return [...new Set([...listedValues(property), ...inner])];
}

const inside = [...schemaKeywords, ...schemaMapKeywords, ...schemaListKeywords, "schema"];

/** Whether a reference leads to a part of a schema, or of an operation, instead of a whole component. */
function leadsInside(reference: string): boolean {
  const [, pointer = ""] = reference.split("#");
  const keys = pointerKeys(pointer);
  return keys.some((key, index) => inside.includes(key) && keys[index - 1] !== "schemas");
}
