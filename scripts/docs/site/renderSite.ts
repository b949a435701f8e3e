import type { TextFile } from "../../command/files.ts";
import type { Changelog } from "../../contract/changelog.ts";
import { defaultMockUrl } from "../../contract/defaultAddress.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import { singleValuedHeaders } from "../../contract/singleValuedHeaders.ts";
import { serverUrl, type Generation, type Operation } from "../../contract/generation.ts";
import { escapeRegExp, escapeXml } from "../../values/text.ts";
import { readResources } from "../../contract/resources.ts";
import { formatJson, formatYaml } from "../../contract/documentText.ts";
import { bundleScript, readAssets, readStatic } from "./assets.ts";
import { fullText, listFile, markdownFile, readPageText, type PageText } from "../text/llmsText.ts";
import { pageKind, type Page } from "../parts/page.ts";
import { renderPage } from "../parts/renderPage.ts";
import { flattenFields, type Field } from "../model/fields.ts";
import { namedSchemas, type OperationModel } from "../model/operationModel.ts";
import { withFacts } from "../pages/aboutPages.ts";
import { authenticationPage } from "../pages/authenticationPage.ts";
import { changelogFeed, changelogPage } from "../pages/changelogPage.ts";
import { downloadsPage, type Download } from "../pages/downloadsPage.ts";
import { errorsPage } from "../pages/errorsPage.ts";
import { generationPage, groupPage } from "../pages/generationPage.ts";
import { notFoundPage } from "../pages/notFoundPage.ts";
import { operationPage } from "../pages/operationPage.ts";
import { guidePage, guidesPage, readSection, workflowPage } from "../pages/guidesPage.ts";
import { addressGuide, type Guide, type Synonym } from "../model/guides.ts";
import type { Workflow } from "../../workflows/readWorkflows.ts";
import { schemaListPage, schemaPage } from "../pages/schemaPage.ts";
import { startPage } from "../pages/startPage.ts";
import { unspecifiedPage } from "../pages/unspecifiedPage.ts";
import {
  firstLevel,
  guidePath,
  pagesOf,
  type Origin,
  type PageLink,
  type SampleServer,
  type Site,
  type TopPage,
} from "../model/site.ts";
import { isNameOnly, readAddresses } from "../model/addresses.ts";
import { stepsFiles } from "../model/stepsData.ts";
import { tryItFiles } from "../model/tryItData.ts";
import { commonTitle, readGenerationModel, type GenerationModel } from "../model/generationModel.ts";
import { createLinkCheck, type DeadLink } from "./deadLinks.ts";
import { allScripts, makeMockScripts, scriptNames } from "./mockScripts.ts";
import { redirects } from "./redirects.ts";
import type { SearchIndex } from "../browser/findPages.ts";
import { readSearchEntries, searchIndexFiles } from "./searchIndex.ts";

export interface SiteOptions {
  readonly generations: readonly Generation[];
  /** The npm package with the clients. Without it, there are no samples that use one. */
  readonly packageName?: string | undefined;
  /** The URL of the site, with a trailing slash. */
  readonly url?: string | undefined;
  /** The mock that receives the samples' requests, without a trailing slash. Default: the contract's servers. */
  readonly mockUrl?: string | undefined;
  /** The servers of samples and forms, by generation. */
  readonly servers?: ReadonlyMap<string, string> | undefined;
  readonly guides?: readonly Guide[] | undefined;
  readonly workflows?: readonly Workflow[] | undefined;
  readonly changelog?: Changelog | undefined;
  /** Search terms, and the terms in the docs. */
  readonly synonyms?: readonly Synonym[] | undefined;
  /** SVG. Default: a mark that fits any API. */
  readonly mark?: string | undefined;
  /** Where the sources are. Without it, no page leads to its own. */
  readonly origin?: Origin | undefined;
  /** Receives the links that lead to nothing in the site, when all pages are rendered. */
  readonly onDeadLinks?: ((links: readonly DeadLink[]) => void) | undefined;
}

