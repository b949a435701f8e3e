import type { TextFile } from "../../command/files.ts";
import { formatJson, formatYaml } from "../../contract/documentText.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import { escapeRegExp, escapeXml } from "../../values/text.ts";
import { readAddresses } from "../model/addresses.ts";
import { readSite } from "../model/readSite.ts";
import type { Site, SiteOptions } from "../model/site.ts";
import { stepsFiles } from "../model/stepsData.ts";
import { tryItFiles } from "../model/tryItData.ts";
import { changelogFeed } from "../pages/changelogPage.ts";
import { downloadsPage, type Download } from "../pages/downloadsPage.ts";
import { notFoundPage } from "../pages/notFoundPage.ts";
import { schemaListPage } from "../pages/schemaPage.ts";
import { sitePages } from "../pages/sitePages.ts";
import { pageKind, type Page } from "../parts/page.ts";
import { renderPage } from "../parts/renderPage.ts";
import { fullText, listFile, markdownFile, readPageText, type PageText } from "./llmsText.ts";
import { bundleScript, readAssets, readStatic } from "./assets.ts";
import { createLinkCheck, type DeadLink } from "./deadLinks.ts";
import { allScripts, makeMockScripts, scriptNames } from "./mockScripts.ts";
import { redirects } from "./redirects.ts";
import { searchIndexFiles } from "./searchIndex.ts";

/**
 * Renders every file of the site, which works under any path of any host, and returns the links that lead to nothing in
 * it. The output is deterministic. A site may be large, so a page is rendered only when it is asked for.
 */
export async function* renderSite(options: SiteOptions): AsyncGenerator<TextFile, readonly DeadLink[], undefined> {
  const { mark = await readStatic("mark.svg") } = options;
  // Scripts are bundled in the background.
  const reading = Promise.all([readAssets(mark), bundleScript("whileParsed.ts")]);
  // If a mock runs beside the site, pages need none of their own.
  const bundling = options.mockUrl === undefined ? makeMockScripts(options.generations) : undefined;
  // They are awaited later. If they fail before, the process must not end.
  for (const one of [reading, bundling]) one?.catch(() => undefined);

  // The facts, and the pages as nodes, from which everything below is written.
  const facts = readSite(options);
  const described = sitePages(facts);

  // Markdown.
  const texts = described.map(readPageText);
  const downloads = readDownloads(facts, described, texts);
  const last = downloadsPage(facts, downloads);
  const pages = [...described, last];
  const markdown = [...texts, readPageText(last)].map((text) => markdownFile(facts, text));

  // The sections that the search finds.
  const searchIndex = searchIndexFiles(facts, pages);

  // HTML, and the links between pages.
  const [assets, script] = await reading;
  const site = { ...facts, mark, assets, script, searchIndex };
  const others = [...Object.values(assets), ...searchIndex, ...downloads.map(({ file }) => file), ...markdown];
  yield* others;
  const links = createLinkCheck(facts, pages, new Set(others.map(({ path }) => path)));
  for (const page of [...pages, notFoundPage(site)]) {
    const content = renderPage(site, page);
    links.look(page.path, content);
    yield { path: filePath(page), content };
  }
  yield* redirects(site);

  // The data of forms and of the steps of guides, and the mock that responds to both.
  const scripts = await bundling;
  if (scripts !== undefined) {
    yield* [...allScripts(scripts), ...stepsFiles(site, { ...scriptNames(scripts), isFirst: true })];
  }
  for (const generation of site.generations) {
    const isFirst = options.servers?.has(generation.name) !== true;
    const pageMockOf = (operation: Operation) => scripts && { ...scriptNames(scripts, operation), isFirst };
    yield* tryItFiles(site, generation, pageMockOf);
  }

  // For crawlers and feed readers.
  yield* sitemap(site, pages);
  yield* changelogFeed(site);
  return links.dead();
}

/** Renders the Markdown files and `llms.txt`, for agents. The schemas of a generation share a file. */
export function renderTexts(options: SiteOptions): readonly TextFile[] {
  const site = readSite(options);
  const lists = site.contents.flatMap((content) => (content.schemas.size === 0 ? [] : [schemaListPage(content)]));
  const described = sitePages(site);
  const downloads = readDownloads(site, described, described.map(readPageText));
  const pages = [...described, downloadsPage(site, downloads)].filter((page) => pageKind(page) !== "schema");
  const shown = [...pages, ...lists];
  const files = [listFile(site, shown), ...shown.map((page) => markdownFile(site, readPageText(page)))];
  return files.map((file) => leadToSchemaLists(site, file));
}

/** Leads the links to pages of schemas to their sections in the list of schemas. */
function leadToSchemaLists({ generations }: Site, file: TextFile): TextFile {
  let { content } = file;
  for (const { schemas, schemaList } of generations.map(readAddresses)) {
    if (schemaList === "") continue;
    const places = new Map([...schemas].map(([name, path]) => [path, `${schemaList}index.md#${name.toLowerCase()}`]));
    const link = new RegExp(`(${escapeRegExp(schemaList)}[\\w-]+/)index\\.md`, "g");
    content = content.replaceAll(link, (whole, path: string) => places.get(path) ?? whole);
  }
  return { ...file, content };
}

/** For crawlers (sitemaps.org, protocol 0.9). Empty if the site's URL is unknown. */
function sitemap({ url }: Site, pages: readonly Page[]): readonly TextFile[] {
  if (url === undefined) return [];
  const locations = pages.map(({ path }) => `<url><loc>${escapeXml(url + encodeURI(path))}</loc></url>\n`);
  const content = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations.join("")}</urlset>\n`;
  return [
    { path: "sitemap.xml", content },
    { path: "robots.txt", content: `User-agent: *\nAllow: /\nSitemap: ${url}sitemap.xml\n` },
  ];
}

/** The files for tools, programs and language models. */
function readDownloads(site: Site, pages: readonly Page[], texts: readonly PageText[]): readonly Download[] {
  const descriptions = site.generations.flatMap(openApiFiles);
  const list = listFile(site, [...pages, downloadsPage(site, descriptions)]);
  return [
    ...descriptions,
    { about: "List of all pages in Markdown", file: list },
    { about: "All pages in Markdown", file: fullText(site, texts) },
  ];
}

function openApiFiles({ name, document }: Generation): readonly Download[] {
  const files = [
    { path: `${name}/openapi.yaml`, content: formatYaml(document) },
    { path: `${name}/openapi.json`, content: formatJson(document) },
  ];
  const version = document.openapi.split(".").slice(0, 2).join(".");
  return files.map((file) => ({ file, generation: name, about: `OpenAPI ${version} description` }));
}

function filePath({ path }: Page): string {
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}
