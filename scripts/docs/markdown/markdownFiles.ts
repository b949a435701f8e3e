import type { TextFile } from "../../command/files.ts";
import type { Generation } from "../../contract/generation.ts";
import { readResources } from "../../contract/resources.ts";
import { flattenFields } from "../fields.ts";
import { namedSchemas, readOperationContent, type OperationContent } from "../operationContent.ts";
import { addressesOf, type PageLink, type Site } from "../site.ts";
import {
  authenticationMarkdown,
  downloadsMarkdown,
  guidesMarkdown,
  startMarkdown,
  unspecifiedMarkdown,
} from "./commonMarkdown.ts";
import { generationMarkdown, groupMarkdown } from "./generationMarkdown.ts";
import { fullText, indexFiles } from "./llmsText.ts";
import { renderMarkdown, type MarkdownPage } from "./markdownPage.ts";
import { operationMarkdown } from "./operationMarkdown.ts";
import { schemaMarkdown } from "./schemaMarkdown.ts";
import type { Operation } from "../../contract/generation.ts";

export interface MarkdownOptions {
  /** The pages of guides, in reading order. */
  readonly guides: readonly MarkdownPage[];
  /** The guides that use an operation. */
  readonly guidesOf: (operation: Operation) => readonly PageLink[];
}

/** The pages of a generation in Markdown, each list in its document's order. */
export interface MarkdownGeneration {
  readonly generation: Generation;
  readonly page: MarkdownPage;
  readonly groups: readonly { readonly page: MarkdownPage; readonly operations: readonly MarkdownPage[] }[];
  readonly webhooks: readonly MarkdownPage[];
  readonly schemas: readonly MarkdownPage[];
  /** Those of the schemas whose fields no operation's page has. */
  readonly otherSchemas: readonly MarkdownPage[];
}

/**
 * The site for language models and other readers of plain text: an `index.md` beside each page, the list of them in
 * llms.txt (llmstxt.org), and what they say in one file, llms-full.txt.
 */
export function markdownFiles(site: Site, { guides, guidesOf }: MarkdownOptions): readonly TextFile[] {
  const contents = site.generations.map((generation) =>
    [...generation.operations, ...generation.webhooks].map((operation) => readOperationContent(generation, operation)),
  );
  const generations = site.generations.map((generation, index) =>
    readPages(site, generation, contents[index] ?? [], guidesOf),
  );
  const common = [
    authenticationMarkdown(site),
    ...(guides.length === 0 ? [] : [guidesMarkdown(guides)]),
    unspecifiedMarkdown(site, contents),
    downloadsMarkdown(site),
  ];
  const start = startMarkdown(site, common);
  const sections = { start, common, guides, generations };
  return [
    ...[start, ...common, ...guides, ...generations.flatMap(pagesOf)].map((page) => ({
      path: `${page.path}index.md`,
      content: renderMarkdown(site, page),
    })),
    ...indexFiles(site, sections),
    { path: "llms-full.txt", content: fullText(site, sections) },
  ];
}

function pagesOf({ page, groups, webhooks, schemas }: MarkdownGeneration): readonly MarkdownPage[] {
  return [page, ...groups.flatMap((group) => [group.page, ...group.operations]), ...webhooks, ...schemas];
}

function readPages(
  site: Site,
  generation: Generation,
  contents: readonly OperationContent[],
  guidesOf: MarkdownOptions["guidesOf"],
): MarkdownGeneration {
  const resources = readResources([generation]);
  const pages = new Map(
    contents.map((content) => {
      const { operation } = content;
      const options = { generation, operation, resource: resources.get(operation), guides: guidesOf(operation) };
      return [operation, operationMarkdown(site, options, content)];
    }),
  );
  const shown = new Set(contents.flatMap(shownSchemas));
  const users = usersOfSchemas(contents);
  const schemas = [...addressesOf(site, generation).schemas.keys()].map((name) => ({
    name,
    page: schemaMarkdown(site, generation, name, users.get(name) ?? []),
  }));
  const pagesOfAll = (operations: readonly Operation[]) =>
    operations.flatMap((operation) => pages.get(operation) ?? []);
  return {
    generation,
    page: generationMarkdown(site, generation),
    groups: generation.groups.map((group) => ({
      page: groupMarkdown(site, generation, group),
      operations: pagesOfAll(group.operations),
    })),
    webhooks: pagesOfAll(generation.webhooks),
    schemas: schemas.map(({ page }) => page),
    otherSchemas: schemas.filter(({ name }) => !shown.has(name)).map(({ page }) => page),
  };
}

function usersOfSchemas(contents: readonly OperationContent[]): ReadonlyMap<string, readonly OperationContent[]> {
  const users = new Map<string, OperationContent[]>();
  for (const content of contents) {
    for (const name of namedSchemas(content)) users.set(name, [...(users.get(name) ?? []), content]);
  }
  return users;
}

/** The schemas whose fields an operation's page has: all but those that were cut off. */
function shownSchemas({ requestBody, responses }: OperationContent): readonly string[] {
  const media = [requestBody?.media ?? [], ...responses.map((response) => response.media)].flat();
  return flattenFields(media.map(({ field }) => field))
    .filter(({ fields, alternatives }) => fields.length + alternatives.length > 0)
    .flatMap(({ type }) => type.flatMap(({ schema }) => schema ?? []));
}