/** The content of a site, before it is rendered as HTML. */
interface SiteContent {
  readonly site: Site;
  readonly contents: readonly GenerationModel[];
  readonly pages: readonly Page[];
  /** The list of all pages, all texts in one file, and the OpenAPI descriptions. */
  readonly downloads: readonly Download[];
  /** The `index.md` of each page. */
  readonly markdown: readonly TextFile[];
  readonly index: SearchIndex;
}

/**
 * Renders every file of the site, which works under any path of any host. The output is deterministic. A site may be
 * large, so each file is rendered when the one before is no longer needed.
 */
export async function* renderSite(given: SiteOptions): AsyncGenerator<TextFile> {
  const options = { ...given, generations: withOwnTitles(given.generations) };
  const { url, changelog } = options;
  const { mark = await readStatic("mark.svg") } = options;
  // Scripts are bundled outside of this thread in the meantime.
  const reading = Promise.all([readAssets(mark), bundleScript("whileParsed.ts")]);
  // If a mock runs beside the site, pages need none of their own.
  const bundling = options.mockUrl === undefined ? makeMockScripts(options.generations) : undefined;
  const { site: facts, contents, pages, downloads, markdown, index } = await writeContent(options);
  const [assets, script] = await reading;
  const site = { ...facts, mark, assets, script, origin: options.origin };
  const searchIndex = searchIndexFiles(index);
  const indexPaths = searchIndex.map((file) => file.path);
  const others = [...Object.values(assets), ...searchIndex, ...downloads.map(({ file }) => file), ...markdown];
  const check = createLinkCheck(options, pages, new Set(others.map(({ path }) => path)));
  yield* others;
  for (const page of [...pages, notFoundPage(site)]) {
    const content = renderPage(site, page, indexPaths);
    check.look(page.path, content);
    yield { path: filePath(page), content };
  }
  options.onDeadLinks?.(check.dead());
  yield* redirects(site);
  const mockScripts = await bundling;
  if (mockScripts !== undefined) {
    const pageMock = { ...scriptNames(mockScripts), isFirst: true };
    yield* [...allScripts(mockScripts), ...stepsFiles(site, contents, options.workflows ?? [], pageMock)];
  }
  for (const generation of site.generations) {
    const isFirst = options.servers?.has(generation.name) !== true;
    const pageMockOf = (operation: Operation) => mockScripts && { ...scriptNames(mockScripts, operation), isFirst };
    yield* tryItFiles(site, generation, pageMockOf);
  }
  if (url !== undefined) yield* sitemap(url, pages);
  if (url !== undefined && changelog !== undefined) yield changelogFeed(site.title, url, changelog);
}

/** Renders the Markdown files and `llms.txt`, for agents. The schemas of a generation share a file. */
export async function renderTexts(given: SiteOptions): Promise<readonly TextFile[]> {
  const options = { ...given, generations: withOwnTitles(given.generations) };
  const { site, contents, pages } = await writeContent(options);
  const lists = contents.flatMap((content) => (content.schemas.size === 0 ? [] : [schemaListPage(content)]));
  const shown = [...pages.filter((page) => pageKind(page) !== "schema"), ...lists];
  const files = [listFile(site, shown), ...shown.map((page) => markdownFile(site, readPageText(page)))];
  return files.map((file) => leadToSchemaLists(file, contents));
}

/** Leads the links to pages of schemas to their sections in the list of schemas. */
function leadToSchemaLists(file: TextFile, contents: readonly GenerationModel[]): TextFile {
  const lead = (text: string, { generation }: GenerationModel) => {
    const { schemas, schemaList } = readAddresses(generation);
    if (schemaList === "") return text;
    const places = new Map([...schemas].map(([name, path]) => [path, `${schemaList}index.md#${name.toLowerCase()}`]));
    const link = new RegExp(`(${escapeRegExp(schemaList)}[\\w-]+/)index\\.md`, "g");
    return text.replaceAll(link, (whole, path: string) => places.get(path) ?? whole);
  };
  return { ...file, content: contents.reduce(lead, file.content) };
}

