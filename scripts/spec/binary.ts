import { isObject, stringOf, valueAt } from "../values/json.ts";
import { essenceOf, isJson } from "./mediaTypes.ts";
import { isSchema, resolve, resolveSchema, type OpenApiDocument, type SchemaObject } from "./openapi.ts";
import { isUntyped } from "./schemaKeywords.ts";
import { propertySchemas } from "./schemas.ts";
import { walk } from "./walk.ts";

/**
 * Returns whether a schema describes bytes, which JSON can't contain. That is the case with `format: binary`,
 * as in OpenAPI 3.0, or with a `contentMediaType` without a type and an encoding (OpenAPI 3.1.1, "Working
 * With Binary Data").
 */
export function isBinarySchema(schema: SchemaObject): boolean {
  const { format, type } = schema;
  if (format === "binary") return type === undefined || [type].flat().includes("string");
  const mediaType = stringOf(valueAt(schema, ["contentMediaType"]));
  return mediaType !== undefined && valueAt(schema, ["contentEncoding"]) === undefined && isUntyped(schema);
}

/** Subtypes of `application` that are text, and ranges that may include any type. */
const textual = new Set(
  "* javascript ecmascript graphql sql toml x-ndjson jsonl x-sh x-www-form-urlencoded".split(" "),
);

/** Returns whether a media type is binary rather than text, by its name. */
export function isBinaryType(mediaType: string): boolean {
  const essence = essenceOf(mediaType);
  const [type = "", subtype = ""] = essence.split("/");
  if (isJson(essence) || /\b(?:xml|yaml)$/.test(subtype)) return false;
  return ["image", "audio", "video", "font"].includes(type) || (type === "application" && !textual.has(subtype));
}

/** Returns whether a whole body is binary, by its schema, or else by its media type. */
export function isBinaryContent(
  document: OpenApiDocument,
  { mediaType, schema }: { readonly mediaType: string; readonly schema: SchemaObject },
): boolean {
  if (isJson(mediaType)) return false;
  const described = resolveSchema(document, schema);
  return isBinarySchema(described) || (isUntyped({ ...described }) && isBinaryType(mediaType));
}

/**
 * The properties of a form that are files or lists of files, by name, with their schemas or their items'
 * schemas.
 */
export function fileSchemas(document: OpenApiDocument, form: SchemaObject): ReadonlyMap<string, SchemaObject> {
  const files = new Map<string, SchemaObject>();
  for (const [name, property] of propertySchemas(document, form)) {
    const described = resolveSchema(document, property);
    const { items } = described;
    const file = isObject(items) ? resolveSchema(document, items) : described;
    if (isBinarySchema(file)) files.set(name, file);
  }
  return files;
}

export function isMultipart(mediaType: string): boolean {
  return essenceOf(mediaType).startsWith("multipart/");
}

/**
 * The schemas of a description whose values are binary: whole bodies, and parts of multipart forms. For a
 * body without a schema, the Media Type Object. Values in JSON are text, whatever their format.
 */
export function binaryObjects(document: OpenApiDocument): ReadonlySet<unknown> {
  const known = binaryByDocument.get(document) ?? findBinary(document);
  binaryByDocument.set(document, known);
  return known;
}

const binaryByDocument = new WeakMap<OpenApiDocument, ReadonlySet<unknown>>();

function findBinary(document: OpenApiDocument): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  for (const { value, key: mediaType, parent } of walk(document)) {
    if (!isObject(value) || parent?.isMap !== true || parent.key !== "content") continue;
    const schema = isSchema(value["schema"]) ? value["schema"] : {};
    if (isMultipart(mediaType)) for (const file of fileSchemas(document, schema).values()) found.add(file);
    else if (isBinaryContent(document, { mediaType, schema })) {
      const described = resolve<SchemaObject>(document, schema);
      const own = isBinarySchema(described) ? described : schema;
      found.add("schema" in value ? own : value);
    }
  }
  return found;
}
