import { getLineColLocation, parseYaml, Source, type LocationObject } from "@redocly/openapi-core";
import { globSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { attempt } from "../contract/failures.ts";
import { getOrCreate } from "../values/collections.ts";
import { withoutByteOrderMark } from "../values/text.ts";
import { percentDecode } from "../values/percentEncoding.ts";
import { isObject, jsonPointer, membersOf, pointerKeys, valueAt } from "../values/json.ts";
import { isReference } from "../spec/openapi.ts";
import { findTooDeep, maxLevels } from "../spec/referenceDepth.ts";
import { holdsValues, isNameMap } from "../spec/walk.ts";

/** A place in a file: the keys to a value, and the value. */
interface SourcePosition {
  readonly file: string;
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** Everything that a description reaches through references. */
interface Reach {
  /** The absolute path of its root file. */
  readonly root: string;
  /** Absolute paths of the description's files, including the root. */
  readonly files: ReadonlySet<string>;
  /** Targets of references, and everything around them: `<absolute path>#<JSON Pointer>`, not percent-encoded. */
  readonly targets: ReadonlySet<string>;
  /** References and aliases that form a cycle and never reach a definition. */
  readonly cycles: readonly LocationObject[];
  /** A place from which the references lead deeper than the commands can process. */
  readonly tooDeep: LocationObject | undefined;
  /** References that aren't followed, because they lead out of the description's folders. */
  readonly outside: readonly OutsideReference[];
  /**
   * Returns the place that some keys of a file lead to, through references if necessary. Returns `undefined`
   * if there is none.
   */
  readonly locate: (place: Pick<SourcePosition, "file" | "keys">) => SourcePosition | undefined;
}

/** A reference to a file that a description may not have, or to another host. */
export interface OutsideReference {
  readonly location: LocationObject;
  /** The real path of the file, or the URL. */
  readonly target: string;
}

/** Parsed files by absolute path, because generations share files and are linted in turn. */
const parsedFiles = new Map<string, { readonly text: string; readonly content: unknown }>();

/**
 * Reads a YAML or JSON file. If it can't be read, `text` is empty. If it isn't valid YAML, `content` is
 * `undefined`.
 */
export function readSourceFile(path: string): { readonly text: string; readonly content: unknown } {
  const known = parsedFiles.get(path);
  const text = attempt(() => readFileSync(path, "utf8")) ?? "";
  if (known?.text === text) return known;
  const file = { text, content: attempt((): unknown => parseYaml(text)) };
  parsedFiles.set(path, file);
  return file;
}

/**
 * The folder that the references of a description in the project may lead into: the first one on the way from the
 * project's folder, such as `openapi`, because descriptions share files. Without one, it is that of the description.
 */
export function sourceFolder(root: string, project = process.cwd()): string {
  const path = relative(project, root);
  const [top = "", ...below] = path.split(sep);
  return below.length === 0 || top === ".." || isAbsolute(path) ? dirname(root) : resolve(project, top);
}

/** Returns whether a file is really in one of some folders or below, after all links. */
export function isInside(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => {
    const path = relative(realPath(folder), realPath(file));
    return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  });
}

/** The absolute path of a file after all links. The file may be missing. */
function realPath(file: string): string {
  return attempt(() => realpathSync.native(file)) ?? join(realPath(dirname(file)), basename(file));
}

/** Makes functions that read the files of a description in some folders, each once. */
function createFileReader(root: string, folders: readonly string[]) {
  const readable = new Map([[root, true]]);
  const contents = new Map<string, unknown>();
  const mayRead = (file: string): boolean => getOrCreate(readable, file, () => isInside(folders, file));
  const contentOf = (file: string): unknown => {
    if (!contents.has(file)) contents.set(file, mayRead(file) ? readSourceFile(file).content : undefined);
    return contents.get(file);
  };
  return { mayRead, contentOf };
}

/** Makes functions that follow references, and lists what they can't follow to its end. */
function createFollower(contentOf: (file: string) => unknown) {
  const cycles = new Map<unknown, SourcePosition>();
  /** Where chains begin that are too long. */
  const tooLong: SourcePosition[] = [];
  /**
   * The place that some keys of a file lead to, through references if necessary. `undefined` if there is
   * none.
   */
  const locate = (
    { file, keys }: Omit<SourcePosition, "value">,
    trail: readonly unknown[] = [],
  ): SourcePosition | undefined => {
    let place: SourcePosition = { file, keys: [], value: contentOf(file) };
    for (const key of keys) {
      const holder = valueAt(place.value, [key]) === undefined ? follow(place, trail) : place;
      if (holder === undefined) return undefined;
      place = { file: holder.file, keys: [...holder.keys, key], value: valueAt(holder.value, [key]) };
    }
    return place.value === undefined ? undefined : place;
  };
  /** The end of a chain of references. `undefined` if it leads nowhere or forms a cycle. */
  const follow = (start: SourcePosition, around: readonly unknown[] = []): SourcePosition | undefined => {
    const trail = [...around];
    let place: SourcePosition | undefined = start;
    while (place !== undefined && isReference(place.value)) {
      const { file, value } = place;
      if (trail.includes(value)) {
        cycles.set(value, place);
        return undefined;
      }
      if (trail.length > maxLevels) {
        tooLong.push(start);
        return undefined;
      }
      trail.push(value);
      const target = targetOf(file, value.$ref);
      place = target && locate(target, trail);
    }
    return place;
  };
  return { cycles, tooLong, locate, follow };
}

/**
 * Follows every reference from the root of a description to files in some folders. Ignores references that lead nowhere.
 */
export function traceReferences(root: string, folders: readonly string[] = [sourceFolder(root)]): Reach {
  const files = new Set([root]);
  const targets = new Set<string>();
  const outside: OutsideReference[] = [];
  const seen = new Set<unknown>();
  /** What each object with a reference leads to. */
  const links = new Map<object, SourcePosition>();
  const { mayRead, contentOf } = createFileReader(root, folders);
  const { cycles, tooLong, locate, follow } = createFollower(contentOf);
  const waiting: SourcePosition[] = [{ file: root, keys: [], value: contentOf(root) }];
  const visit = (place: SourcePosition, around: readonly unknown[] = [], isMap = false): void => {
    const { file, keys, value } = place;
    // A YAML alias inside its own target.
    if (around.includes(value)) cycles.set(place, place);
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    for (const { keysTo, reference } of referencesIn(value, keys)) {
      const target = targetOf(file, reference);
      if (target === undefined || !mayRead(target.file)) {
        const location = placeIn(file, jsonPointer([...keys, ...keysTo]));
        outside.push({ location, target: target === undefined ? reference : realPath(target.file) });
        continue;
      }
      files.add(target.file);
      target.keys.forEach((_, index) => targets.add(`${target.file}#${jsonPointer(target.keys.slice(0, index + 1))}`));
      const found = locate(target);
      if (found === undefined) continue;
      follow(found);
      waiting.push(found);
      if (reference === valueAt(value, ["$ref"])) links.set(value, found);
    }
    for (const [key, member] of Object.entries(value)) {
      if (!isMap && holdsValues(key, member)) continue;
      visit({ file, keys: [...keys, key], value: member }, [...around, value], !isMap && isNameMap(key, member));
    }
  };
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) visit(place);
  const placeOf = ({ file, keys }: SourcePosition) => placeIn(file, jsonPointer(keys));
  const tooDeep = tooLong[0] ?? (cycles.size === 0 ? findDeepPlace(contentOf(root), links) : undefined);
  return {
    ...{ root, files, targets, outside, locate },
    cycles: [...cycles.values()].map(placeOf),
    tooDeep: tooDeep && placeOf(tooDeep),
  };
}

