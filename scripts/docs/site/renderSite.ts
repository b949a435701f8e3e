import type { TextFile } from "../../command/files.ts";
import type { Changelog } from "../../contract/changelog.ts";
import { defaultMockUrl } from "../../contract/defaultAddress.ts";
import { serverUrl, type Generation, type Operation } from "../../contract/generation.ts";
import { escapeXml } from "../../contract/text.ts";
import { readResources } from "../../contract/resources.ts";
import { formatJson, formatYaml } from "../../contract/documentText.ts";
import { readAssets, readStatic } from "./assets.ts";
import { fullText, listFile, markdownFile, readPageText } from "../text/llmsText.ts";
import { renderPage, type Page } from "../parts/page.ts";
import { namedSchemas } from "../model/operationModel.ts";
import { authenticationPage } from "../pages/authenticationPage.ts";
import { changelogFeed, changelogPage } from "../pages/changelogPage.ts";
import { downloadsPage, type Download } from "../pages/downloadsPage.ts";
import { errorsPage } from "../pages/errorsPage.ts";
import { generationPage, groupPage } from "../pages/generationPage.ts";
import { notFoundPage } from "../pages/notFoundPage.ts";
import { operationPage } from "../pages/operationPage.ts";
import { guidePage, guidesPage, workflowPage } from "../pages/guidesPage.ts";
import type { Guide, Synonym } from "../model/guides.ts";
import type { Workflow } from "../../workflows/readWorkflows.ts";
import { schemaPage } from "../pages/schemaPage.ts";
import { startPage } from "../pages/startPage.ts";
import { unspecifiedPage } from "../pages/unspecifiedPage.ts";
import { firstLevel, guidePath, type Site } from "../model/site.ts";
import { tryItFiles } from "../model/tryItData.ts";
import { commonTitle, readGenerationModel, type GenerationModel } from "../model/generationModel.ts";
import { readSearchEntries, searchIndexFiles } from "./searchIndex.ts";

export interface SiteOptions {
  readonly generations: readonly Generation[];
  readonly packageName: string;
  /** Where the site will be, with a slash at its end. */
  readonly url?: string | undefined;
  /** The mock that all samples are sent to, without a slash at its end; by default, they go to the contract's servers. */
  readonly mockUrl?: string | undefined;
  /** Those that samples and forms send requests to, by the names of generations. */
  readonly servers?: ReadonlyMap<string, string> | undefined;
  readonly guides?: readonly Guide[] | undefined;
  readonly workflows?: readonly Workflow[] | undefined;
  readonly changelog?: Changelog | undefined;
  /** What readers may type into the search for words that the pages have. */
  readonly synonyms?: readonly Synonym[] | undefined;
  /** SVG; by default, a mark that fits any API. */
  readonly mark?: string | undefined;
}

