import type { Generation } from "../../contract/generation.ts";
import { rootOf } from "../parts/page.ts";
import type { Site } from "../model/site.ts";
import { escapeMarkdown, joinBlocks } from "./markdownText.ts";

/** A page of the site as Markdown: the `index.md` beside its `index.html`. */
export interface MarkdownPage {
  /** Its folder, relative to the site's root, as in {@link Page}. */
  readonly path: string;
  readonly title: string;
  /** What follows the title at once, before anything else: for an operation, its method and path. */
  readonly subtitle?: string | undefined;
  /** One sentence in plain text, for llms.txt. */
  readonly summary: string;
  /** How deep in the site the page is: the level of its title in llms-full.txt. */
  readonly level: number;
  /** What only this page says, with headings from the second level on. */
  readonly content: (links: Links) => string;
  /** What other pages say in their own places, such as a list of them: llms-full.txt goes without. */
  readonly index?: ((links: Links) => string) | undefined;
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

/** The address of the Markdown of the page at a path, or of a file, for links in one file. */
export type Links = (path: string) => string;

/**
 * Links for a file at a path of the site. They name `index.md`, so that whoever reads Markdown stays with it, wherever
 * the site is; they are absolute if it is known where that is, so that they hold in a copy too.
 */
export function linksFrom(site: Site, path: string): Links {
  const root = site.url ?? rootOf({ path });
  return (target) => `${root}${target}${target === "" || target.endsWith("/") ? "index.md" : ""}`;
}

/** Text of the page's file. Its second line leads to the list of all pages, which agents look for at the top. */
export function renderMarkdown(site: Site, { path, title, subtitle, content, index }: MarkdownPage): string {
  const links = linksFrom(site, path);
  const text = joinBlocks([
    `# ${escapeMarkdown(title)}`,
    subtitle,
    `All pages of these docs are listed in [llms.txt](${links("llms.txt")}).`,
    content(links),
    index?.(links),
  ]);
  return `${text}\n`;
}
