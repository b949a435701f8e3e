import type { TextFile } from "../../command/files.ts";
import { firstSentence, escapeMarkdown } from "../../values/markdown.ts";
import { groupBy } from "../../values/collections.ts";
import { isNameOnly } from "../model/addresses.ts";
import type { Site } from "../model/site.ts";
import { links } from "../parts/blocks.ts";
import { pageKind, rootOf, sectionOf, type Page } from "../parts/page.ts";
import { writeInlineMarkdown, writeMarkdown } from "./writeMarkdown.ts";
import { rootMark } from "../parts/pageNodes.ts";

/** Agents truncate longer files. The check suite `afdocs` warns above this size. */
const maximumLength = 50_000;

/** A page in Markdown, with {@link rootMark} before the paths of links within the site. */
export interface PageText {
  readonly page: Page;
  readonly title: string;
  /** Links to the pages that contain this one. Empty if there are none. */
  readonly crumbs: string;
  /** The text below the title. */
  readonly body: string;
}

export function readPageText(page: Page): PageText {
  const { path, title, heading = [title], crumbs = [], overview = [], children } = page;
  return {
    page,
    title: writeInlineMarkdown(heading, path),
    crumbs: writeInlineMarkdown(links(crumbs, " / "), path),
    body: writeMarkdown([...overview, ...children], path),
  };
}

/** Text of a page for a file in which links within the site begin with `to`. */
function placeText(text: string, to: string): string {
  return text.replaceAll(rootMark, () => to);
}

/** The `index.md` beside a page. It begins with a link to the list of all pages, where agents look for it. */
export function markdownFile(site: Site, { page: { path }, title, crumbs, body }: PageText): TextFile {
  const root = linkRoot(site, path);
  const note = `All pages of these docs are listed in [llms.txt](${root}llms.txt).`;
  return textFile(`${path}index.md`, [`# ${title}`, note, placeText(crumbs, root), placeText(body, root)]);
}

/** The concatenated texts of pages. */
export function fullText(site: Site, texts: readonly PageText[]): TextFile {
  const root = linkRoot(site, "");
  const shown = texts.filter(({ page }) => page.saidElsewhere !== true);
  return textFile(
    "llms-full.txt",
    shown.flatMap(({ title, body }) => [`# ${title}`, placeText(body, root)]),
  );
}

/**
 * llms.txt, which lists all pages (llmstxt.org). If that is too long, it lists only the pages that lead to
 * the others.
 */
export function listFile(site: Site, pages: readonly Page[]): TextFile {
  const introduction = listIntroduction(site, pages[0]?.description ?? "");
  const fileWith = (listed: readonly Page[]) => textFile("llms.txt", [...introduction, ...listSections(site, listed)]);
  const whole = fileWith(pages);
  // The pages of groups link to operations, and the page of a generation links to schemas and webhooks.
  const inner = new Set(["operation", "schema", "webhook"]);
  return whole.content.length <= maximumLength ? whole : fileWith(pages.filter((page) => !inner.has(pageKind(page))));
}

function listIntroduction(site: Site, description: string): readonly string[] {
  const root = linkRoot(site, "");
  const files = [`All pages in one file: ${fileLink(`${root}llms-full.txt`)}`];
  for (const { name, title } of site.generations) {
    files.push(`${escapeMarkdown(title)} as an OpenAPI description: ${fileLink(`${root}${name}/openapi.yaml`)}`);
  }
  files.push("Sample requests are in curl here. The pages of the site also have them in other languages.");
  return [`# ${escapeMarkdown(site.title)}`, `> ${escapeMarkdown(description)}`, bulletList(files)];
}

/** The heading and the pages of each section. Operations come first, for agents that stop early. */
function listSections(site: Site, pages: readonly Page[]): readonly string[] {
  const root = linkRoot(site, "");
  const blocks: string[] = [];
  const sorted = pages.toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const [title, own] of groupBy(sorted, sectionTitle)) {
    const items = own.map((page) => pageItem(root, page));
    blocks.push(`## ${escapeMarkdown(title)}`, bulletList([...items, ...own.flatMap(unspecifiedGroups)]));
  }
  return blocks;
}

/** The order of the pages after the operations and the pages around them. */
const ranks: Readonly<Record<string, number>> = { guide: 1, page: 2, schema: 3 };

function rankOf(page: Page): number {
  return ranks[pageKind(page)] ?? 0;
}

/** For the page of a generation, a line with all groups of which only the names are known. */
function unspecifiedGroups(page: Page): readonly string[] {
  const names = page.generation?.groups.filter(isNameOnly).map(({ title }) => escapeMarkdown(title)) ?? [];
  if (pageKind(page) !== "generation" || names.length === 0) return [];
  return [`Groups whose operations aren't specified: ${names.join(", ")}`];
}

function sectionTitle(page: Page): string {
  const { path, generation, group } = page;
  const [, folder = ""] = path.split("/");
  if (generation === undefined) return sectionOf(path)?.title ?? "Overview";
  if (folder === "" || (group && group.operations.length + group.webhooks.length === 0)) return generation.title;
  return `${generation.name}: ${group?.title ?? folder}`;
}

/** A link to a page, with its method and path for an operation, and a sentence. */
function pageItem(root: string, { path, title, description, operation }: Page): string {
  const sentence = firstSentence(description);
  const facts = [
    operation && `\`${operation.name}\`${operation.lifecycle.isDeprecated ? " · deprecated" : ""}`,
    sentence === title || sentence === operation?.name ? undefined : escapeMarkdown(sentence),
  ].filter((fact) => fact !== undefined);
  return `${pageLink(root, path, title)}${facts.length === 0 ? "" : `: ${facts.join(". ")}`}`;
}

function pageLink(root: string, path: string, title: string): string {
  return `[${escapeMarkdown(title)}](${root}${path}index.md)`;
}

/** A link to a file by its address, so that nobody takes it for a listed page. */
function fileLink(address: string): string {
  return URL.canParse(address) ? `<${address}>` : `[${address}](${address})`;
}

/** Links are absolute if the site's URL is known, so that they also work in copies. */
function linkRoot({ url }: Site, path: string): string {
  return url ?? rootOf(path);
}

function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function textFile(path: string, blocks: readonly string[]): TextFile {
  return { path, content: `${blocks.filter((block) => block !== "").join("\n\n")}\n` };
}
