import { getLineColLocation, parseYaml, Source, type LocationObject } from "@redocly/openapi-core";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { attempt } from "../contract/failures.ts";
import { percentDecode } from "../spec/percentEncoding.ts";
import { isObject, jsonPointer, membersOf, pointerKeys, stringsOf, valueAt } from "../spec/json.ts";
import { isReference } from "../spec/openapi.ts";
import { holdsValues, isNameMap } from "../spec/walk.ts";

/** A place in a file: the keys that lead to a value, and the value. */
interface Place {
  readonly file: string;
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** All that a description leads to by references. */
interface Reach {
  /** The absolute path of its root file. */
  readonly root: string;
  /** Absolute paths of what the description takes from, itself included. */
  readonly files: ReadonlySet<string>;
  /** Targets of references, and what those are in: `<absolute path>#<JSON Pointer>`, not percent-encoded. */
  readonly targets: ReadonlySet<string>;
  /** The references and aliases that lead back to themselves, so that no definition is at their end. */
  readonly cycles: readonly LocationObject[];
  /** Gives the place that some keys of a file lead to, through references if need be; `undefined` if there is none. */
  readonly locate: (place: Pick<Place, "file" | "keys">) => Place | undefined;
}

/** Parsed files by absolute path: generations share files, and are linted one after another. */
const parsedFiles = new Map<string, { readonly text: string; readonly content: unknown }>();

/** Reads a YAML or JSON file. Its text is "" if it cannot be read, its content `undefined` if it is not valid YAML. */
export function readSourceFile(path: string): { readonly text: string; readonly content: unknown } {
  const text = attempt(() => readFileSync(path, "utf8")) ?? "";
  const known = parsedFiles.get(path);
  if (known?.text === text) return known;
  const file = { text, content: attempt((): unknown => parseYaml(text)) };
  parsedFiles.set(path, file);
  return file;
}

/** Follows every reference to a local file, from the root of a description. References to nothing lead no further. */
export function traceReferences(root: string): Reach {
  const files = new Set([root]);
  const targets = new Set<string>();
  const cycles = new Map<unknown, Place>();
  const seen = new Set<unknown>();
  /** Each file is read once, however many references lead into it. */
  const contents = new Map<string, unknown>();
  const contentOf = (file: string): unknown => {
    if (!contents.has(file)) contents.set(file, readSourceFile(file).content);
    return contents.get(file);
  };

  /** The place that some keys of a file lead to, through references if need be; `undefined` if there is none. */
  const locate = ({ file, keys }: Omit<Place, "value">, trail: readonly unknown[] = []): Place | undefined => {
    let place: Place = { file, keys: [], value: contentOf(file) };
    for (const key of keys) {
      const holder = valueAt(place.value, [key]) === undefined ? follow(place, trail) : place;
      if (holder === undefined) return undefined;
      place = { file: holder.file, keys: [...holder.keys, key], value: valueAt(holder.value, [key]) };
    }
    return place.value === undefined ? undefined : place;
  };
  /** Where a chain of references ends; `undefined` if it leads nowhere, or closes a circle. */
  const follow = (place: Place, trail: readonly unknown[] = []): Place | undefined => {
    const { file, value } = place;
    if (!isReference(value)) return place;
    if (trail.includes(value)) {
      cycles.set(value, place);
      return undefined;
    }
    const target = targetOf(file, value.$ref);
    const next = target && locate(target, [...trail, value]);
    return next && follow(next, [...trail, value]);
  };
  const visit = (place: Place, around: readonly unknown[] = [], isMap = false): void => {
    const { file, keys, value } = place;
    // A YAML alias inside the node that it stands for.
    if (around.includes(value)) cycles.set(place, place);
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    for (const reference of referencesIn(value, keys)) {
      const target = targetOf(file, reference);
      if (target === undefined) continue;
      files.add(target.file);
      target.keys.forEach((_, index) => targets.add(`${target.file}#${jsonPointer(target.keys.slice(0, index + 1))}`));
      const found = locate(target);
      if (found === undefined) continue;
      follow(found);
      visit(found);
    }
    for (const [key, member] of Object.entries(value)) {
      if (!isMap && holdsValues(key, member)) continue;
      visit({ file, keys: [...keys, key], value: member }, [...around, value], !isMap && isNameMap(key, member));
    }
  };
  visit({ file: root, keys: [], value: contentOf(root) });
  const places = [...cycles.values()].map(({ file, keys }) => placeIn(file, jsonPointer(keys)));
  return { root, files, targets, cycles: places, locate };
}

/** The references in an object itself: `$ref`, the mapping of a Discriminator Object, an example's external value. */
function referencesIn(value: object, keys: readonly string[]): readonly string[] {
  const { $ref, mapping, externalValue } = { $ref: "", mapping: {}, externalValue: "", ...value };
  const mapped: unknown[] = keys.at(-1) === "discriminator" && isObject(mapping) ? Object.values(mapping) : [];
  return stringsOf([$ref, externalValue, ...mapped]).filter((reference) => /[#/.]/.test(reference));
}

/**
 * Makes a function that finds the file, relative to the current folder, and the line that a place of a bundle comes from, or
 * what is around it. `root` is the description that the bundle was made from.
 */
export function createSourceLocator(root: string) {
  const { files, locate } = traceReferences(root);
  return (pointer: string) => {
    const keys = pointerKeys(pointer);
    // The bundler keeps the names of components, and brings all of them into one file.
    const definition = keys[0] === "components" ? keys.slice(0, 3) : [];
    const holder = [...files].find((file) => locate({ file, keys: definition }) !== undefined) ?? root;
    const around = [...keys.keys()].map((count) => locate({ file: holder, keys: keys.slice(0, keys.length - count) }));
    const { file, keys: found } = around.find((place) => place !== undefined) ?? { file: holder, keys: [] };
    const { start } = getLineColLocation({ ...placeIn(file, jsonPointer(found)), reportOnKey: true });
    return { file: relative("", file), line: start.line };
  };
}

/** A place to report on in a file. */
export function placeIn(file: string, pointer: string): LocationObject {
  const { text } = readSourceFile(file);
  const known = sourcesByFile.get(file);
  const source = known?.body === text ? known : new Source(file, text);
  sourcesByFile.set(file, source);
  return { source, pointer: `#${pointer}` };
}

/** What places are found in, by absolute path: it keeps the tree of its text, which takes long to parse. */
const sourcesByFile = new Map<string, Source>();

/** A place as messages name it: the file, relative to the current folder, the line and the column. */
export function placeText(location: LocationObject): string {
  const { source, start } = getLineColLocation(location);
  return `${relative(process.cwd(), source.absoluteRef)}:${start.line}:${start.col}`;
}

/**
 * Absolute paths of the files with OpenAPI components or paths that belong to a description, used or not: those in its
 * root's folder and below, and those in any other folder that it takes a file from.
 */
export function listSourceFiles({ root, files }: Reach): readonly string[] {
  const folder = dirname(root);
  const others = [...files].map((file) => dirname(file)).filter((path) => !`${path}${sep}`.startsWith(folder + sep));
  return [...listFolder(folder, "**/"), ...[...new Set(others)].flatMap((path) => listFolder(path, ""))];
}

function listFolder(folder: string, below: string): string[] {
  return globSync(`${below}*.{yaml,yml,json}`, { cwd: folder, exclude: ["**/node_modules/**", "**/.*/**"] })
    .map((name) => join(folder, name))
    .filter((path) => {
      const { content } = readSourceFile(path);
      // A file that is not YAML could have been one.
      return content === undefined || (isObject(content) && ("paths" in content || "components" in content));
    })
    .sort();
}

/** JSON Pointers of the paths and components that a file defines. */
export function listDefinitions(content: unknown): string[] {
  const names = (keys: readonly string[]) => membersOf(valueAt(content, keys)).map(([name]) => [...keys, name]);
  return [...names(["paths"]), ...names(["components"]).flatMap(names)].map(jsonPointer);
}

/** The file and the keys that a reference names; `undefined` for one to another host. */
export function targetOf(from: string, reference: string): Omit<Place, "value"> | undefined {
  if (/^[a-z][a-z\d+.-]+:/i.test(reference)) return undefined;
  const [path = "", fragment = ""] = reference.split("#");
  const file = path === "" ? from : resolve(dirname(from), percentDecode(path) ?? path);
  return { file, keys: pointerKeys(`#${fragment}`) };
}
