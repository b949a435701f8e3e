import type {
  Oas3_1Definition,
  Oas3_1Schema,
  Oas3Example,
  Oas3MediaType,
  Oas3Operation,
  Oas3Parameter,
  Oas3PathItem,
  Oas3RequestBody,
  Oas3Response,
  Oas3SecurityScheme,
  OasRef,
} from "@redocly/openapi-core";

/** The objects of an OpenAPI 3.1 description as they are written, by the specification's names for them. */
export type OpenApiDocument = Oas3_1Definition;
export type SchemaObject = Oas3_1Schema;
export type ExampleObject = Oas3Example;
export type MediaTypeObject = Oas3MediaType<SchemaObject>;
export type OperationObject = Oas3Operation<SchemaObject>;
export type ParameterObject = Oas3Parameter<SchemaObject>;
export type PathItemObject = Oas3PathItem<SchemaObject>;
export type RequestBodyObject = Oas3RequestBody<SchemaObject>;
export type ResponseObject = Oas3Response<SchemaObject>;
export type SecuritySchemeObject = Oas3SecurityScheme;
export type ReferenceObject = OasRef;

/** The fixed fields of a Path Item Object that hold an operation (OpenAPI 3.1.1, section 4.8.9.1). */
export const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type Method = (typeof methods)[number];

/** Tells whether a value is an object with string keys: neither `null` nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isReference(value: unknown): value is ReferenceObject {
  return isObject(value) && typeof value["$ref"] === "string";
}

/**
 * Tells whether a parsed value is an OpenAPI 3.1 description. Only its outermost shape is checked: every bundle has
 * passed lint, which checks the rest against the specification.
 */
export function isDocument(value: unknown): value is OpenApiDocument {
  return (
    isObject(value) &&
    typeof value["openapi"] === "string" &&
    value["openapi"].startsWith("3.1.") &&
    (value["paths"] === undefined || isObject(value["paths"]))
  );
}

/** The response of a status: by its code, else by its range, else the default (OpenAPI 3.1.1, section 4.8.16). */
export function responseOf<T extends { readonly status: string }>(
  responses: readonly T[],
  status: number,
): T | undefined {
  const named = (name: string) => responses.find((response) => response.status.toUpperCase() === name);
  return named(String(status)) ?? named(`${String(status).charAt(0)}XX`) ?? named("DEFAULT");
}

/** The elements of an array; none if the value is something else. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The strings of a list such as `x-unspecified`; none if the value is something else. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The value of a specification extension (OpenAPI 3.1.1, section 4.9), which the types of objects leave out. */
export function extensionOf(object: object, name: `x-${string}`): unknown {
  return Object.entries(object).find(([key]) => key === name)?.[1];
}

/** What the `x-unspecified` of an object of the description says. */
export function unspecifiedOf(object: object): readonly string[] {
  return stringsOf(extensionOf(object, "x-unspecified"));
}

/** Tells whether a media type is JSON: `application/json`, or one with the suffix `+json` (RFC 6839, section 3.1). */
export function isJson(mediaType: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType);
}

/** A media type without its parameters (RFC 9110, section 8.3.1), in lower case. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

/** Tells whether a media type, without parameters, falls under another or under a range such as `text/*`. */
export function fallsUnder(essence: string, declared: string): boolean {
  const range = essenceOf(declared);
  return range === essence || range === "*/*" || (range.endsWith("/*") && essence.startsWith(range.slice(0, -1)));
}

/** Keywords that say what kind of value is expected, or limit what its members or elements may be. */
const typeKeywords = [
  ...["$ref", "$dynamicRef", "type", "const", "enum", "allOf", "anyOf", "oneOf", "not", "if"],
  ...["properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"],
  ...["required", "dependentRequired", "dependentSchemas", "minProperties", "maxProperties"],
  ...["items", "prefixItems", "contains", "unevaluatedItems", "minItems", "maxItems", "uniqueItems"],
];

/** Tells whether a schema allows any kind of value, so that the type of the value is unknown. */
export function isUntyped(schema: Readonly<Record<string, unknown>>): boolean {
  return typeKeywords.every((keyword) => schema[keyword] === undefined);
}
