import ts from "typescript";
import type { MediaType, Operation } from "../contract/generation.ts";
import { propertyName } from "../samples/javaScriptText.ts";
import { lastKey } from "../spec/json.ts";
import { isReference } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";

/** A doc comment, which may end with an example in TypeScript, as lines; empty if there is no text. */
export function docComment(text: string, example = "", indent = ""): string {
  if (text.trim() === "") return "";
  const width = 115 - indent.length;
  // The last space within the width, or the first one after a longer word, in a line that is too long.
  const ends = new RegExp(`(?=.{${width + 1}})(.{1,${width}}|\\S+) `, "g");
  const lines = text.trim().replaceAll(ends, "$1\n").split("\n");
  const shown = example === "" ? [] : ["", "@example", ...example.split("\n")];
  return `/*${commentText([...lines, ...shown])}*/\n`.replaceAll(/^(?=.)/gm, indent);
}

/** Lines as a JSDoc comment, without its delimiters. */
export function commentText(lines: readonly string[]): string {
  const escaped = lines.map((line) => line.replaceAll("*/", "*\\/"));
  const [only, ...others] = escaped;
  if (others.length === 0) return `* ${only ?? ""} `;
  return ["*", ...escaped.map((line) => ` * ${line}`.trimEnd()), " "].join("\n");
}

/** The comment at the beginning of a module, with an example of the use of its exports. */
export function moduleComment(text: string, example: string): string {
  return `${docComment(`${text}\n\n@module`, example)}\n`;
}

/** The access to a member of an object, to be written after the object: `.name`. */
export function memberAccess(name: string): string {
  return propertyName(name) === name ? `.${name}` : `[${JSON.stringify(name)}]`;
}

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

/** Tells whether a name can be that of a type or a constant. */
export function isTypeName(name: string): boolean {
  const isIdentifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
  return isIdentifier && ts.identifierToKeywordKind(ts.factory.createIdentifier(name)) === undefined;
}

/** An operation's `operationId`, or its name as one: `getTeamsTeamId`. */
export function operationKey({ operationId, method, path }: Operation): string {
  const words = path.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return operationId ?? method + words.map(capitalize).join("");
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export type TypeNames = ReturnType<typeof createTypeNames>;

/** The types in the text of a `types.ts`, as a module names them that imports it as `types`. */
export function createTypeNames(types: string) {
  const matches = types.matchAll(/^export type (\S+) = components\["schemas"\]/gm);
  const exported = new Set([...matches].map(([, name = ""]) => name));
  const ofComponent = (name: string) =>
    exported.has(name) ? `types.${name}` : `types.components["schemas"][${JSON.stringify(name)}]`;
  /** The type of what an operation's request, or its response with a status, contains. */
  const ofContent = ({ path, method }: Operation, status: string | undefined, { mediaType, schema }: MediaType) => {
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
