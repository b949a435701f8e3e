import type {
  Oas3_1Definition,
  Oas3_1Schema,
  Oas3MediaType,
  Oas3Operation,
  Oas3Parameter,
  Oas3PathItem,
  Oas3RequestBody,
  Oas3Response,
  Oas3SecurityScheme,
  OasRef,
} from "@redocly/openapi-core";

export type Document = Oas3_1Definition;
export type Schema = Oas3_1Schema;
export type MediaType = Oas3MediaType<Schema>;
export type Operation = Oas3Operation<Schema>;
export type Parameter = Oas3Parameter<Schema>;
export type PathItem = Oas3PathItem<Schema>;
export type RequestBody = Oas3RequestBody<Schema>;
export type Response = Oas3Response<Schema>;
export type SecurityScheme = Oas3SecurityScheme;

/** The fixed fields of a Path Item Object that hold an operation (OpenAPI 3.1.1, section 4.8.9.1). */
export const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type Method = (typeof methods)[number];

/** An operation with what its place in the document says about it. */
export interface OperationEntry {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
  /** The path item's parameters and the operation's, in that order; the operation's override by `in` and `name`. */
  readonly parameters: readonly Parameter[];
}

/** An object with string keys: neither `null` nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isReference(value: unknown): value is OasRef {
  return isObject(value) && typeof value["$ref"] === "string";
}

/**
 * Tells whether a parsed value is an OpenAPI 3.1 description. Only its outermost shape is looked at: every bundle has
 * passed lint, which checks the rest against the specification.
 */
export function isDocument(value: unknown): value is Document {
  return (
    isObject(value) &&
    typeof value["openapi"] === "string" &&
    value["openapi"].startsWith("3.1.") &&
    (value["paths"] === undefined || isObject(value["paths"]))
  );
}

/** Every operation of a bundle, in the document's order. */
export function listOperations(document: Document): OperationEntry[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, referenced]) => {
    const pathItem = resolve(document, referenced);
    return methods.flatMap((method) => {
      const operation = pathItem[method];
      if (operation === undefined) return [];
      const parameters = new Map<string, Parameter>();
      for (const reference of [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])]) {
        const parameter = resolve(document, reference);
        parameters.set(`${parameter.in ?? ""} ${parameter.name}`, parameter);
      }
      return [{ path, method, operation, parameters: [...parameters.values()] }];
    });
  });
}

/**
 * Follows references inside a bundle until something else than a reference is found.
 * Throws where a reference leads nowhere or in a circle, which a bundle that passed lint does not have.
 */
export function resolve<T extends object>(document: Document, referenced: T | OasRef): T {
  const seen = new Set<string>();
  let current: T | OasRef = referenced;
  while (isReference(current)) {
    if (seen.has(current.$ref)) throw new Error(`circular reference: ${current.$ref}`);
    seen.add(current.$ref);
    current = find<T>(document, current.$ref);
  }
  return current;
}

function find<T extends object>(document: Document, reference: string): T | OasRef {
  let found: unknown = document;
  for (const key of pointerKeys(reference)) found = isObject(found) ? found[key] : undefined;
  if (!isComponent<T>(found)) throw new Error(`a reference to nothing in the bundle: ${reference}`);
  return found;
}

/** The keys that a reference's JSON Pointer names (RFC 6901, section 6: in a URI fragment, percent-encoded). */
function pointerKeys(reference: string): string[] {
  if (!reference.startsWith("#/")) throw new Error(`not a reference inside the bundle: ${reference}`);
  return reference
    .slice(2)
    .split("/")
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What a reference may stand for is fixed by its place, and lint has checked that its target is of that kind. */
function isComponent<T extends object>(value: unknown): value is T | OasRef {
  return isObject(value);
}
