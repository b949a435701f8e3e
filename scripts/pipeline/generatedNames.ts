import type { MediaType, Operation } from "../contract/generation.ts";
import { lastKey } from "../spec/jsonPointer.ts";
import { isReference, type OpenApiDocument } from "../spec/openapi.ts";
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

export type TypeNames = ReturnType<typeof createTypeNames>;

/** The types in the text of a `types.ts`, as a module names them that imports it as `types`. */
export function createTypeNames(types: string) {
  const matches = types.matchAll(/^export type (\S+) = components\["schemas"\]/gm);
  const exported = new Set([...matches].map(([, name = ""]) => name));
  const ofComponent = (name: string) =>
    exported.has(name) ? `types.${name}` : `types.components["schemas"][${JSON.stringify(name)}]`;
  /** The type of what an operation's request, or its response with a status, contains. */
  const ofContent = (
    { path, method }: Operation,
    status: string | undefined,
    { mediaType, schema }: MediaType,
  ): string => {
    const isPlain = isReference(schema) && Object.keys(schema).length === 1;
    if (isPlain && /^#\/components\/schemas\/[^/]+$/.test(schema.$ref)) return ofComponent(lastKey(schema.$ref));
    if (isUntyped({ ...schema })) return "unknown";
    const operation = `types.paths[${JSON.stringify(path)}]["${method}"]`;
    const message =
      status === undefined
        ? `NonNullable<${operation}["requestBody"]>`
        : `${operation}["responses"][${/^\d+$/.test(status) ? status : JSON.stringify(status)}]`;
    return `${message}["content"][${JSON.stringify(mediaType)}]`;
  };
  return { ofComponent, ofContent };
}
