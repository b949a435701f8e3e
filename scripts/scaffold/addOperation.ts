import { realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { changeFolder } from "../command/files.ts";
import { formatYaml } from "../contract/documentText.ts";
import { attempt, UserError } from "../contract/failures.ts";
import { compareText, titleOfIdentifier } from "../values/text.ts";
import { createsByPost } from "../contract/resources.ts";
import { respondsWithList } from "../redocly/localSchema.ts";
import { fileOfGroup } from "../redocly/rules/operationRules.ts";
import { readSourceFile, targetOf } from "../redocly/sourceFiles.ts";
import { elementsOf, isObject, jsonPointer, membersOf, valueAt } from "../values/json.ts";
import { isReference, type Method, type ReferenceObject } from "../spec/openapi.ts";
import { pathParameters } from "../spec/pathTemplate.ts";
import { findItem, isDescribedGroup, operationsOf, pathsOf, type Described } from "./describedContract.ts";
import * as drafts from "./operationDraft.ts";
import { addToYaml, type YamlFile } from "./yamlText.ts";

/** The author's input for an operation. Fields that are `undefined` follow from its method and path. */
export interface OperationRequest {
  readonly described: Described;
  readonly method: Method;
  readonly path: string;
  readonly group: string;
  readonly operationId: string | undefined;
  readonly summary: string | undefined;
  /** The description of the group, if it has no tag yet. */
  readonly groupDescription: string | undefined;
}

/**
 * Adds an operation to the sources, without linting them. Resolves to the operationId and the written files.
 * Throws {@link UserError}, with all files unchanged, if it can't be added.
 */
export async function addOperation(request: OperationRequest) {
  const operationId = request.operationId ?? drafts.draftOperationId(request.method, request.path);
  // A symbolic link's target is changed in place.
  const written = planFiles(request, operationId).map(({ file, text }) => {
    const target = attempt(() => realpathSync(file)) ?? file;
    const path = relative(resolve("."), target);
    const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? 0o222;
    if ((mode & 0o222) === 0) throw new UserError(`${path} is read-only, so nothing was added: make it writable first`);
    return { path, content: text };
  });
  await changeFolder(resolve("."), { written, removed: [] });
  return { operationId, files: written.map(({ path }) => path) };
}

/** The files with the operation added. */
function planFiles(request: OperationRequest, operationId: string): readonly YamlFile[] {
  const { described, method, path, group, groupDescription } = request;
  const item = findItem(described, path);
  const file = item.value === undefined ? join(dirname(described.root), fileOfGroup(group)) : item.file;
  const operation = draft(request, operationId, file);
  if (item.value !== undefined) {
    return [addToYaml(readYamlFile(file), { keys: item.keys, value: { [method]: operation } })];
  }
  const { name, text } = addItem(described, file, path, { [method]: operation });
  const reference = { $ref: referTo(described.root, file, ["components", "pathItems", name]) };
  const paths = pathsOf(described.index);
  const before = paths.find((other) => compareText(other, path) > 0);
  const known = readYamlFile(described.root);
  const index = isDescribedGroup(described, group) ? known : addTag(known, described, group, groupDescription);
  return [addToYaml(index, { keys: ["paths"], value: { [path]: reference }, before }), { file, text }];
}

/** Adds the tag of a group to the index, before the first one whose name comes after it. */
function addTag(file: YamlFile, { index }: Described, name: string, description: string | undefined): YamlFile {
  const next = elementsOf(index["tags"]).findIndex((tag) => compareText(String(valueAt(tag, ["name"])), name) > 0);
  const before = next === -1 ? undefined : String(next);
  return addToYaml(file, { keys: ["tags"], value: [{ name, description }], before });
}

/** Adds a path item to the file of a group, and creates the file if necessary. */
function addItem(described: Described, file: string, path: string, item: object) {
  const { text, content } = readSourceFile(file);
  // Malformed files may contain someone's work.
  if (text.trim() !== "" && !isObject(content)) {
    throw new UserError(`${relative("", file)} is not a YAML object, so no path item can be added: correct it first`);
  }
  const known = valueAt(content, ["components", "pathItems"]);
  const name = drafts.draftItemName(
    path,
    membersOf(known).map(([one]) => one),
  );
  const pathItems = { [name]: item };
  if (!isObject(content))
    return { name, text: schemaComment(described, file) + formatYaml({ components: { pathItems } }, "double") };
  const around = known === undefined ? ["components"] : ["components", "pathItems"];
  const value = known === undefined ? { pathItems } : pathItems;
  return { name, text: addToYaml(readYamlFile(file), { keys: around, value, isApart: true }).text };
}

/** The comment that names the JSON Schema of a new file for editors, if another group's file has one. */
function schemaComment(described: Described, file: string): string {
  const files = pathsOf(described.index).map((path) => findItem(described, path).file);
  const other = files.find((one) => one !== described.root) ?? described.root;
  const [, start = "", schema] = /^(# *yaml-language-server: *\$schema=)(\S+)/.exec(readSourceFile(other).text) ?? [];
  if (schema === undefined) return "";
  const isMoved = !URL.canParse(schema) && !isAbsolute(schema);
  return `${start}${isMoved ? pathFrom(file, resolve(dirname(other), schema)) : schema}\n`;
}

function draft(request: OperationRequest, operationId: string, file: string) {
  const { described, method, path, group, summary = titleOfIdentifier(operationId) } = request;
  const { index } = described;
  const [scheme] = membersOf(valueAt(index, ["components", "securitySchemes"])).map(([name]) => name);
  // The same gap as for an operation whose credentials are unknown.
  const unknownSecurity = scheme === undefined ? [{}] : [{ [scheme]: [] }, {}];
  const parameters = pathParameters(path).map(
    (name) => findParameter(described, path, name, file) ?? drafts.draftParameter(name),
  );
  return drafts.draftOperation({
    method,
    group,
    operationId,
    summary,
    parameters,
    security: index["security"] === undefined ? unknownSecurity : undefined,
    hasEffect: method !== "post" || isCreate(described, path),
    failure: findFailure(described, file) ?? { description: "The request failed. It isn't specified how." },
  });
}

/** Returns whether a POST with an unknown response creates a resource. */
function isCreate(described: Described, path: string): boolean {
  const { file, value } = findItem(described, path);
  const isListed = respondsWithList(valueAt(value, ["get"]), file, followIn);
  return createsByPost({ path, paths: pathsOf(described.index), statuses: [], isListed });
}

/** Follows the reference in a file, if there is one, to an object and its file. */
function followIn(value: unknown, file: string) {
  const target = isReference(value) ? targetOf(file, value.$ref) : undefined;
  const node = target === undefined ? value : valueAt(readSourceFile(target.file).content, target.keys);
  return isObject(node) ? { node, location: target?.file ?? file } : undefined;
}

/** The path parameter of another operation whose path is the same up to there. It has the same meaning. */
function findParameter(described: Described, path: string, name: string, file: string): object | undefined {
  const prefix = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);
  for (const { path: other, item, operation } of listOperations(described)) {
    if (other !== prefix && !other.startsWith(`${prefix}/`)) continue;
    const listed = [valueAt(item.value, ["parameters"]), operation["parameters"]].flatMap(elementsOf);
    const found = listed.find((one) => isPathParameter(one, name, item.file));
    if (isReference(found)) return moveTo(file, item.file, found);
    // Its description may be about that operation alone, so it isn't copied.
    if (isObject(found) && isMovable(found["schema"])) return drafts.draftParameter(name, found);
  }
  return undefined;
}

function isPathParameter(value: unknown, name: string, file: string): boolean {
  const parameter = followIn(value, file)?.node;
  return valueAt(parameter, ["in"]) === "path" && valueAt(parameter, ["name"]) === name;
}

/** The response for failures that another operation refers to. */
function findFailure(described: Described, file: string): object | undefined {
  for (const { item, operation } of listOperations(described)) {
    const failure = valueAt(operation, ["responses", "default"]);
    if (isReference(failure)) return moveTo(file, item.file, failure);
  }
  return undefined;
}

/** All operations of a generation, with their path items. */
function listOperations(described: Described) {
  return pathsOf(described.index).flatMap((path) => {
    const item = findItem(described, path);
    return operationsOf(item.value).map((operation) => ({ path, item, operation }));
  });
}

/** A reference of one file, rewritten for another file. */
function moveTo(file: string, from: string, { $ref }: ReferenceObject): ReferenceObject {
  const target = targetOf(from, $ref);
  return { $ref: target === undefined ? $ref : referTo(file, target.file, target.keys) };
}

/** Returns whether a value has the same meaning in any file, because it contains no references. */
function isMovable(value: unknown): boolean {
  return value !== undefined && !JSON.stringify(value).includes('"$ref"');
}

function referTo(from: string, file: string, keys: readonly string[]): string {
  return `${from === file ? "" : pathFrom(from, file)}#${jsonPointer(keys)}`;
}

/** The path of a file, relative to the folder of another one. */
function pathFrom(from: string, file: string): string {
  return relative(dirname(from), file).replaceAll(sep, "/");
}

function readYamlFile(file: string): YamlFile {
  return { file, text: readSourceFile(file).text };
}