async function writeContent(options: SiteOptions): Promise<SiteContent> {
  const { workflows = [], synonyms = [] } = options;
  const site = describeSite(options);
  const { generations } = site;
  const contents = generations.map(readGenerationModel);
  const guides = writtenPages(site, contents, options);
  const pages = [
    ...(await generalPages(site, contents, guides, options)),
    ...contents.flatMap((content) => generationPages(site, content, workflows)),
  ];
  const texts = pages.map(readPageText);
  const downloads = readDownloads(site, pages, texts);
  const lastPage = downloadsPage(site, downloads);
  const allPages = [...pages, lastPage];
  const entries = readSearchEntries(site, allPages);
  return {
    site,
    contents,
    pages: allPages,
    downloads,
    markdown: [...texts, readPageText(lastPage)].map((text) => markdownFile(site, text)),
    index: { generations: generations.map(({ name }) => name), synonyms, entries },
  };
}

/** Generations whose titles are the same, told apart by their versions. */
function withOwnTitles(generations: readonly Generation[]): readonly Generation[] {
  return generations.map((generation) => {
    const { title, document } = generation;
    const isShared = generations.some((other) => other !== generation && other.title === title);
    return isShared ? { ...generation, title: `${title} ${document.info?.version ?? ""}`.trim() } : generation;
  });
}

/** The guides, with requests to the samples' servers. */
function writtenPages(
  site: Site,
  contents: readonly GenerationModel[],
  { guides = [], mockUrl = defaultMockUrl }: SiteOptions,
): readonly Page[] {
  const servers = new Map<string, SampleServer>();
  for (const { name, operations } of site.generations) {
    const [operation] = operations;
    if (operation !== undefined) servers.set(name, site.serverOf(operation));
  }
  return guides.map((guide) => {
    const page = guidePage(addressGuide(guide, servers, mockUrl));
    return guide.section === "about" ? withFacts(site, contents, guide, page) : page;
  });
}

function describeSite(options: SiteOptions): Site {
  const { packageName, url, mockUrl = defaultMockUrl, servers, changelog } = options;
  const generations = options.generations.toReversed();
  const { authentication, errors, unspecified, changelog: changelogLink, downloads } = firstLevel;
  return {
    title: commonTitle(generations),
    generations,
    resources: readResources(options.generations),
    mockUrl: options.mockUrl,
    url,
    packageName,
    serverOf: (operation) => {
      const generation = generations.find(({ document }) => document === operation.document);
      const server = servers?.get(generation?.name ?? "") ?? options.mockUrl ?? serverUrl(operation);
      return { url: server, isMock: server === mockUrl };
    },
    topPages: [
      ...guidePlaces(options),
      ...[authentication, errors, unspecified],
      ...(changelog === undefined ? [] : [changelogLink]),
      downloads,
    ],
  };
}

/** The top-level pages with guides, if there are any. */
function guidePlaces({ guides = [], workflows = [] }: SiteOptions): readonly TopPage[] {
  const tasks = workflows.map(({ id, title }): PageLink => ({ title, path: guidePath(id) }));
  const places = Object.entries(firstLevel).map(([name, top]): TopPage => {
    const own = guides.filter(({ section }) => section === name);
    return { ...top, pages: top === firstLevel.guides ? [...own, ...tasks] : own };
  });
  return places.filter(({ pages = [] }) => pages.length > 0);
}