/** Makes every file of the site, which works under any path of any host. The same bundles give the same files. */
export async function renderSite(options: SiteOptions): Promise<readonly TextFile[]> {
  const { packageName, url, mockUrl, servers, changelog, workflows = [], synonyms = [] } = options;
  const { mark = await readStatic("mark.svg") } = options;
  const generations = options.generations.toReversed();
  // What guides show is sent to the mock, too.
  const explanations = (options.guides ?? []).map((guide) =>
    guidePage({ ...guide, markdown: guide.markdown.replaceAll(defaultMockUrl, mockUrl ?? defaultMockUrl) }),
  );
  // Scripts are bundled outside of this thread meanwhile.
  const reading = readAssets(mark);
  const contents = generations.map(readGenerationModel);
  const topPages = [
    ...(explanations.length + workflows.length > 0 ? [firstLevel.guides] : []),
    firstLevel.authentication,
    firstLevel.errors,
    firstLevel.unspecified,
    ...(changelog === undefined ? [] : [firstLevel.changelog]),
    firstLevel.downloads,
  ];
  const site: Site = {
    title: commonTitle(generations),
    mark,
    generations,
    resources: readResources(options.generations),
    url,
    assets: await reading,
    packageName,
    serverOf: (operation) => {
      const generation = generations.find(({ document }) => document === operation.document);
      const server = servers?.get(generation?.name ?? "") ?? mockUrl ?? serverUrl(operation);
      return { url: server, isMock: server === (mockUrl ?? defaultMockUrl) };
    },
    topPages,
    guides: [...explanations, ...workflows.map(({ id, title }) => ({ title, path: guidePath(id) }))],
  };
  const tasks = workflows.map((workflow) => workflowPage(site, workflow));
  const pages = [
    startPage(site, contents, explanations, tasks),
    ...(tasks.length + explanations.length > 0 ? [guidesPage(tasks, explanations)] : []),
    ...explanations,
    ...tasks,
    authenticationPage(contents),
    errorsPage(contents, await readStatic("errors.md")),
    unspecifiedPage(site, contents),
    ...(changelog === undefined ? [] : [changelogPage(changelog, url !== undefined)]),
    ...contents.flatMap((content) => generationPages(site, content, workflows)),
  ];
  const texts = pages.map(readPageText);
  const descriptions = generations.flatMap(openApiFiles);
  const list = listFile(site, [...pages, downloadsPage(site, descriptions)]);
  const full = fullText(site, texts);
  const downloads = [
    ...descriptions,
    { about: "List of all pages in Markdown", file: list },
    { about: "All pages in Markdown", file: full },
  ];
  const lastPage = downloadsPage(site, downloads);
  const allPages = [...pages, lastPage, notFoundPage(site)];
  const allTexts = [...texts, readPageText(lastPage)];
  const searchIndex = searchIndexFiles({
    generations: generations.map(({ name }) => name),
    synonyms,
    entries: readSearchEntries(site, [...pages, lastPage]),
  });
  const indexPaths = searchIndex.map((file) => file.path);
  return [
    ...Object.values(site.assets),
    ...searchIndex,
    ...allPages.map((page) => ({
      path: page.path.endsWith("/") || page.path === "" ? `${page.path}index.html` : page.path,
      content: renderPage(site, page, indexPaths),
    })),
    ...allTexts.map((text) => markdownFile(site, text)),
    ...downloads.map(({ file }) => file),
    ...generations.flatMap((generation) => tryItFiles(site, generation)),
    ...(url === undefined ? [] : sitemap(url, allPages)),
    ...(url === undefined || changelog === undefined ? [] : [changelogFeed(site.title, url, changelog)]),
  ];
}

function openApiFiles({ name, document }: Generation): readonly Download[] {
  const files = [
    { path: `${name}/openapi.yaml`, content: formatYaml(document) },
    { path: `${name}/openapi.json`, content: formatJson(document) },
  ];
  return files.map((file) => ({ file, generation: name, about: "OpenAPI 3.1 description" }));
}

function generationPages(site: Site, content: GenerationModel, workflows: readonly Workflow[]): readonly Page[] {
  const { generation, schemas } = content;
  const { webhooks, groups } = generation;
  const shown = new Set([...content.operations.values()].flatMap((model) => namedSchemas(model, { isWhole: true })));
  const pageOf = (operation: Operation) => {
    const own = content.operations.get(operation);
    // The guides that have a step with it.
    const guides = workflows.filter(({ steps }) => steps.some((step) => step.operation === operation));
    const links = guides.map(({ id, title }) => ({ title, path: guidePath(id) }));
    return own === undefined ? [] : [operationPage(site, generation, own, links)];
  };
  return [
    generationPage(content),
    ...groups.flatMap((group) => [groupPage(generation, group), ...group.operations.flatMap(pageOf)]),
    ...webhooks.flatMap(pageOf),
    ...[...schemas.values()].map((schema) => ({
      ...schemaPage(generation, schema),
      saidElsewhere: shown.has(schema.name),
    })),
  ];
}

/** For crawlers (sitemaps.org, protocol 0.9). */
function sitemap(url: string, pages: readonly Page[]): readonly TextFile[] {
  const paths = pages.map(({ path }) => path).filter((path) => !path.endsWith(".html"));
  const locations = paths.map((path) => `<url><loc>${escapeXml(url + path)}</loc></url>\n`);
  const content = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations.join("")}</urlset>\n`;
  return [
    { path: "sitemap.xml", content },
    { path: "robots.txt", content: `User-agent: *\nAllow: /\nSitemap: ${url}sitemap.xml\n` },
  ];
}
