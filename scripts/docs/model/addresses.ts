import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { unknownGroup } from "../../contract/gaps.ts";
import { distinctName, slugOf, splitIdentifier } from "../../values/text.ts";
import { getOrCreate } from "../../values/collections.ts";
import { emptyGroupsAnchor, firstLevel, type PageLink } from "./site.ts";

/**
 * The paths of a generation's pages: folders relative to the site's root, with a trailing slash. Each has an
 * `index.html`, and an `index.md` with the same content.
 */
export interface Addresses {
  readonly generation: string;
  readonly groups: ReadonlyMap<Group, string>;
  /** The new addresses of pages that were removed: those of groups that are only names. */
  readonly moved: ReadonlyMap<string, string>;
  /** The paths of operations and webhooks. */
  readonly operations: ReadonlyMap<Operation, string>;
  /** By schema name. */
  readonly schemas: ReadonlyMap<string, string>;
  /** The page that has all schemas, for agents. Empty if there are none. */
  readonly schemaList: string;
}

/** Returns whether only the name of a group is known, so that it has no page. */
export function isNameOnly({ operations, webhooks, alsoTagged, description }: Group): boolean {
  return operations.length + webhooks.length + alsoTagged.length === 0 && ["", unknownGroup].includes(description);
}

const known = new WeakMap<Generation, Addresses>();

/** Gives each page of a generation a unique address. */
export function readAddresses(generation: Generation): Addresses {
  return getOrCreate(known, generation, () => makeAddresses(generation));
}

/** The page of a generation. */
export function generationLink(generation: Generation): PageLink {
  return { title: generation.name, path: readAddresses(generation).generation };
}

/** The page of a group. */
export function groupPageLink(generation: Generation, group: Group): PageLink {
  return { title: group.title, path: readAddresses(generation).groups.get(group) ?? "" };
}

/** The page of a schema. */
export function schemaPageLink(generation: Generation, name: string): PageLink {
  return { title: name, path: schemaAddress(generation, name) };
}

/** The path of an operation's page. Empty if the generation doesn't have the operation. */
export function operationAddress(generation: Generation, operation: Operation): string {
  return readAddresses(generation).operations.get(operation) ?? "";
}

/** The path of a schema's page. Empty if the generation has no schema with this name. */
export function schemaAddress(generation: Generation, name: string): string {
  return readAddresses(generation).schemas.get(name) ?? "";
}

/** The place of a security scheme on the page about credentials. */
export function schemeAddress({ name: generation }: Generation, name: string): string {
  return `${firstLevel.authentication.path}#${generation}-${name}`;
}

function makeAddresses({ name, groups, webhooks, document }: Generation): Addresses {
  const generation = `${name}/`;
  const schemas = Object.keys(document.components?.schemas ?? {});
  const taken = new Set<string>();
  const folderIn = (parent: string, text: string) =>
    `${distinctName(parent + (shorten(slugOf(text)) || "unnamed"), taken)}/`;
  const foldersOf = (parent: string, operations: readonly Operation[]) =>
    operations.map((operation) => [operation, folderIn(parent, operationName(operation))] as const);
  const schemasFolder = schemas.length > 0 ? folderIn(generation, "schemas") : "";
  const webhooksFolder = webhooks.length > 0 ? folderIn(generation, "webhooks") : "";
  const groupFolders = groups.map((group) => [group, folderIn(generation, group.name)] as const);
  const emptyGroups = `${generation}#${emptyGroupsAnchor}`;
  const namesOnly = groupFolders.filter(([group]) => isNameOnly(group));
  const ofGroups = groupFolders.flatMap(([group, folder]) => foldersOf(folder, group.operations));
  return {
    generation,
    groups: new Map(groupFolders.map(([group, folder]) => [group, isNameOnly(group) ? emptyGroups : folder])),
    moved: new Map(namesOnly.map(([, folder]) => [folder, emptyGroups])),
    operations: new Map([...ofGroups, ...foldersOf(webhooksFolder, webhooks)]),
    schemas: new Map(schemas.map((schema) => [schema, folderIn(schemasFolder, separateWords(schema))])),
    schemaList: schemasFolder,
  };
}

/** The beginning of a name. File systems limit names to 255 bytes, and a letter has up to four. */
function shorten(name: string): string {
  const buffer = new Uint8Array(200);
  return name.slice(0, new TextEncoder().encodeInto(name, buffer).read);
}

/** An identifier as words: `createOAuthClient` becomes `create OAuth Client`. */
export function separateWords(identifier: string): string {
  return splitIdentifier(identifier).join(" ");
}

function operationName({ operationId, name }: Operation): string {
  return operationId === undefined ? name : separateWords(operationId);
}
