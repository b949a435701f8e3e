import ts from "typescript";
import type { MediaType, Operation } from "../contract/generation.ts";
import { capitalize, wordsIn } from "../values/text.ts";
import { indent } from "../samples/javaScriptText.ts";
import { pointerKeys } from "../values/json.ts";
import { isReference, type OpenApiDocument, type SchemaObject } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";

/** The lines of a doc comment, which may end with an example in TypeScript. Empty if there is no text. */
export function docComment(text: string, example = "", indentation = 0): string {
  if (text.trim() === "") return "";
  const width = 115 - indentation;
  // Finds the last space within the width, or the first one after a word that is too long.
  const ends = new RegExp(`(?=.{${width + 1}})(.{1,${width}}|\\S+) `, "g");
  const lines = text.trim().replaceAll(ends, "$1\n").split("\n");
  const shown = example === "" ? [] : ["", "@example", ...example.split("\n")];
  return indent(`/*${commentText([...lines, ...shown])}*/\n`, indentation);
}

/** Lines as a JSDoc comment, without its delimiters. */
export function commentText(lines: readonly string[]): string {
  const escaped = lines.map((line) => line.replaceAll("*/", "*\\/"));
  const [only, ...others] = escaped;
  if (others.length === 0) return `* ${only ?? ""} `;
  return ["*", ...escaped.map((line) => ` * ${line}`.trimEnd()), " "].join("\n");
}

/** A module to write. */
interface ModuleParts {
  /** What it is about. Empty for modules without a comment at their beginning. */
  readonly about?: string;
  /** An example that uses its exports. */
  readonly example?: string;
  readonly imports?: readonly string[];
  /** Names that are exported apart from their declarations. */
  readonly exports?: readonly string[];
  /** The rest. There is a blank line between two of them. */
  readonly parts: readonly string[];
}

/** The text of a module. Parts and lines that are empty are left out. */
export function moduleText({ about = "", example = "", imports = [], exports = [], parts }: ModuleParts): string {
  const comment = about === "" ? "" : docComment(`${about}\n\n@module`, example);
  const lines = [imports, exports].map((block) => block.filter((line) => line !== "").join("\n"));
  const blocks = [comment, ...lines, ...parts].map((block) => block.trimEnd()).filter((block) => block !== "");
  return `${blocks.length === 0 ? "export {};" : blocks.join("\n\n")}\n`;
}

/** The union of the types of some texts: `"limit" | "offset"`. */
export function unionOf(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(" | ") || "never";
}

/**
 * Creates a function that turns names into valid constant names, distinct from each other and from those in
 * `taken`.
 */
export function createNames(taken: Iterable<string>): (wanted: string) => string {
  // Not keywords, but strict code can't declare them.
  const used = new Set(["arguments", "eval", "globalThis", ...taken]);
  return (wanted) => {
    const valid = wanted.replaceAll(/[^\p{ID_Continue}$]/gu, "_").replace(/^(?![\p{ID_Start}$_])/u, "_");
    let name = valid;
    for (let number = 2; used.has(name) || !isTypeName(name); number += 1) name = `${valid}_${number}`;
    used.add(name);
    return name;
  };
}

/** Returns whether a name can be the name of a type or a constant. */
function isTypeName(name: string): boolean {
  const isIdentifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
  return isIdentifier && ts.identifierToKeywordKind(ts.factory.createIdentifier(name)) === undefined;
}

/** An operation's `operationId`. If it has none, one derived from its name: `getTeamsTeamId`. */
export function operationKey({ operationId, method, path }: Operation): string {
  return operationId ?? method + wordsIn(path).map(capitalize).join("");
}

/** The names of component schemas that are also the names of their types. */
export function listNamedTypes({ components }: OpenApiDocument): ReadonlySet<string> {
  const names = Object.keys(components?.schemas ?? {});
  return new Set(names.filter((name) => isTypeName(name) && !taken.includes(name)));
}

/** Names that openapi-typescript (7.13) declares or uses, and that schemas may have too. */
const taken =
  "paths webhooks components $defs operations Blob Extract Object Omit ReadonlyArray Record WithRequired".split(" ");

/** The types of a `types.ts`, as written in a module that imports it. */
export interface TypeNames {
  /** The type of a component among the schemas. */
  readonly ofComponent: (name: string) => string;
  /** The type of an operation's request body, or of its response body with a status. */
  readonly ofContent: (operation: Operation, status: string | undefined, content: MediaType) => string;
}

/** `module` is the name that the `types.ts` is imported as. */
export function createTypeNames(document: OpenApiDocument, module = "types"): TypeNames {
  const named = listNamedTypes(document);
  const ofComponent = (name: string) =>
    `${module}.${named.has(name) ? name : `components["schemas"][${JSON.stringify(name)}]`}`;
  return {
    ofComponent,
    ofContent: (operation, status, { mediaType, schema }) => {
      const component = referencedComponent(schema);
      if (component !== undefined) return ofComponent(component);
      if (isUntyped({ ...schema })) return "unknown";
      return `${messageType(module, operation, status)}["content"][${JSON.stringify(mediaType)}]`;
    },
  };
}

/** The name of the component that a schema refers to, if it is only a reference. */
function referencedComponent(schema: SchemaObject): string | undefined {
  return isReference(schema) && Object.keys(schema).length === 1 ? componentAt(schema.$ref) : undefined;
}

/** The name of the component among the schemas that a reference leads to. */
export function componentAt(reference: string): string | undefined {
  const [root, section, name, ...inside] = pointerKeys(reference);
  return root === "components" && section === "schemas" && inside.length === 0 ? name : undefined;
}

/** The type of an operation in `types.ts`. */
export function operationType({ path, method, isWebhook }: Operation): string {
  return `${isWebhook ? "webhooks" : "paths"}[${JSON.stringify(path)}]["${method}"]`;
}

/** The type of an operation's request body, or of its response with a status. */
function messageType(module: string, given: Operation, status?: string): string {
  const operation = `${module}.${operationType(given)}`;
  if (status === undefined) return `NonNullable<${operation}["requestBody"]>`;
  const key = Number.isInteger(Number(status)) ? status : JSON.stringify(status);
  return `${operation}["responses"][${key}]`;
}
