import type * as redocly from "@redocly/openapi-core";
import { isObject, stringsOf } from "./json.ts";
import { valueAt } from "./jsonPointer.ts";

/** The objects of an OpenAPI 3.1 description as they are written, by the specification's names for them. */
export type OpenApiDocument = redocly.Oas3_1Definition;
export type SchemaObject = redocly.Oas3_1Schema;
export type MediaTypeObject = redocly.Oas3MediaType<SchemaObject>;
export type OperationObject = redocly.Oas3Operation<SchemaObject>;
export type ParameterObject = redocly.Oas3Parameter<SchemaObject>;
export type PathItemObject = redocly.Oas3PathItem<SchemaObject>;
export type ResponseObject = redocly.Oas3Response<SchemaObject>;
export type SecuritySchemeObject = redocly.Oas3SecurityScheme;
export type ReferenceObject = redocly.OasRef;

/** The fixed fields of a Path Item Object that hold an operation (OpenAPI 3.1.1, section 4.8.9.1). */
export const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type Method = (typeof methods)[number];

/** Tells whether a value is a Schema Object and not a boolean schema. Lint has checked what its keywords hold. */
export function isSchema(value: unknown): value is SchemaObject {
  return isObject(value);
}

export function isReference(value: unknown): value is ReferenceObject {
  return isObject(value) && typeof value["$ref"] === "string";
}

/** Tells an OpenAPI 3.1 description by its outermost shape: every bundle has passed lint, which checks the rest. */
export function isDocument(value: unknown): value is OpenApiDocument {
  return (
    isObject(value) &&
    typeof value["openapi"] === "string" &&
    value["openapi"].startsWith("3.1.") &&
    (value["paths"] === undefined || isObject(value["paths"]))
  );
}

/** The response of a status: by its code, else by its range, else the default (OpenAPI 3.1.1, section 4.8.16). */
export function responseOf<T extends { readonly status: string }>(responses: readonly T[], status: number) {
  const named = (name: string) => responses.find((response) => response.status.toUpperCase() === name);
  return named(String(status)) ?? named(`${String(status).charAt(0)}XX`) ?? named("DEFAULT");
}

/** The value of a specification extension (OpenAPI 3.1.1, section 4.9), which the types of objects leave out. */
export function extensionOf(object: unknown, name: `x-${string}`): unknown {
  return valueAt(object, [name]);
}

/** The gaps that the `x-unspecified` of an object of the description names. */
export function unspecifiedOf(object: unknown): readonly string[] {
  return stringsOf(extensionOf(object, "x-unspecified"));
}
