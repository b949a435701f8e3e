import { defaultMockUrl } from "../../contract/defaultAddress.ts";
import type { Operation } from "../../contract/generation.ts";
import { singleValuedHeaders } from "../../contract/singleValuedHeaders.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import { isNameOnly } from "../model/addresses.ts";
import { flattenFields, type Field } from "../model/fields.ts";
import type { GenerationModel } from "../model/generationModel.ts";
import { addressGuide } from "../model/guides.ts";
import { namedSchemas, type OperationModel } from "../model/operationModel.ts";
import { firstLevel, guidePath, pagesOf, type PageLink, type SampleServer, type Site } from "../model/site.ts";
import type { Page } from "../parts/page.ts";
import { withFacts } from "./aboutPages.ts";
import { authenticationPage } from "./authenticationPage.ts";
import { changelogPage } from "./changelogPage.ts";
import { errorsPage } from "./errorsPage.ts";
import { generationPage, groupPage } from "./generationPage.ts";
import { guidePage, guidesPage, readSection, workflowPage } from "./guidesPage.ts";
import { operationPage } from "./operationPage.ts";
import { schemaPage } from "./schemaPage.ts";
import { startPage } from "./startPage.ts";
import { unspecifiedPage } from "./unspecifiedPage.ts";

/** All pages of a site, except the downloads, which depend on the others. */
export function sitePages(site: Site): readonly Page[] {
  const { changelog, url } = site;
  const tasks = site.workflows.map((workflow) => workflowPage(site, workflow));
  const guides = writtenPages(site);
  const inSection = (top: PageLink) => guides.filter(({ path }) => path.startsWith(top.path));
  const explanations = inSection(firstLevel.guides);
  const sections = (["typescript", "testing", "about"] as const)
    .map((name) => readSection(name, inSection(firstLevel[name])))
    .filter((section) => section.guides.length > 0);
  const hasGuides = pagesOf(site, firstLevel.guides).length > 0;
  const listed = hasGuides ? [guidesPage(tasks, explanations), ...explanations, ...tasks] : [];
  const others = sections.flatMap(({ page, guides: own }) => [page, ...own]);
  const releases = changelog === undefined ? [] : [changelogPage(changelog, url !== undefined)];
  const general = [startPage(site, { explanations, tasks, sections }), ...listed, ...others];
  const facts = [authenticationPage(site), errorsPage(site), unspecifiedPage(site)];
  return [...general, ...facts, ...releases, ...site.contents.flatMap((content) => generationPages(site, content))];
}

/** The guides, with requests to the samples' servers. */
function writtenPages(site: Site): readonly Page[] {
  const servers = new Map<string, SampleServer>();
  for (const { name, operations } of site.generations) {
    const [operation] = operations;
    if (operation !== undefined) servers.set(name, site.serverOf(operation));
  }
  return site.guides.map((guide) => {
    const page = guidePage(addressGuide(guide, servers, site.mockUrl ?? defaultMockUrl));
    return guide.section === "about" ? withFacts(site, guide, page) : page;
  });
}

function generationPages(site: Site, content: GenerationModel): readonly Page[] {
  const { generation, operations, schemas } = content;
  const pagesFor = (own: readonly Operation[]) =>
    own.flatMap((operation) => {
      const model = operations.get(operation);
      return model === undefined ? [] : [operationPage(site, model, guidesTo(site, model))];
    });
  const shown = new Set([...operations.values()].flatMap((model) => namedSchemas(model, { isWhole: true })));
  const described = Array.from(schemas.values(), (schema) => {
    return { ...schemaPage(schema), saidElsewhere: shown.has(schema.name) };
  });
  const groups = generation.groups
    .filter((group) => !isNameOnly(group))
    .flatMap((group) => [groupPage(generation, group), ...pagesFor(group.operations)]);
  return [generationPage(site, content), ...groups, ...pagesFor(generation.webhooks), ...described];
}

/** The guides with a step that calls an operation, and those about its features. */
function guidesTo({ workflows, topPages }: Site, content: OperationModel): readonly PageLink[] {
  const { operation, isWebhook } = content;
  const own = workflows.filter(({ steps }) => steps.some((step) => step.operation === operation));
  const tasks = own.map(({ id, title }) => ({ title, path: guidePath(id) }));
  if (isWebhook) return tasks;
  const paths = concerns.filter(([, has]) => has(content)).map(([path]) => path);
  const written = topPages.flatMap(({ pages = [] }) => pages);
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
