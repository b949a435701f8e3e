import type { MediaType, Operation } from "../contract/generation.ts";
import { lastKey } from "../spec/jsonPointer.ts";
import { isObject } from "../spec/json.ts";
import { isReference, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { isTypeName } from "./typesModule.ts";

/** Makes names of constants that are valid, and different from each other and from those that are taken. */
export function createNames(taken: Iterable<string>): (wanted: string) => string {
  // Strict code cannot declare them, although they are no keywords.
  const used = new Set(["arguments", "eval", "globalThis", ...taken]);
  return (wanted) => {
    const valid = wanted.replaceAll(/[^\p{ID_Continue}$]/gu, "_").replace(/^(?![\p{ID_Start}$_])/u, "_");
    let name = valid;
    for (let number = 2; used.has(name) || !isTypeName(name); number += 1) name = `${valid}_${number}`;
    used.add(name);
    return name;
  };
}

/** An operation's `operationId`, or its name as one: `getTeamsTeamId`. */
export function operationKey({ operationId, method, path }: Operation): string {
  const words = path.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return operationId ?? method + words.map(capitalize).join("");
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The name of an export of a client module, which gets the prefix `Contract` if a schema has the name. */
export function clientExport(name: string, { components }: OpenApiDocument): string {
  return Object.hasOwn(components?.schemas ?? {}, name) ? `Contract${name}` : name;
}

/** The schemas that a `types.ts` exports by their own names. */
export function exportedSchemas(types: string): ReadonlySet<string> {
  return new Set([...types.matchAll(/^export type (\S+) = components\["schemas"\]/gm)].map(([, name = ""]) => name));
}

/** The type of a component, for a module that imports all types as `types`. */
export function componentType(name: string, exported: ReadonlySet<string>): string {
  return exported.has(name) ? `types.${name}` : `types.components["schemas"][${JSON.stringify(name)}]`;
}

/** Likewise, the type of what an operation's request, or its response with a status, contains. */
export function contentType(
  { path, method }: Operation,
  status: string | undefined,
  { mediaType, schema }: MediaType,
  exported: ReadonlySet<string>,
): string {
  const component = componentName(schema);
  if (component !== undefined) return componentType(component, exported);
  if (allowsAnything(schema)) return "unknown";
  const operation = `types.paths[${JSON.stringify(path)}]["${method}"]`;
  const message =
    status === undefined
      ? `NonNullable<${operation}["requestBody"]>`
      : `${operation}["responses"][${/^\d+$/.test(status) ? status : JSON.stringify(status)}]`;
  return `${message}["content"][${JSON.stringify(mediaType)}]`;
}

function allowsAnything(schema: unknown): boolean {
  return schema === true || (isObject(schema) && isUntyped(schema));
}

/** The component that a schema is a reference to, and nothing else. */
function componentName(schema: SchemaObject): string | undefined {
  const isPlain = isReference(schema) && Object.keys(schema).length === 1;
  return isPlain && /^#\/components\/schemas\/[^/]+$/.test(schema.$ref) ? lastKey(schema.$ref) : undefined;
}
