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
    const pathItem = resolve(referenced, document.components?.pathItems);
    return methods.flatMap((method) => {
      const operation = pathItem[method];
      if (operation === undefined) return [];
      const parameters = new Map<string, Parameter>();
      for (const reference of [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])]) {
        const parameter = resolve(reference, document.components?.parameters);
        parameters.set(`${parameter.in ?? ""} ${parameter.name}`, parameter);
      }
      return [{ path, method, operation, parameters: [...parameters.values()] }];
    });
  });
}

/**
 * Follows references until something else than a reference is found. `components` is the section that holds what is
 * looked for: after bundling, a reference is `#/components/<section>/<name>`.
 * Throws where a reference leads nowhere or in a circle, which a bundle that passed lint does not have.
 */
export function resolve<T extends object>(
  referenced: T | OasRef,
  components: Readonly<Record<string, T | OasRef>> | undefined,
): T {
  const seen = new Set<string>();
  let current = referenced;
  while (isReference(current)) {
    const target = components?.[componentName(current.$ref)];
    if (target === undefined) throw new Error(`a reference to nothing in the bundle: ${current.$ref}`);
    if (seen.has(current.$ref)) throw new Error(`a reference to itself: ${current.$ref}`);
    seen.add(current.$ref);
    current = target;
  }
  return current;
}

/** The last key of a reference's JSON Pointer (RFC 6901, section 6: in a URI fragment, percent-encoded). */
export function componentName(reference: string): string {
  const key = reference.slice(reference.lastIndexOf("/") + 1);
  return decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
}
