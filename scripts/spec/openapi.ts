import type * as redocly from "@redocly/openapi-core";
import { isObject, pointerKeys, stringsOf, valueAt } from "../values/json.ts";
import { fillTemplate } from "./pathTemplate.ts";
import { isSuccessStatus } from "./statusKeys.ts";

/** The objects of an OpenAPI 3.1 description as written, under the specification's names. */
export type OpenApiDocument = redocly.Oas3_1Definition;
export type SchemaObject = redocly.Oas3_1Schema;
/** A parameter without its name and place. */
export type HeaderObject = Omit<ParameterObject, "name" | "in">;
export type MediaTypeObject = redocly.Oas3MediaType<SchemaObject>;
export type OperationObject = redocly.Oas3Operation<SchemaObject>;
export type ParameterObject = redocly.Oas3Parameter<SchemaObject>;
export type PathItemObject = redocly.Oas3PathItem<SchemaObject>;
export type ResponseObject = redocly.Oas3Response<SchemaObject>;
export type ServerObject = NonNullable<OpenApiDocument["servers"]>[number];
export type SecuritySchemeObject = redocly.Oas3SecurityScheme;
export type ReferenceObject = redocly.OasRef;

/** The fields of a Path Item Object that contain operations (OpenAPI 3.1.1, section 4.8.9.1). */
export const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type Method = (typeof methods)[number];

/** An operation of a path item. */
interface MethodOperation {
  readonly method: Method;
  readonly operation: OperationObject;
}

/** The operations of a path item. */
export function operationsIn(pathItem: unknown): readonly MethodOperation[] {
  return methods.flatMap((method) => {
    const operation = valueAt(pathItem, [method]);
    return isOfKind<OperationObject>(operation) ? [{ method, operation }] : [];
  });
}

/**
 * Returns whether a value is a Schema Object rather than a boolean schema. Lint has checked the keywords'
 * values.
 */
export function isSchema(value: unknown): value is SchemaObject {
  return isObject(value);
}

export function isReference(value: unknown): value is ReferenceObject {
  return isObject(value) && typeof value["$ref"] === "string";
}

/**
 * Recognizes an OpenAPI 3.1 or 3.2 description by its top level. Every bundle has passed lint, which checks the
 * rest.
 */
export function isDocument(value: unknown): value is OpenApiDocument {
  return (
    isObject(value) &&
    typeof value["openapi"] === "string" &&
    ["3.1.", "3.2."].includes(value["openapi"].slice(0, 4)) &&
    (value["paths"] === undefined || isObject(value["paths"]))
  );
}

/** A response by its name in the Responses Object: a status code, a range such as `2XX`, or `default`. */
interface NamedResponse {
  readonly status: string;
}

/**
 * The response for a status: by its code, else by its range, else the default (OpenAPI 3.1.1, section
 * 4.8.16), if that can have the status.
 */
export function responseOf<T extends NamedResponse>(responses: readonly T[], status: number): T | undefined {
  const named = (name: string) => responses.find((response) => response.status.toUpperCase() === name);
  const listed = named(String(status)) ?? named(`${String(status).charAt(0)}XX`);
  return listed ?? (status >= lowestDefault(responses) ? named("DEFAULT") : undefined);
}

/** The lowest status that `default` stands for. If a success is declared, `default` is for failures. */
export function lowestDefault(responses: readonly NamedResponse[]): number {
  return responses.some(({ status }) => isSuccessStatus(status)) ? 400 : 200;
}

/**
 * Tells whether there may be a status that is not listed: known failures may not be all (OpenAPI 3.1.1, section 4.8.16), but
 * beside a listed success, another one contradicts. A success of unknown status is written as `2XX`.
 */
export function mayHaveStatus(responses: readonly NamedResponse[], status: number): boolean {
  return status >= lowestDefault(responses);
}

/** The value of a specification extension (OpenAPI 3.1.1, section 4.9), which the types of objects leave out. */
export function extensionOf(object: unknown, name: `x-${string}`): unknown {
  return valueAt(object, [name]);
}

/** The gaps in the `x-unspecified` of an object. */
export function unspecifiedOf(object: unknown): readonly string[] {
  return stringsOf(extensionOf(object, "x-unspecified"));
}

/** The URLs of servers, with the default values of their variables, which lint requires. They may be relative. */
export function serverUrls(servers: readonly ServerObject[]): readonly string[] {
  return servers.map(({ url, variables = {} }) => fillTemplate(url, (name) => variables[name]?.default ?? `{${name}}`));
}

/** The paths of a description's servers that aren't the root: `/api/v3`. */
export function basePaths({ servers = [] }: OpenApiDocument): readonly string[] {
  const paths = serverUrls(servers).map((url) => URL.parse(url, "http://localhost")?.pathname ?? "");
  return [...new Set(paths.map((path) => (path.endsWith("/") ? path.slice(0, -1) : path)))].filter(Boolean);
}

/** The target of a reference within a bundle. `undefined` if it leads nowhere, out of the bundle, or to an anchor. */
export function referencedValue(document: object, reference: string): unknown {
  const isPointer = reference === "#" || reference.startsWith("#/");
  return isPointer ? valueAt(document, pointerKeys(reference)) : undefined;
}

/** Returns whether a reference leads to an anchor in its own file, and not to a JSON Pointer (JSON Schema Core, section 8.2.2). */
export function namesAnchor(reference: string): boolean {
  return /^#[^/]/.test(reference);
}

/** Follows references within a bundle. Throws if one leads nowhere or in a circle, which lint rules out. */
export function resolve<T extends object>(document: object, referenced: T | ReferenceObject): T {
  const seen = new Set<string>();
  let current = referenced;
  while (isReference(current)) {
    const { $ref } = current;
    const target = referencedValue(document, $ref);
    if (!isOfKind<T | ReferenceObject>(target)) throw new Error(`nothing in the bundle is at ${$ref}`);
    if (seen.has($ref)) throw new Error(`${$ref} refers to itself`);
    seen.add($ref);
    current = target;
  }
  return current;
}

/**
 * A schema with its reference followed. Keywords beside the reference apply too (OpenAPI 3.1.1, section
 * 4.8.23).
 */
export function resolveSchema(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  const target = resolve<SchemaObject>(document, schema);
  const beside = isReference(schema) ? Object.entries(schema).filter(([keyword]) => keyword !== "$ref") : [];
  return beside.length === 0 ? target : { ...target, ...Object.fromEntries(beside) };
}

/** Lint has checked that a reference leads to the kind of object that its place requires. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The kind is only known where it is called.
function isOfKind<T extends object>(value: unknown): value is T {
  return isObject(value);
}
