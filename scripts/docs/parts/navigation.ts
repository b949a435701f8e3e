import type { Generation, Operation } from "../../contract/generation.ts";
import { countOf } from "../../contract/text.ts";
import { methodBadge } from "./endpoint.ts";
import { html, trusted, type Html } from "./html.ts";
import { icon, type IconName } from "./icon.ts";
import { deprecatedMark } from "./operationLinks.ts";
import type { Page } from "./page.ts";
import type { Addresses } from "../model/addresses.ts";
import {
  addressesOf,
  authenticationPath,
  changelogPath,
  downloadsPath,
  emptyGroupsAnchor,
  errorsPath,
  guidesLink,
  guidesPath,
  unspecifiedPath,
  type PageLink,
  type Site,
} from "../model/site.ts";

/** The mark and the title, which lead to the start. */
export function home({ title, mark }: Site, root: string): Html {
  const [, name = title, kind = ""] = /^(.+) (API)$/.exec(title) ?? [];
  return html`<a class="home" href="${root}"
    >${trusted(mark)} <span>${name}${kind && html` <small>${kind}</small>`}</span></a
  >`;
}

/** As many generations have a place of their own at the top of each page. */
const maximumPlaces = 3;

/** Where readers go from any page. */
export function places(site: Site): readonly PageLink[] {
  const { generations, guides } = site;
  const shown = generations.slice(0, maximumPlaces).map((generation) => {
    const title = generations.length === 1 ? "API" : `API ${generation.name}`;
    return { title, path: addressesOf(site, generation).generation };
  });
  return [...(guides.length > 0 ? [guidesLink] : []), ...shown];
}

/** The drawings of pages on the site's first level. */
const drawings = new Map<string, IconName>([
  [guidesPath, "book"],
  [authenticationPath, "key"],
  [errorsPath, "warning"],
  [unspecifiedPath, "ring"],
  [changelogPath, "clock"],
  [downloadsPath, "download"],
]);

/** The menus of larger generations have only the operations of the page's own group. */
const maximumListed = 60;

/** Links to the site's first level, and to the operations of one generation: the page's, or the newest. */
export function menu(site: Site, page: Page, root: string): Html {
  const generation = page.generation ?? site.generations[0];
  if (generation === undefined) throw new Error("a site has a generation");
  const { addresses, operations, webhooks } = { ...generation, addresses: addressesOf(site, generation) };
  const isLarge = operations.length > maximumListed;
  const guideList = html`<ul>
    ${site.guides.map((guide) => html`<li>${menuLink(guide, page, root)}</li> `)}
  </ul>`;
  return html`<ul class="first">
      ${site.topPages.map((link) => {
        const drawing = drawings.get(link.path);
        const isOpen = link.path === guidesPath && page.path.startsWith(guidesPath);
        return html`<li>
          ${menuLink(link, page, root, html`${drawing && icon(drawing)} ${link.title}`)}
          ${isOpen ? guideList : undefined}
        </li> `;
      })}
    </ul>
    <p class="generations">
      ${site.generations.map((one) => {
        const link = { title: ownTitle(one, site.title), path: addressesOf(site, one).generation };
        const [count, noun] = countOf(one.operations.length, "operation").split(" ");
        return html`<a href="${root}${link.path}" ${one === page.generation ? html`aria-current="true"` : undefined}
          >${link.title} <small>${count} <span class="hidden">${noun}</span></small></a
        > `;
      })}
    </p>
    <ul class="groups">
      ${generation.groups.map((group) => {
        const listed = [...group.operations, ...group.alsoTagged];
        if (listed.length === 0) return undefined;
        const link = menuLink({ title: group.title, path: addresses.groups.get(group) ?? "" }, page, root);
        if (isLarge && group !== page.group) return html`<li>${link}</li> `;
        return html`<li>
          ${link}
          <ul>
            ${listed.map((operation) => html`<li>${operationItem(operation, addresses, page, root)}</li> `)}
          </ul>
        </li> `;
      })}
      ${emptyGroupsItem(generation, addresses, page, root)}
      ${webhooks.length === 0 ? undefined : html`<li>${menuLink({ title: "Webhooks", path: `${addresses.generation}#webhooks` }, page, root)}</li>`}
    </ul>`;
}

/** One entry for all groups without operations: below it is the one whose page is shown. */
function emptyGroupsItem({ groups }: Generation, addresses: Addresses, page: Page, root: string): Html | undefined {
  const empty = groups.filter(({ operations, alsoTagged }) => operations.length + alsoTagged.length === 0);
  if (empty.length === 0) return undefined;
  const all = { title: countOf(empty.length, "more group"), path: `${addresses.generation}#${emptyGroupsAnchor}` };
  const own = page.group && empty.includes(page.group) ? menuLink(page, page, root) : undefined;
  return html`<li>
    ${menuLink(all, page, root)}${
      own &&
      html`<ul>
        <li>${own}</li>
      </ul>`
    }
  </li> `;
}

/** An operation in the menu, with the sections of its page if that is shown. */
function operationItem(operation: Operation, { operations }: Addresses, page: Page, root: string): Html {
  const link = { title: operation.title, path: operations.get(operation) ?? "" };
  const badge = methodBadge(operation.method, { isNarrow: true });
  const text = html`${badge} ${operation.title}${deprecatedMark(operation)}`;
  return html`${menuLink(link, page, root, text)} ${link.path === page.path ? sectionList(page) : undefined}`;
}

/** The part of a generation's title that the site's does not have. */
function ownTitle({ title }: Generation, common: string): string {
  return (title.startsWith(common) && title.slice(common.length).trim()) || title;
}

/** A link to a page, which says if that is the page that it is on, or is around it. */
export function menuLink({ title, path }: PageLink, page: Page, root: string, content: Html | string = title): Html {
  const isAround = /^[^/]+\/$/.test(path) && page.path.startsWith(path);
  const current = path === page.path ? "page" : isAround && "true";
  return html`<a href="${root}${path}" ${current === false ? undefined : html`aria-current="${current}"`}
    >${content}</a
  >`;
}

/** The second headings of a page that have addresses of their own. */
export function sectionsOf({ content }: Page): readonly PageLink[] {
  const headings = content.toString().matchAll(/<h2[^>]* id="([^"]+)"[^>]*>([^]*?)<\/h2>/g);
  const titleOf = (heading: string) => heading.replaceAll(/<[^>]+>/g, "").trim();
  return [...headings].map(([, id = "", heading = ""]) => ({ path: `#${id}`, title: titleOf(heading) }));
}

/** Links to the sections of a page. */
export function sectionList(page: Page): Html {
  return html`<ul class="sections">
    ${sectionsOf(page).map(({ title, path }) => html`<li><a href="${path}">${trusted(title)}</a></li> `)}
  </ul>`;
}

/** The guides before and after a guide. */
export function pager({ guides }: Site, { path }: Page, root: string): Html | undefined {
  const index = guides.findIndex((guide) => guide.path === path);
  const link = (label: string, guide: PageLink | undefined) =>
    guide &&
    html`<a class="${label}" href="${root}${guide.path}">${icon("arrow")}<small>${label}</small> ${guide.title}</a>`;
  if (index === -1) return undefined;
  return html`<nav class="pager" aria-label="Guides">
    ${link("Previous", guides[index - 1])} ${link("Next", guides[index + 1])}
  </nav>`;
}
