import { isObject, listOperations, type Document, type OperationEntry } from "../contract/document.ts";
import { slugOf } from "./slug.ts";

/** A tag, with its operations. */
export interface Group {
  readonly name: string;
  /** Its name in URLs, unique in the document. */
  readonly slug: string;
  readonly description: string;
  readonly operations: readonly OperationEntry[];
}

/** Groups under the name that `x-tagGroups` gives them; the name is empty where it gives none. */
export interface Section {
  readonly name: string;
  readonly groups: readonly Group[];
}

/** The name of the group of operations without a tag. */
const untagged = "Other";

/** Every tag of a document, in its order, and then the tags that operations have without its being declared. */
export function listGroups(document: Document): readonly Group[] {
  const byTag = Map.groupBy(listOperations(document), ({ operation }) => operation.tags?.[0] ?? untagged);
  const tags = new Map((document.tags ?? []).map(({ name, description = "" }) => [name, description]));
  const slugs = new Set<string>();
  return [...new Set([...tags.keys(), ...byTag.keys()])].map((name) => {
    const slug = unique(slugOf(name) || "group", slugs);
    return { name, slug, description: tags.get(name) ?? "", operations: byTag.get(name) ?? [] };
  });
}

/** The groups by section, in the order in which the reference page lists them. */
export function listSections(document: Document): readonly Section[] {
  const groups = new Map(listGroups(document).map((group) => [group.name, group]));
  const sections = readTagGroups(document).map(({ name, tags }) => ({
    name,
    groups: tags.flatMap((tag) => {
      const group = groups.get(tag);
      groups.delete(tag);
      return group === undefined ? [] : [group];
    }),
  }));
  return groups.size === 0 ? sections : [...sections, { name: "", groups: [...groups.values()] }];
}

/** The operation's name in URLs; an operation without an `operationId` is named by its method and path. */
export function operationSlug({ operation, method, path }: OperationEntry): string {
  return operation.operationId?.toLowerCase() ?? slugOf(`${method} ${path}`);
}

/** The fragment at which the reference page shows an operation. */
export function operationFragment(group: Group, entry: OperationEntry): string {
  return `#/${group.slug}/${operationSlug(entry)}`;
}

/** What an operation is called where it is listed. */
export function operationTitle({ operation, method, path }: OperationEntry): string {
  return operation.summary ?? `${method.toUpperCase()} ${path}`;
}

/** The extension `x-tagGroups` of a document: names of tags under a common name. */
export function readTagGroups(document: Document): { name: string; tags: string[] }[] {
  const value: unknown = new Map<string, unknown>(Object.entries(document)).get("x-tagGroups");
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map(({ name, tags }) => ({
    name: typeof name === "string" ? name : "",
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
  }));
}

function unique(slug: string, taken: Set<string>): string {
  let candidate = slug;
  for (let count = 2; taken.has(candidate); count += 1) candidate = `${slug}-${count}`;
  taken.add(candidate);
  return candidate;
}
