import { parseYaml } from "@redocly/openapi-core";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject, isReference } from "../contract/document.ts";
import { membersOf } from "./nodes.ts";

export interface SourceFile {
  readonly text: string;
  /** What the text holds; `undefined` where it is not valid YAML. */
  readonly content: unknown;
}

/** What a description takes from files, itself included. */
export interface Reach {
  /** Absolute paths. */
  readonly files: ReadonlySet<string>;
  /** What references lead to: `<absolute path>#<JSON Pointer>`, not percent-encoded. */
  readonly targets: ReadonlySet<string>;
}

/** Parsed files by their absolute paths: generations share files, and are linted one after the other. */
const parsed = new Map<string, SourceFile>();

/** Reads a YAML or JSON file; `undefined` where it cannot be read. */
export function readSource(path: string): SourceFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const source = { text, content: parse(text) };
  parsed.set(path, source);
  return source;
}

function parse(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return undefined;
  }
}

/** Follows every reference to a local file, from the root of a description. References to nothing lead no further. */
export function traceReferences(root: string): Reach {
  const files = new Set([root]);
  const targets = new Set<string>();
  const seen = new Set<unknown>();

  function visit(value: unknown, file: string): void {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (isReference(value)) followReference(value.$ref, file);
    for (const member of Object.values(value)) visit(member, file);
  }

  function followReference(reference: string, from: string): void {
    if (/^[a-z][a-z\d+.-]+:/i.test(reference)) return;
    const [path = "", fragment = ""] = reference.split("#").map(decode);
    const file = path === "" ? from : resolve(dirname(from), path);
    files.add(file);
    targets.add(`${file}#${fragment}`);
    visit(nodeAt(readSource(file)?.content, fragment), file);
  }

  visit(readSource(root)?.content, root);
  return { files, targets };
}

/** Absolute paths of the files with OpenAPI components or paths in a folder, and in the folders inside it if `deep`. */
export function listSources(folder: string, deep: boolean): string[] {
  const names = globSync(`${deep ? "**/" : ""}*.{yaml,yml,json}`, {
    cwd: folder,
    exclude: ["**/node_modules/**", "**/.*/**"],
  });
  return names
    .map((name) => join(folder, name))
    .filter((path) => {
      const content = readSource(path)?.content;
      // A file that is not YAML could have been one.
      return content === undefined || (isObject(content) && ("paths" in content || "components" in content));
    })
    .sort();
}

/** JSON Pointers of the path items and components that a file defines. */
export function listDefinitions(content: unknown): string[] {
  if (!isObject(content)) return [];
  const sections = membersOf(content["components"]).map(([section, components]) => ({
    at: ["components", section],
    names: membersOf(components),
  }));
  return [{ at: ["paths"], names: membersOf(content["paths"]) }, ...sections].flatMap(({ at, names }) =>
    names.map(([name]) => ["", ...at, name].map(escape).join("/")),
  );
}

/** The node that a JSON Pointer leads to (RFC 6901, section 4). */
function nodeAt(content: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((node, key) => new Map(Object.entries(node ?? {})).get(key), content);
}

function escape(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
