import { untagged, type Generation, type Group, type Operation } from "../../contract/generation.ts";
import { countOf } from "../../values/text.ts";
import { getOrCreate } from "../../values/collections.ts";
import { html, htmlList, trusted, type Html } from "../../values/html.ts";
import { icon } from "./icon.ts";
import { flowText } from "./flowText.ts";
import { rootMark, nodesIn, type SectionNode } from "./pageNodes.ts";
import { deprecatedMark } from "./operationLinks.ts";
import type { Page } from "./page.ts";
import { writeHtml } from "./writeHtml.ts";
import { ownTitle } from "../model/generationModel.ts";
import { groupPageLink, readAddresses, type Addresses } from "../model/addresses.ts";
import {
  emptyGroupsAnchor,
  firstLevel,
  maximumListed,
  type HtmlSite,
  type Origin,
  type PageLink,
  type Site,
  type SourcePlace,
  type TopPage,
} from "../model/site.ts";

/** The mark and the title, as a link to the start page. */
export function home({ title, mark }: HtmlSite): Html {
  const kind = "API";
  const name = title.endsWith(` ${kind}`) ? title.slice(0, -kind.length - 1) : title;
  return html`<a class="home" href="${rootMark}"
    >${trusted(mark)} <span>${name}${name !== title && html` <small>${kind}</small>`}</span></a
  >`;
}

/** The places in the header, with their top-level pages. The API also has the generations. */
const headerPlaces = {
  Guides: [firstLevel.guides],
  API: [firstLevel.about, firstLevel.authentication, firstLevel.errors, firstLevel.unspecified, firstLevel.downloads],
  TypeScript: [firstLevel.typescript],
  Testing: [firstLevel.testing],
  Changelog: [firstLevel.changelog],
} as const;

/** A place of {@link headerPlaces} that the site has. */
interface NavigationEntry extends PageLink {
  readonly pages: readonly TopPage[];
}

function placesOf({ generations, topPages }: Site): readonly NavigationEntry[] {
  const places = Object.entries(headerPlaces).map(([title, own]): NavigationEntry => {
    const pages = topPages.filter(({ path }) => own.some((one) => one.path === path));
    const first = title === "API" ? generations.map((one) => readAddresses(one).generation) : [];
    return { title, pages, path: [...first, ...pages.map(({ path }) => path)][0] ?? "" };
  });
  return places.filter(({ pages }) => pages.length > 0);
}

/** The place of a page. `undefined` for those that belong to none, such as the start page. */
function placeOf(places: readonly NavigationEntry[], { path, generation }: Page): NavigationEntry | undefined {
  if (generation !== undefined) return apiOf(places);
  return places.find(({ pages }) => pages.some((top) => path.startsWith(top.path)));
}

function apiOf(places: readonly NavigationEntry[]): NavigationEntry | undefined {
  return places.find(({ title }) => title === "API");
}

/** Links to the places in the header, and to the page of the mock that serves the docs, if one does. */
export function headerLinks(site: Site, page: Page): readonly Html[] {
  const places = placesOf(site);
  const current = placeOf(places, page);
  const links = places.map((place) => {
    const mark = place.path === page.path ? "page" : place === current && "true";
    return html`<a href="${rootMark}${place.path}" ${mark && html`aria-current="${mark}"`}>${place.title}</a> `;
  });
  return [...links, ...mockLinks(site)];
}

/** A script shows whether the mock runs. */
function mockLinks({ mockUrl }: Site): readonly Html[] {
  if (mockUrl === undefined) return [];
  const running = html`<span class="dot" hidden><span class="hidden"> is running</span></span>`;
  return [html`<a class="mock" href="${mockUrl}/-/mock/">Mock${running}</a>`];
}

/** The places, where the header has no room for them, and all of the current one. The API's, if it has only one page. */
export function menu(site: Site, page: Page): Html {
  const places = placesOf(site);
  const isList = ({ pages: [first, ...others] }: NavigationEntry) => others.length > 0 || first?.pages !== undefined;
  const current = [placeOf(places, page), apiOf(places)].find((place) => place !== undefined && isList(place));
  const { title, pages = [] } = current ?? {};
  const items = pages.map((top) => {
    const isOpen = page.path.startsWith(top.path);
    return html`${menuLink({ path: top.path, title: html`${icon(top.drawing)} ${top.title}` }, page)}
    ${isOpen && htmlList((top.pages ?? []).map((inner) => menuLink(inner, page)))}`;
  });
  return html`${htmlList(headerLinks(site, page), "other-places")} ${htmlList(items, "first")}
  ${title === "API" && generationMenu(site, page)}`;
}

/** Links to the generations, and to the operations of the page's or of the newest. */
function generationMenu(site: Site, page: Page): Html {
  const generation = page.generation ?? site.generations[0];
  if (generation === undefined) throw new Error("a site has a generation");
  const { addresses, webhooks } = { ...generation, addresses: readAddresses(generation) };
  const generations = site.generations.map((one) => {
    const [count, noun] = countOf(one.operations.length, "operation").split(" ");
    const { generation: path } = readAddresses(one);
    return html`<a href="${rootMark}${path}" ${one === page.generation && html`aria-current="true"`}
      >${ownTitle(one, site.generations)} <small>${count} <span class="hidden">${noun}</span></small></a
    > `;
  });
  const sections = generation.sections.map(({ name, groups }) => {
    const items = htmlList(
      groups.map((group) => groupItem(generation, group, page)),
      "groups",
    );
    return items && html`${name !== "" && html`<p class="section">${name}</p>`} ${items}`;
  });
  const webhooksLink = { title: "Webhooks", path: `${addresses.generation}#webhooks` };
  return html`<p class="generations">${generations}</p>
    ${sections}
    ${htmlList([emptyGroupsItem(generation, addresses, page), webhooks.some(({ group }) => group === untagged) ? menuLink(webhooksLink, page) : undefined], "groups")}`;
}

