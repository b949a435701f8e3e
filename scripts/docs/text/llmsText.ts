import type { TextFile } from "../../command/files.ts";
import { countOf, firstSentence, groupBy } from "../../contract/text.ts";
import { firstLevel, type Site } from "../model/site.ts";
import { rootOf, type Page } from "../parts/page.ts";
import { escapeMarkdown, placeText, type PageText } from "./convertPage.ts";

/** Agents cut off what is longer; the check suite `afdocs` warns from here on. */
const maximumLength = 50_000;

/** The `index.md` beside a page. It begins with a link to the list of all pages, which agents look for at the top. */
export function markdownFile(site: Site, { page: { path }, title, crumbs, body }: PageText): TextFile {
  const root = linkRoot(site, path);
  const note = `All pages of these docs are listed in [llms.txt](${root}llms.txt).`;
  return textFile(`${path}index.md`, [`# ${title}`, note, placeText(crumbs, root), placeText(body, root)]);
}

/** The texts of pages one after the other, each title one level below that of the page whose folder it is in. */
export function fullText(site: Site, texts: readonly PageText[]): TextFile {
  const shown = texts.filter(({ page }) => page.saidElsewhere !== true);
  const folders = new Set(shown.map(({ page }) => page.path));
  const root = linkRoot(site, "");
  return textFile(
    "llms-full.txt",
    shown.flatMap(({ page: { path }, title, body }) => {
      const inner = [...path.matchAll(/\//g)].filter(({ index }) => folders.has(path.slice(0, index + 1)));
      const depth = 1 + inner.length;
      return [`${"#".repeat(depth)} ${title}`, placeText(body, root, depth)];
    }),
  );
}

/** llms.txt, which lists all pages (llmstxt.org). If that is too long, it leads to one such file for each folder. */
export function listFiles(site: Site, pages: readonly Page[]): readonly [TextFile, ...TextFile[]] {
  const lists = listsOf(pages);
  const listed = new Set(lists.flatMap((list) => list.pages));
  const unlisted = pages.filter((page) => !listed.has(page));
  const root = linkRoot(site, "");
  const beginning = [
    `# ${escapeMarkdown(site.title)}`,
    `> ${escapeMarkdown(pages[0]?.description ?? "")}`,
    bulletList([
      `All pages in one file: ${fileLink(`${root}llms-full.txt`)}`,
      ...site.generations.map(
        ({ name, title }) =>
          `${escapeMarkdown(title)} as an OpenAPI description: ${fileLink(`${root}${name}/openapi.yaml`)}`,
      ),
    ]),
    ...[...groupBy(unlisted, sectionTitle)].flatMap(([title, some]) => section(root, title, some)),
  ];
  const whole = textFile("llms.txt", [...beginning, ...lists.flatMap((list) => section(root, list.title, list.pages))]);
  if (whole.content.length <= maximumLength) return [whole];
  const links = lists.map((list) => {
    const count = countOf(list.pages.length, "page");
    return `[${escapeMarkdown(list.title)}](${root}${list.path}llms.txt): ${count}`;
  });
  return [
    textFile("llms.txt", [...beginning, "## Lists of operations and schemas", bulletList(links)]),
    ...lists.map(({ title, path, pages: own }) =>
      textFile(`${path}llms.txt`, [
        `# ${escapeMarkdown(`${site.title}, ${title}`)}`,
        ...section(linkRoot(site, path), "Pages", own),
      ]),
    ),
  ];
}

/**
 * The pages of each folder of a generation: of a group of operations, of the webhooks, or of the schemas. A page that is
 * alone in its folder needs no list.
 */
function listsOf(pages: readonly Page[]) {
  const byFolder = groupBy(pages, ({ path }) => /^[^/]*\/[^/]*\/?/.exec(path)?.[0] ?? path);
  return [...byFolder].flatMap(([path, own]) => {
    const [{ generation, group } = {}] = own;
    if (own.length === 1 || generation === undefined) return [];
    return [{ title: `${generation.name}: ${group?.title ?? path.split("/")[1] ?? ""}`, path, pages: own }];
  });
}

function sectionTitle({ path, generation }: Page): string {
  return (
    generation?.title ??
    (path.startsWith(firstLevel.guides.path) && path !== firstLevel.guides.path ? "Guides" : "Overview")
  );
}

function section(root: string, title: string, pages: readonly Page[]): readonly string[] {
  return [`## ${escapeMarkdown(title)}`, bulletList(pages.map((page) => pageItem(root, page)))];
}

/** A link to a page; of an operation, its method and path; and a sentence. */
function pageItem(root: string, { path, title, description, operation }: Page): string {
  const sentence = firstSentence(description);
  const facts = [
    operation && `\`${operation.name}\`${operation.lifecycle.isDeprecated ? " · deprecated" : ""}`,
    sentence === title || sentence === operation?.name ? undefined : escapeMarkdown(sentence),
  ].filter((fact) => fact !== undefined);
  return `[${escapeMarkdown(title)}](${root}${path}index.md)${facts.length === 0 ? "" : `: ${facts.join(". ")}`}`;
}

/** A link to a file that is no page, by its address, so that nobody takes it for one of the listed pages. */
function fileLink(address: string): string {
  return URL.canParse(address) ? `<${address}>` : `[${address}](${address})`;
}

/** Links are absolute if it is known where the site will be, so that they hold in a copy too. */
function linkRoot({ url }: Site, path: string): string {
  return url ?? rootOf(path);
}

function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function textFile(path: string, blocks: readonly string[]): TextFile {
  return { path, content: `${blocks.filter((block) => block !== "").join("\n\n")}\n` };
}
