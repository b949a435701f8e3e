import { countOf } from "../../contract/text.ts";
import type { TextFile } from "../../command/files.ts";
import type { Site } from "../model/site.ts";
import { pageItem } from "./commonMarkdown.ts";
import { linksFrom, type Links, type MarkdownGeneration, type MarkdownPage } from "./markdownPage.ts";
import { bulletList, demoteHeadings, escapeMarkdown, joinBlocks, linkTo } from "./markdownText.ts";

/** All pages in Markdown, in reading order. */
interface MarkdownSections {
  readonly start: MarkdownPage;
  /** Pages that belong to no generation, besides the first one and the guides. */
  readonly common: readonly MarkdownPage[];
  readonly guides: readonly MarkdownPage[];
  readonly generations: readonly MarkdownGeneration[];
}

/** Agents cut off what is longer; the check suite `afdocs` warns from here on. */
const maximumLength = 50_000;

/**
 * llms.txt, which lists all pages (llmstxt.org). If that is too long, it leads to one such file for each group of
 * operations, and for the webhooks and the schemas of each generation.
 */
export function indexFiles(site: Site, sections: MarkdownSections): readonly TextFile[] {
  const lists = sections.generations.flatMap(listsOf);
  const whole = rootIndex(site, sections, (links) => lists.map((list) => listSection(list, links)));
  if (whole.length <= maximumLength) return [{ path: "llms.txt", content: whole }];
  const split = rootIndex(site, sections, (links) => [
    "## Lists of operations and schemas",
    bulletList(
      lists.map(
        ({ title, path, pages }) => `${linkTo(title, links(`${path}llms.txt`))}: ${countOf(pages.length, "page")}`,
      ),
    ),
  ]);
  return [
    { path: "llms.txt", content: split },
    ...lists.map((list) => ({ path: `${list.path}llms.txt`, content: listFile(site, sections.start, list) })),
  ];
}

/** What all pages say, one after the other, each thing once: lists of pages are left out, and schemas that operations show. */
export function fullText(site: Site, { start, common, guides, generations }: MarkdownSections): string {
  const links = linksFrom(site, "llms-full.txt");
  const pages = [
    start,
    ...common,
    ...guides,
    ...generations.flatMap(({ page, groups, webhooks, otherSchemas }) => [
      page,
      ...groups.flatMap((group) => [group.page, ...group.operations]),
      ...webhooks,
      ...otherSchemas,
    ]),
  ];
  return `${joinBlocks(pages.map((page) => fullPage(page, links)))}\n`;
}

/** A page that consists of links to others is left out. */
function fullPage({ title, subtitle, level, content }: MarkdownPage, links: Links): string | undefined {
  const text = content(links);
  if (text === "") return undefined;
  return joinBlocks([`${"#".repeat(level)} ${escapeMarkdown(title)}`, subtitle, demoteHeadings(text, level - 1)]);
}

interface PageList {
  readonly title: string;
  /** The folder that the list is of. */
  readonly path: string;
  readonly pages: readonly MarkdownPage[];
}

function listsOf({ generation, page, groups, webhooks, schemas }: MarkdownGeneration): readonly PageList[] {
  const { name } = generation;
  return [
    ...groups
      .filter(({ operations }) => operations.length > 0)
      .map((group) => ({
        title: `${name}: ${group.page.title}`,
        path: group.page.path,
        pages: [group.page, ...group.operations],
      })),
    { title: `${name}: webhooks`, path: `${page.path}webhooks/`, pages: webhooks },
    { title: `${name}: schemas`, path: `${page.path}schemas/`, pages: schemas },
  ].filter(({ pages }) => pages.length > 0);
}

function rootIndex(
  site: Site,
  { start, common, guides, generations }: MarkdownSections,
  lists: (links: Links) => readonly string[],
): string {
  const links = linksFrom(site, "llms.txt");
  return `${joinBlocks([
    `# ${escapeMarkdown(start.title)}`,
    `> ${escapeMarkdown(start.summary)}`,
    bulletList([
      `All pages in one file: ${fileLink(links("llms-full.txt"))}`,
      ...generations.map(
        ({ generation: { name, title } }) =>
          `${escapeMarkdown(title)} as an OpenAPI description: ${fileLink(links(`${name}/openapi.yaml`))}`,
      ),
    ]),
    "## Overview",
    bulletList([start, ...common].map((page) => pageItem(page, links))),
    ...(guides.length === 0 ? [] : ["## Guides", bulletList(guides.map((page) => pageItem(page, links)))]),
    ...generations.flatMap(({ generation: { title }, page, groups }) => [
      `## ${escapeMarkdown(title)}`,
      bulletList([
        pageItem(page, links),
        ...groups.filter(({ operations }) => operations.length === 0).map((group) => pageItem(group.page, links)),
      ]),
    ]),
    ...lists(links),
  ])}\n`;
}

function listFile(site: Site, start: MarkdownPage, { title, path, pages }: PageList): string {
  const links = linksFrom(site, path);
  return `${joinBlocks([
    `# ${escapeMarkdown(`${start.title}, ${title}`)}`,
    `> ${escapeMarkdown(start.summary)}`,
    "## Pages",
    bulletList(pages.map((page) => pageItem(page, links))),
  ])}\n`;
}

function listSection({ title, pages }: PageList, links: Links): string {
  return joinBlocks([`## ${escapeMarkdown(title)}`, bulletList(pages.map((page) => pageItem(page, links)))]);
}

/** A link to a file that is no page, by its address, so that nobody takes it for one of the listed pages. */
function fileLink(address: string): string {
  return URL.canParse(address) ? `<${address}>` : linkTo(address, address);
}