/** A group with its operations, unless there are too many of them. `undefined` if it has none. */
function groupItem(generation: Generation, group: Group, page: Page): Html | undefined {
  const addresses = readAddresses(generation);
  const listed = [...group.operations, ...group.webhooks, ...group.alsoTagged];
  if (listed.length === 0) return undefined;
  const isFolded = generation.operations.length > maximumListed && group !== page.group;
  const items = isFolded ? [] : listed.map((operation) => operationItem(operation, addresses, page));
  return html`${menuLink(groupPageLink(generation, group), page)} ${htmlList(items)}`;
}

/** A single entry for all groups without operations. Below it is the current one, if any. */
function emptyGroupsItem({ groups }: Generation, addresses: Addresses, page: Page): Html | undefined {
  const empty = groups.filter((group) => [group.operations, group.webhooks, group.alsoTagged].flat().length === 0);
  if (empty.length === 0) return undefined;
  const all = { title: countOf(empty.length, "more group"), path: `${addresses.generation}#${emptyGroupsAnchor}` };
  return html`${menuLink(all, page)}${page.group && empty.includes(page.group) && htmlList([menuLink(page, page)])}`;
}

function operationItem(operation: Operation, { operations }: Addresses, page: Page): Html {
  const path = operations.get(operation) ?? "";
  const badge = { kind: "method", method: operation.method, isNarrow: true } as const;
  const title = writeHtml([badge, " ", operation.title, ...deprecatedMark(operation)]);
  return html`${menuLink({ title, path }, page)} ${path === page.path && sectionList(page)}`;
}

/** A link to a page, marked if that is the current page or contains it. */
function menuLink(
  { title, path }: Pick<PageLink, "path"> & { readonly title: string | Html },
  page: Pick<Page, "path">,
): Html {
  const isTopFolder = path.indexOf("/") === path.length - 1;
  const isAround = path !== "" && isTopFolder && page.path.startsWith(path);
  const current = path === page.path ? "page" : isAround && "true";
  return html`<a href="${rootMark}${path}" ${current && html`aria-current="${current}"`}>${title}</a>`;
}

/** The sections of a page with addresses, without inner sections. */
export function sectionsOf({ children }: Pick<Page, "children">): readonly SectionNode[] {
  const sections = nodesIn(children).filter((node) => node.kind === "section");
  return sections.filter(({ level, anchor }) => level === 2 && anchor !== undefined);
}

/** Links to the sections of a page. */
export function sectionList(page: Page): Html | undefined {
  const links = sectionsOf(page).map(({ anchor, heading }) => html`<a href="#${anchor}">${flowText(heading)}</a>`);
  return htmlList(links, "sections");
}

/** The pages before and after a guide or an operation. */
export function pager({ topPages }: Site, { path, generation, operation }: Page): Html | undefined {
  const isOperation = generation !== undefined && operation !== undefined;
  const { pages: guides = [] } = topPages.find(({ pages = [] }) => pages.some((one) => one.path === path)) ?? {};
  const pages = isOperation ? operationPages(generation) : guides;
  const index = pages.findIndex((page) => page.path === path);
  const pageLink = (label: string, page: PageLink | undefined) =>
    page &&
    html`<a class="${label}" href="${rootMark}${page.path}">${icon("arrow")}<small>${label}</small> ${page.title}</a>`;
  if (index === -1) return undefined;
  return html`<nav class="pager" aria-label="${isOperation ? "Operations" : "Guides"}">
    ${pageLink("Previous", pages[index - 1])} ${pageLink("Next", pages[index + 1])}
  </nav>`;
}

const pagesOfOperations = new WeakMap<Generation, readonly PageLink[]>();

/** The pages of a generation's operations and webhooks, in menu order. */
function operationPages(generation: Generation): readonly PageLink[] {
  return getOrCreate(pagesOfOperations, generation, () =>
    Array.from(readAddresses(generation).operations, ([{ title }, path]) => ({ title, path })),
  );
}

/** The links at the end of each page. */
export function footer(site: HtmlSite, page: Page): Html {
  const { title, path } = firstLevel.downloads;
  return html`<footer>
    ${originLinks(site, page)} <a href="${rootMark}${path}">${title}</a> <a href="${rootMark}llms.txt">llms.txt</a>
  </footer>`;
}

/**
 * Links that report a mistake in a page and open its source, if the repository is known. The report has the names of the
 * page and of the source, and nothing that a reader has entered.
 */
function originLinks({ origin, url = "" }: HtmlSite, page: Page): Html | undefined {
  if (origin === undefined) return undefined;
  const { repository, folder } = origin;
  const place = sourceOf(origin, page);
  const written = place && `${folder}${place.file}:${String(place.line)}`;
  const fields = new URLSearchParams({
    template: page.generation === undefined ? "docs.yml" : "contract.yml",
    title: `${page.title}: `,
    page: url + page.path,
    ...(written !== undefined && { place: written }),
  });
  const source = place && `${repository}/blob/HEAD/${encodeURI(folder + place.file)}#L${String(place.line)}`;
  return html`<a href="${repository}/issues/new?${String(fields)}">Report an inaccuracy</a>
    ${source && html`<a href="${source}">Edit the source: <code>${written}</code></a>`}`;
}

function sourceOf({ placeOf: find }: Origin, { generation, source }: Page): SourcePlace | undefined {
  if (typeof source !== "string") return source;
  return generation && find(generation.name, source);
}
