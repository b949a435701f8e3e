import type { Generation, Operation } from "../../contract/generation.ts";
import { slugOf } from "../../contract/text.ts";

/**
 * Where the pages of a generation are: folders relative to the site's root, with a slash at their ends. Each has an
 * `index.html`, and an `index.md` with the same in Markdown.
 */
export type Addresses = ReturnType<typeof readAddresses>;

/** Gives every page of a generation an address of its own. */
export function readAddresses({ name, groups, webhooks, document }: Generation) {
  const generation = `${name}/`;
  // The folders of other pages.
  const taken = [...(document.components?.schemas ? ["schemas"] : []), ...(webhooks.length > 0 ? ["webhooks"] : [])];
  const groupSlug = distinctSlugs(taken);
  const schemaSlug = distinctSlugs();
  const webhookSlug = distinctSlugs();
  const groupFolders = new Map(groups.map((group) => [group, `${generation}${groupSlug(group.name)}/`]));
  const operations = [...groupFolders].flatMap(([group, folder]) => {
    const slug = distinctSlugs();
    return group.operations.map((operation) => [operation, `${folder}${slug(operationName(operation))}/`] as const);
  });
  return {
    generation,
    groups: groupFolders,
    /** Of the webhooks, too. */
    operations: new Map([
      ...operations,
      ...webhooks.map((webhook) => [webhook, `${generation}webhooks/${webhookSlug(operationName(webhook))}/`] as const),
    ]),
    schemas: new Map(
      Object.keys(document.components?.schemas ?? {}).map((schema) => [
        schema,
        `${generation}schemas/${schemaSlug(separateWords(schema))}/`,
      ]),
    ),
  };
}

/** An identifier as words: `createOAuthClient` becomes `create OAuth Client`. */
export function separateWords(identifier: string): string {
  return identifier.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])/g, " ");
}

/** Name of an operation in URLs. One without an `operationId` is named by its method and path. */
function operationName({ operationId, name }: Operation): string {
  return operationId === undefined ? name : separateWords(operationId);
}

/** Makes slugs, none of them twice and none that is taken already. */
function distinctSlugs(taken: readonly string[] = []): (text: string) => string {
  const slugs = new Set(taken);
  return (text) => {
    // File systems allow 255 bytes in a name.
    const slug = slugOf(text).slice(0, 200) || "unnamed";
    let candidate = slug;
    for (let count = 2; slugs.has(candidate); count += 1) candidate = `${slug}-${count}`;
    slugs.add(candidate);
    return candidate;
  };
}
