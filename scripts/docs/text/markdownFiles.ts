import type { TextFile } from "../../command/files.ts";
import type { Operation } from "../../contract/generation.ts";
import { flattenFields } from "../model/fields.ts";
import type { OperationContent } from "../model/operationContent.ts";
import type { Download } from "../pages/downloadsPage.ts";
import type { PageLink, Site } from "../model/site.ts";
import type { GenerationContent } from "../model/unspecifiedEntries.ts";
import { authenticationMarkdown } from "./authenticationMarkdown.ts";
import { downloadsMarkdown, guidesMarkdown, unspecifiedMarkdown } from "./commonMarkdown.ts";
import { generationMarkdown, groupMarkdown } from "./generationMarkdown.ts";
import { fullText, indexFiles } from "./llmsText.ts";
import { renderMarkdown, type MarkdownGeneration, type MarkdownPage } from "./markdownPage.ts";
import { operationMarkdown } from "./operationMarkdown.ts";
import { schemaMarkdown } from "./schemaMarkdown.ts";
import { startMarkdown } from "./startMarkdown.ts";

interface MarkdownOptions {
  readonly contents: readonly GenerationContent[];
  /** The files of the generations. */
  readonly downloads: readonly Download[];
  /** The pages of guides, in reading order. */
  readonly guides: readonly MarkdownPage[];
  /** The guides that use an operation. */
  readonly guidesOf: (operation: Operation) => readonly PageLink[];
}

/**
 * The site for language models and other readers of plain text: an `index.md` beside each page, the list of them in
 * llms.txt (llmstxt.org), and what they say in one file, llms-full.txt.
 */
export function markdownFiles(site: Site, options: MarkdownOptions): readonly TextFile[] {
  const { contents, downloads, guides } = options;
  const common = [
    ...(guides.length === 0 ? [] : [guidesMarkdown(guides)]),
    authenticationMarkdown(site, contents),
    unspecifiedMarkdown(site, contents),
    downloadsMarkdown(site, downloads),
  ];
  const start = startMarkdown(site, guides, common);
  const generations = contents.map((content) => readPages(site, content, options));
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

function readPages(site: Site, content: GenerationContent, { guidesOf }: MarkdownOptions): MarkdownGeneration {
  const { generation } = content;
  const pages = new Map(
    [...content.operations].map(([operation, told]) => {
      const options = { generation, operation, guides: guidesOf(operation) };
      return [operation, operationMarkdown(site, options, told)];
    }),
  );
  const pagesOfAll = (operations: readonly Operation[]) =>
    operations.flatMap((operation) => pages.get(operation) ?? []);
  const shown = new Set([...content.operations.values()].flatMap(shownSchemas));
  const schemas = [...content.schemas.values()].map((schema) => schemaMarkdown(site, generation, schema));
  return {
    generation,
    page: generationMarkdown(site, content),
    groups: generation.groups.map((group) => ({
      page: groupMarkdown(site, generation, group),
      operations: pagesOfAll(group.operations),
    })),
    webhooks: pagesOfAll(generation.webhooks),
    schemas,
    otherSchemas: schemas.filter(({ title }) => !shown.has(title)),
  };
}

/** The schemas whose fields an operation's page has: all but those that were cut off. */
function shownSchemas({ requestBody, responses }: OperationContent): readonly string[] {
  const media = [requestBody?.media ?? [], ...responses.map((response) => response.media)].flat();
  return flattenFields(media.map(({ field }) => field))
    .filter(({ fields, alternatives }) => fields.length + alternatives.length > 0)
    .flatMap(({ type }) => type.flatMap(({ schema }) => schema ?? []));
}
