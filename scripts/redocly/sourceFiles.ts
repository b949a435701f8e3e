import { parseYaml, Source, type LocationObject } from "@redocly/openapi-core";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { percentDecode } from "../spec/percentEncoding.ts";
import { isObject, membersOf, stringsOf } from "../spec/json.ts";
import { isReference } from "../spec/openapi.ts";

interface SourceFile {
  readonly text: string;
  /** The parsed text; `undefined` if it is not valid YAML. */
  readonly content: unknown;
}

/** A place in a file: the keys that lead to a value, and the value. */
interface Place {
  readonly file: string;
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** The references and aliases at which a circle closes, by themselves. */
type Cycles = Map<unknown, Place>;

/** What a description takes from files, itself included. */
export interface Reach {
  readonly root: string;
  /** Absolute paths. */
  readonly files: ReadonlySet<string>;
  /** What references lead to: `<absolute path>#<JSON Pointer>`, not percent-encoded. */
  readonly targets: ReadonlySet<string>;
  /** References and aliases that lead back to themselves, so that no definition is at their end. */
  readonly cycles: readonly LocationObject[];
}

/** Parsed files by absolute path: generations share files, and are linted one after another. */
const parsedFiles = new Map<string, SourceFile>();

/** Reads a YAML or JSON file; `undefined` if it cannot be read. */
export function readSourceFile(path: string): SourceFile | undefined {
  const text = attempt(() => readFileSync(path, "utf8"));
  if (text === undefined) return undefined;
  const known = parsedFiles.get(path);
  if (known?.text === text) return known;
  const file = { text, content: attempt(() => parseYaml(text)) };
  parsedFiles.set(path, file);
  return file;
}

/** Follows every reference to a local file, from the root of a description. References to nothing lead no further. */
export function traceReferences(root: string): Reach {
  const files = new Set([root]);
  const targets = new Set<string>();
  const cycles: Cycles = new Map();
  const seen = new Set<unknown>();
  const visit = (place: Place, around: readonly unknown[] = []): void => {
    const { file, keys, value } = place;
    // A YAML alias inside the node that it stands for.
    if (around.includes(value)) cycles.set(place, place);
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    for (const reference of referencesIn(value, keys)) {
      const target = targetOf(file, reference);
      if (target === undefined) continue;
      files.add(target.file);
      targets.add(`${target.file}#${jsonPointer(target.keys)}`);
      const found = locate(target, [], cycles);
      if (found === undefined) continue;
      follow(found, [], cycles);
      visit(found);
    }
    for (const [key, member] of Object.entries(value)) {
      visit({ file, keys: [...keys, key], value: member }, [...around, value]);
    }
  };
  visit({ file: root, keys: [], value: readSourceFile(root)?.content });
  return {
    root,
    files,
    targets,
    cycles: [...cycles.values()].map(({ file, keys }) => placeIn(file, jsonPointer(keys))),
  };
}

/** The references in an object itself: `$ref`, the mapping of a Discriminator Object, an example's external value. */
function referencesIn(value: object, keys: readonly string[]): readonly string[] {
  const { $ref, mapping, externalValue } = { $ref: "", mapping: {}, externalValue: "", ...value };
  const mapped: unknown[] = keys.at(-1) === "discriminator" && isObject(mapping) ? Object.values(mapping) : [];
  return stringsOf([$ref, externalValue, ...mapped]).filter((reference) => /[#/.]/.test(reference));
}

/** A place to report on in a file. */
export function placeIn(file: string, pointer: string): LocationObject {
  return { source: new Source(file, readSourceFile(file)?.text ?? ""), pointer: `#${pointer}` };
}

/**
 * Absolute paths of the files with OpenAPI components or paths that belong to a description, used or not: those in its
 * root's folder and below, and those in any other folder that it takes a file from.
 */
export function listSourceFiles({ root, files }: Reach): readonly string[] {
  const folder = dirname(root);
  const others = [...files].map((file) => dirname(file)).filter((path) => !`${path}${sep}`.startsWith(folder + sep));
  return [...listFolder(folder, true), ...[...new Set(others)].flatMap((path) => listFolder(path, false))];
}

function listFolder(folder: string, deep: boolean): string[] {
  const pattern = `${deep ? "**/" : ""}*.{yaml,yml,json}`;
  return globSync(pattern, { cwd: folder, exclude: ["**/node_modules/**", "**/.*/**"] })
    .map((name) => join(folder, name))
    .filter((path) => {
      const content = readSourceFile(path)?.content;
      // A file that is not YAML could have been one.
      return content === undefined || (isObject(content) && ("paths" in content || "components" in content));
    })
    .sort();
}

/** JSON Pointers of the paths and components that a file defines. */
export function listDefinitions(content: unknown): string[] {
  if (!isObject(content)) return [];
  const components = membersOf(content["components"]).flatMap(([section, named]) =>
    membersOf(named).map(([name]) => jsonPointer(["components", section, name])),
  );
  return [...membersOf(content["paths"]).map(([path]) => jsonPointer(["paths", path])), ...components];
}

/** The file and the keys that a reference names; `undefined` for one to another host. */
function targetOf(from: string, reference: string): Omit<Place, "value"> | undefined {
  if (/^[a-z][a-z\d+.-]+:/i.test(reference)) return undefined;
  const [path = "", fragment = ""] = reference.split("#");
  const file = path === "" ? from : resolve(dirname(from), percentDecode(path) ?? path);
  return { file, keys: pointerKeys(`#${fragment}`) };
}

/** The place that some keys of a file lead to, through references if need be; `undefined` if there is none. */
function locate({ file, keys }: Omit<Place, "value">, trail: readonly unknown[], cycles: Cycles): Place | undefined {
  let place: Place = { file, keys: [], value: readSourceFile(file)?.content };
  for (const key of keys) {
    const holder = valueAt(place.value, [key]) === undefined ? follow(place, trail, cycles) : place;
    if (holder === undefined) return undefined;
    place = { file: holder.file, keys: [...holder.keys, key], value: valueAt(holder.value, [key]) };
  }
  return place.value === undefined ? undefined : place;
}

/** Where a chain of references ends; `undefined` if it leads nowhere, or closes a circle, which it adds to `cycles`. */
function follow(place: Place, trail: readonly unknown[], cycles: Cycles): Place | undefined {
  const { file, value } = place;
  if (!isReference(value)) return place;
  if (trail.includes(value)) {
    cycles.set(value, place);
    return undefined;
  }
  const target = targetOf(file, value.$ref);
  const next = target && locate(target, [...trail, value], cycles);
  return next && follow(next, [...trail, value], cycles);
}

/** What a function returns; `undefined` if it throws. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