/** The pages outside of generations, except the downloads, which depend on all others. */
async function generalPages(
  site: Site,
  contents: readonly GenerationModel[],
  guides: readonly Page[],
  { url, changelog, workflows = [] }: SiteOptions,
): Promise<readonly Page[]> {
  const tasks = workflows.map((workflow) => workflowPage(site, workflow));
  const inSection = (top: PageLink) => guides.filter(({ path }) => path.startsWith(top.path));
  const explanations = inSection(firstLevel.guides);
  const sections = (["typescript", "testing", "about"] as const)
    .map((name) => readSection(name, inSection(firstLevel[name])))
    .filter((section) => section.guides.length > 0);
  const pages = [startPage(site, contents, { explanations, tasks, sections })];
  if (pagesOf(site, firstLevel.guides).length > 0) pages.push(guidesPage(tasks, explanations));
  pages.push(...explanations, ...tasks, ...sections.flatMap(({ page, guides: own }) => [page, ...own]));
  pages.push(authenticationPage(site, contents));
  const notes = { client: await readStatic("errors.client.md"), mock: await readStatic("errors.mock.md") };
  pages.push(errorsPage(site, contents, notes), unspecifiedPage(site, contents));
  if (changelog !== undefined) pages.push(changelogPage(changelog, url !== undefined));
  return pages;
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

function filePath({ path }: Page): string {
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

function openApiFiles({ name, document }: Generation): readonly Download[] {
  const files = [
    { path: `${name}/openapi.yaml`, content: formatYaml(document) },
    { path: `${name}/openapi.json`, content: formatJson(document) },
  ];
  const version = document.openapi.split(".").slice(0, 2).join(".");
  return files.map((file) => ({ file, generation: name, about: `OpenAPI ${version} description` }));
}

function generationPages(site: Site, content: GenerationModel, workflows: readonly Workflow[]): readonly Page[] {
  const { generation, schemas } = content;
  const { webhooks, groups } = generation;
  const pageOf = (operation: Operation): readonly Page[] => {
    const own = content.operations.get(operation);
    return own === undefined ? [] : [operationPage(site, generation, own, guidesTo(site, own, workflows))];
  };
  const pages = [generationPage(site, content)];
  for (const group of groups) {
    if (!isNameOnly(group)) pages.push(groupPage(generation, group), ...group.operations.flatMap(pageOf));
  }
  pages.push(...webhooks.flatMap(pageOf));
  const shown = new Set([...content.operations.values()].flatMap((model) => namedSchemas(model, { isWhole: true })));
  for (const schema of schemas.values()) {
    pages.push({ ...schemaPage(generation, schema), saidElsewhere: shown.has(schema.name) });
  }
  return pages;
}

/** The guides with a step that calls an operation, and those about its features. */
function guidesTo(site: Site, content: OperationModel, workflows: readonly Workflow[]): readonly PageLink[] {
  const { operation, isWebhook } = content;
  const own = workflows.filter(({ steps }) => steps.some((step) => step.operation === operation));
  const tasks = own.map(({ id, title }) => ({ title, path: guidePath(id) }));
  if (isWebhook) return tasks;
  const paths = concerns.filter(([, has]) => has(content)).map(([path]) => path);
  const written = site.topPages.flatMap(({ pages = [] }) => pages);
  return [...tasks, ...paths.flatMap((path) => written.find((page) => page.path === path) ?? [])];
}

/**
 * Guides about features of operations, each with a test for the feature. Guides without such operations are
 * left out.
 */
const concerns: readonly (readonly [path: string, has: (content: OperationModel) => boolean])[] = [
  [guidePath("paging", "about"), ({ operation }) => operation.pagination !== undefined],
  [guidePath("pagination", "typescript"), ({ operation }) => operation.pagination !== undefined],
  [guidePath("files", "typescript"), hasOtherContent],
  [guidePath("versioning", "about"), ({ operation }) => singleValuedHeaders(operation).length > 0],
  [guidePath("times", "about"), ({ requestBody }) => (requestBody?.media ?? []).some(({ field }) => hasTimes(field))],
  [guidePath("validation", "typescript"), ({ requestBody }) => requestBody !== undefined],
  [guidePath("errors", "typescript"), () => true],
  [guidePath("retries", "typescript"), () => true],
];

/** Returns whether an operation sends or receives a format other than JSON. */
function hasOtherContent({ requestBody, responses }: OperationModel): boolean {
  const media = [requestBody, ...responses].flatMap((body) => body?.media ?? []);
  return media.some(({ mediaTypes }) => mediaTypes.some((one) => !isJson(one)));
}

function hasTimes(body: Field): boolean {
  return flattenFields([body]).some(({ type }) => type.some(({ format }) => format === "date-time"));
}

/** For crawlers (sitemaps.org, protocol 0.9). */
function sitemap(url: string, pages: readonly Page[]): readonly TextFile[] {
  const paths = pages.map(({ path }) => path).filter((path) => !path.endsWith(".html"));
  const locations = paths.map((path) => `<url><loc>${escapeXml(url + encodeURI(path))}</loc></url>\n`);
  const content = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations.join("")}</urlset>\n`;
  return [
    { path: "sitemap.xml", content },
    { path: "robots.txt", content: `User-agent: *\nAllow: /\nSitemap: ${url}sitemap.xml\n` },
  ];
}
