import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { distinctName, recall, slugOf } from "../../contract/text.ts";

/**
 * Where the pages of a generation are: folders relative to the site's root, with a slash at their ends. Each has an
 * `index.html`, and an `index.md` with the same in Markdown.
 */
export interface Addresses {
  readonly generation: string;
  readonly groups: ReadonlyMap<Group, string>;
  /** Of the operations and the webhooks. */
  readonly operations: ReadonlyMap<Operation, string>;
  /** By the names of the schemas. */
  readonly schemas: ReadonlyMap<string, string>;
}

const known = new WeakMap<Generation, Addresses>();

/** Gives every page of a generation an address of its own. */
export function readAddresses(generation: Generation): Addresses {
  return recall(known, generation, () => makeAddresses(generation));
}

function makeAddresses({ name, groups, webhooks, document }: Generation): Addresses {
  const generation = `${name}/`;
  const schemas = Object.keys(document.components?.schemas ?? {});
  const taken = new Set<string>();
  // File systems allow 255 bytes in a name.
  const folderIn = (parent: string, text: string) =>
    `${distinctName(parent + (slugOf(text).slice(0, 200) || "unnamed"), taken)}/`;
  const foldersOf = (parent: string, operations: readonly Operation[]) =>
    operations.map((operation) => [operation, folderIn(parent, operationName(operation))] as const);
  const schemasFolder = schemas.length > 0 ? folderIn(generation, "schemas") : "";
  const webhooksFolder = webhooks.length > 0 ? folderIn(generation, "webhooks") : "";
  const groupFolders = groups.map((group) => [group, folderIn(generation, group.name)] as const);
  const ofGroups = groupFolders.flatMap(([group, folder]) => foldersOf(folder, group.operations));
  return {
    generation,
    groups: new Map(groupFolders),
    operations: new Map([...ofGroups, ...foldersOf(webhooksFolder, webhooks)]),
    schemas: new Map(schemas.map((schema) => [schema, folderIn(schemasFolder, separateWords(schema))])),
  };
}

/** The words of an identifier: `create`, `OAuth` and `Client` of `createOAuthClient`. */
export function splitIdentifier(identifier: string): string[] {
  return identifier.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])/);
}

/** An identifier as words: `createOAuthClient` becomes `create OAuth Client`. */
export function separateWords(identifier: string): string {
  return splitIdentifier(identifier).join(" ");
}

function operationName({ operationId, name }: Operation): string {
  return operationId === undefined ? name : separateWords(operationId);
}
