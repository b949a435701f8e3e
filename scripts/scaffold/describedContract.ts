import { UserError } from "../contract/failures.ts";
import { suggestNames } from "../values/similarName.ts";
import { listInWords } from "../values/text.ts";
import { readConfiguration, type GenerationSource } from "../pipeline/configuration.ts";
import { placeIn, placeText, readSourceFile, targetOf } from "../redocly/sourceFiles.ts";
import { isObject, jsonPointer, membersOf, objectsOf, stringOf, stringsOf, valueAt } from "../values/json.ts";
import { isReference, methods, type Method } from "../spec/openapi.ts";
import { fillTemplate, pathParameters } from "../spec/pathTemplate.ts";
import { percentEncode } from "../values/percentEncoding.ts";

/** A generation as written by its author, including mistakes. */
export interface Described {
  readonly name: string;
  /** The absolute path of the index. */
  readonly root: string;
  readonly index: Readonly<Record<string, unknown>>;
}

/** A path item: its file, its keys, and its value. */
export interface SourcePathItem {
  readonly file: string;
  readonly keys: readonly string[];
  readonly value: unknown;
}

/**
 * Reads the indexes of all generations in redocly.yaml. Throws {@link UserError} for one that isn't an
 * OpenAPI description.
 */
export async function readDescribed(): Promise<readonly Described[]> {
  const { sources } = await readConfiguration();
  return sources.map(readIndex);
}

function readIndex({ name, root }: GenerationSource): Described {
  const { content } = readSourceFile(root);
  if (!isObject(content)) throw new UserError(`${root} cannot be read as YAML: run npm run lint`);
  return { name, root, index: content };
}

/** The generation of a path: the named one, or the one whose name begins the path, or the only one. */
export function findGeneration(all: readonly Described[], path: string, name?: string): Described {
  const [beginning = ""] = path.split("/").slice(1);
  const found = all.find((one) => one.name === (name ?? beginning)) ?? (name === undefined ? onlyOne(all) : undefined);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name);
  if (name !== undefined) throw new UserError(`there is no generation "${name}": ${suggestNames(name, names)}`);
  const beginnings = listInWords(
    names.map((one) => `/${one}/`),
    "disjunction",
  );
  throw new UserError(`"${path}" does not begin with the name of a generation: begin it with ${beginnings}`);
}

function onlyOne(all: readonly Described[]): Described | undefined {
  return all.length === 1 ? all[0] : undefined;
}

/** Reads a method. Throws {@link UserError} if it is unknown. */
export function readMethod(text: string): Method {
  const method = methods.find((name) => name === text.toLowerCase());
  if (method !== undefined) return method;
  throw new UserError(`"${text}" is not a method: ${suggestNames(text.toLowerCase(), methods)}`);
}

/** Throws {@link UserError} if no operation can be added at a path. */
export function checkPath({ name, root, index }: Described, path: string, method: Method): void {
  if (!/^(\/([^{}/?#\s]|\{[^{}/?#\s]+\})+)+$/.test(path)) {
    throw new UserError(
      `"${path}" is not a path: write one such as /${name}/teams/{teamId}, without a slash at its end`,
    );
  }
  // RFC 3986, section 5.2.4: clients resolve these segments first.
  const dots = path.split("/").find((segment) => segment === "." || segment === "..");
  if (dots !== undefined) throw new UserError(`no request can reach ${path}: remove its segment "${dots}"`);
  // RFC 3986, section 2: URLs are ASCII, whose last printable character is `~`.
  const foreign = Array.from(fillTemplate(path, () => "")).find((character) => character > "~");
  if (foreign !== undefined)
    throw new UserError(`"${foreign}" can't be in a URL: write ${percentEncode(foreign)} instead`);
  const names = pathParameters(path);
  // As a key of an object literal, this name sets the prototype.
  if (names.includes("__proto__")) throw new UserError(`rename the parameter __proto__ of ${path}`);
  const repeated = names.find((one, position) => names.indexOf(one) !== position);
  if (repeated !== undefined)
    throw new UserError(`${path} has two parameters with the name ${repeated}: rename one of them`);
  const paths = pathsOf(index);
  const prefix = `/${name}/`;
  if (!path.startsWith(prefix) && paths.length > 0 && paths.every((one) => one.startsWith(prefix))) {
    throw new UserError(`each path of ${name} begins with ${prefix}: did you mean ${prefix.slice(0, -1)}${path}?`);
  }
  const same = paths.find((one) => fillTemplate(one, () => "{}") === fillTemplate(path, () => "{}"));
  if (same === undefined) return;
  if (same !== path) throw new UserError(`${name} has this path as ${same}: give its parameters the same names`);
  const { file, keys, value } = findItem({ name, root, index }, path);
  if (valueAt(value, [method]) === undefined) return;
  throw new UserError(
    `${method.toUpperCase()} ${path} already exists at ${placeText({ ...placeIn(file, jsonPointer([...keys, method])), reportOnKey: true })}`,
  );
}

/** Throws {@link UserError} unless a generation has a group. If the path exists, it must be in the group. */
export function checkGroup(described: Described, group: string, path: string): void {
  const groups = groupsOf(described);
  if (!groups.includes(group)) {
    const advice = "To add a group, first add its name to `x-tagGroups` in the index.";
    throw new UserError(`${described.name} has no group "${group}": ${suggestNames(group, groups)}\n${advice}`);
  }
  const [other] = operationsOf(findItem(described, path).value).flatMap(({ tags }) => stringsOf(tags));
  if (other === undefined || other === group) return;
  throw new UserError(`${path} is in the group "${other}". All operations of a path are in one group: use that group`);
}

/** The names of the groups of a generation, with or without operations. */
export function groupsOf({ index }: Described): readonly string[] {
  const sections = objectsOf(index["x-tagGroups"]).flatMap(({ tags }) => stringsOf(tags));
  return [...new Set([...sections, ...objectsOf(index["tags"]).flatMap(({ name }) => stringOf(name) ?? [])])];
}

/** Returns whether a group has a tag with a description. */
export function isDescribedGroup({ index }: Described, group: string): boolean {
  return objectsOf(index["tags"]).some(({ name }) => name === group);
}

export function pathsOf(index: Described["index"]): readonly string[] {
  return membersOf(index["paths"]).map(([path]) => path);
}

/**
 * The path item of a path, in the index or in a referenced file. Its value is `undefined` if it doesn't
 * exist.
 */
export function findItem({ root, index }: Described, path: string): SourcePathItem {
  const value = valueAt(index["paths"], [path]);
  const target = isReference(value) ? targetOf(root, value.$ref) : undefined;
  if (target === undefined) return { file: root, keys: ["paths", path], value };
  return { ...target, value: valueAt(readSourceFile(target.file).content, target.keys) };
}

export function operationsOf(item: unknown): readonly Readonly<Record<string, unknown>>[] {
  return objectsOf(methods.map((method) => valueAt(item, [method])));
}