/** The first place from which references lead too deep. */
function findDeepPlace(root: unknown, links: ReadonlyMap<object, SourcePosition>): SourcePosition | undefined {
  const found = findTooDeep(root, (object) => links.get(object)?.value);
  return found && [...links.values()].find(({ value }) => value === found.value);
}

/** The references directly in an object, and the keys to them: `$ref`, and the mapping of a Discriminator Object. */
function referencesIn(value: object, keys: readonly string[]) {
  const mapping = keys.at(-1) === "discriminator" ? membersOf(valueAt(value, ["mapping"])) : [];
  const places = [["$ref"], ...mapping.map(([name]) => ["mapping", name])];
  return places.flatMap((keysTo) => {
    const reference = valueAt(value, keysTo);
    if (typeof reference !== "string") return [];
    // In a mapping, it may be the name of a schema.
    const isFollowed = keysTo.length > 1 ? /[#/.]/.test(reference) : reference !== "";
    return isFollowed ? [{ keysTo, reference }] : [];
  });
}

/**
 * Creates a function that finds the source of a place in a bundle: the line, and the file relative to the
 * current folder. If there is no exact source, it finds that of the surrounding object. `root` is the bundled
 * description.
 */
export function createSourceLocator(root: string) {
  const { files, locate } = traceReferences(root);
  return (pointer: string) => {
    const keys = pointerKeys(pointer);
    // The bundler keeps the names of components, and moves all of them into one file.
    const definition = keys[0] === "components" ? keys.slice(0, 3) : [];
    const holder = [...files].find((file) => locate({ file, keys: definition }) !== undefined) ?? root;
    const around = [...keys.keys()].map((count) => locate({ file: holder, keys: keys.slice(0, keys.length - count) }));
    const place = around.find((one) => one !== undefined) ?? { file: holder, keys: [], value: undefined };
    const { start } = getLineColLocation({ ...placeIn(place.file, jsonPointer(place.keys)), reportOnKey: true });
    return { file: relative("", place.file), line: start.line };
  };
}

/** The place of a text in a file, at or after a line; the line itself, if it isn't there as it is. For reports. */
export function placeOfText(file: string, text: string, from = 1): LocationObject {
  const { source } = placeIn(file, "");
  const lines = source.body.split(/\r?\n/);
  const found = lines.findIndex((line, index) => index >= from - 1 && line.includes(text));
  const line = found === -1 ? from : found + 1;
  const start = { line, col: found === -1 ? 1 : (lines[found] ?? "").indexOf(text) + 1 };
  return { source, start, end: { line, col: start.col + (found === -1 ? 0 : text.length) }, pointer: undefined };
}

/** A place in a file, for reports. */
export function placeIn(file: string, pointer: string): LocationObject {
  const text = withoutByteOrderMark(readSourceFile(file).text);
  const known = sourcesByFile.get(file);
  const source = known?.body === text ? known : new Source(file, text);
  sourcesByFile.set(file, source);
  return { source, pointer: `#${pointer}` };
}

/** The sources in which places were found, by absolute path. Each keeps its parsed text, because parsing is slow. */
const sourcesByFile = new Map<string, Source>();

/** A place as text: the line, the column, and the file relative to the current folder. */
export function placeText(location: LocationObject): string {
  const { source, start } = getLineColLocation(location);
  return `${shownPath(source.absoluteRef)}:${start.line}:${start.col}`;
}

/** A file for reports: relative to the current folder. */
export function shownPath(file: string): string {
  return relative(process.cwd(), file);
}

/**
 * Absolute paths of a description's files with OpenAPI components or paths, referenced or not. They are in
 * the root's folder and below, and in the folders of all referenced files.
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
      // A file with invalid YAML might be one of them.
      return content === undefined || (isObject(content) && ("paths" in content || "components" in content));
    })
    .sort();
}

/** JSON Pointers of the paths and components that a file defines. */
export function listDefinitions(content: unknown): string[] {
  const names = (keys: readonly string[]) => membersOf(valueAt(content, keys)).map(([name]) => [...keys, name]);
  return [...names(["paths"]), ...names(["components"]).flatMap(names)].map(jsonPointer);
}

/** The file and the keys of a reference. `undefined` for another host. */
export function targetOf(from: string, reference: string): Omit<SourcePosition, "value"> | undefined {
  if (/^[a-z][a-z\d+.-]+:/i.test(reference)) return undefined;
  const [path = "", fragment = ""] = reference.split("#");
  const file = path === "" ? from : resolve(dirname(from), percentDecode(path) ?? path);
  return { file, keys: pointerKeys(`#${fragment}`) };
}
