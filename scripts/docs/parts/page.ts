import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { countOf } from "../../contract/text.ts";
import { methodBadge } from "./endpoint.ts";
import { html, trusted, type Html } from "./html.ts";
import { icon, type IconName } from "./icon.ts";
import { deprecatedMark } from "./operationLinks.ts";
import { rootOf } from "./pageContext.ts";
import type { Addresses } from "../model/addresses.ts";
import {
  addressesOf,
  authenticationPath,
  changelogPath,
  downloadsPath,
  guidesLink,
  guidesPath,
  unspecifiedPath,
  type PageLink,
  type Site,
} from "../model/site.ts";

export interface Page {
  /** Relative to the site's root, as in a link: "" or a folder with a slash at its end, or a file. */
  readonly path: string;
  readonly title: string;
  /** One or two sentences in plain text, for search engines and previews. */
  readonly description: string;
  /** The contents of `main`, with the one `h1`. */
  readonly content: Html;
  /** The generation, and the group, that the page belongs to. */
  readonly generation?: Generation | undefined;
  readonly group?: Group | undefined;
  /** The operation or webhook that the page describes. */
  readonly operation?: Operation;
  /** Text before links to the site's root, where it does not follow from the path. */
  readonly root?: string;
  /** True if other pages say all that this one says, each thing in its place. */
  readonly saidElsewhere?: boolean;
  /** A script of this page alone, relative to the site's root. */
  readonly script?: string;
  /** True if its script sends requests to an address that the reader gives. */
  readonly sendsRequests?: boolean;
}

/** The text of a page. */
export function renderPage(site: Site, page: Page): string {
  const { path, title, description, content, generation, script, root = rootOf(path) } = page;
  const { assets, url } = site;
  const fullTitle = path === "" ? title : `${title} – ${generation?.title ?? site.title}`;
  return `${html`<!doctype html>
    <html lang="en" data-root="${root}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="${contentSecurityPolicy(page)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${fullTitle}</title>
        <meta name="description" content="${description}" />
        <meta name="color-scheme" content="light dark" />
        <meta property="og:type" content="website" />
        <meta property="og:title" content="${title}" />
        <meta property="og:description" content="${description}" />
        <meta property="og:site_name" content="${site.title}" />
        ${
          url === undefined
            ? undefined
            : html`<meta property="og:url" content="${url + path}" /> <link rel="canonical" href="${url + path}" />`
        }
        <link rel="icon" href="${root}${assets.icon.path}" type="image/svg+xml" />
        <link rel="stylesheet" href="${root}${assets.styles.path}" />
        ${hasMarkdown(page) ? html`<link rel="alternate" type="text/markdown" href="index.md" title="${title} in Markdown" />` : undefined}
        <script
          src="${root}${assets.script.path}"
          data-search="${root}${assets.search.path}"
          data-search-index="${root}${assets.searchIndex.path}"
          data-try-it="${root}${assets.tryIt.path}"
          data-font="${root}${assets.font.path}"
        ></script>
        ${script === undefined ? undefined : html`<script src="${root}${script}"></script>`}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="site">
          <button class="menu-button" type="button" popovertarget="menu">
            ${icon("menu")}<span class="hidden">Menu</span>
          </button>
          ${home(site, root)}
          <button class="search-button" type="button" data-open="search" aria-keyshortcuts="Control+K /">
            ${icon("search")}<span>Search</span> <span class="scope">operations, fields, guides</span> <kbd>Ctrl K</kbd>
          </button>
          <nav class="places" aria-label="Main">
            ${places(site).map((link) => html`${menuLink(link, page, root)} `)}
          </nav>
          <button class="theme-button" type="button" data-switch="theme">
            <span class="hidden">Theme: </span><span class="theme">system</span>
          </button>
          <a class="skip" href="${root}llms.txt">All pages as Markdown: llms.txt</a>
        </header>
        <nav id="menu" class="menu" popover aria-label="Site">
          <div class="menu-head">
            ${home(site, root)}
            <button type="button" popovertarget="menu" popovertargetaction="hide">Close</button>
          </div>
          ${menu(site, page, root)}
        </nav>
        <main id="content" tabindex="-1">${content} ${pager(site, page, root)}</main>
        ${
          page.operation !== undefined || page.path === "" || sectionsOf(page).length < 2
            ? undefined
            : html`<nav class="toc" aria-labelledby="toc">
                <p id="toc">On this page</p>
                ${sectionList(page)}
              </nav>`
        }
      </body>
    </html>`}\n`;
}

/** Tells whether a page is that of a folder, which has an `index.md` beside it. */
export function hasMarkdown({ path }: Page): boolean {
  return !path.endsWith(".html");
}

/** The mark and the title, which lead to the start. */
function home({ title, mark }: Site, root: string): Html {
  const [, name = title, kind = ""] = /^(.+) (API)$/.exec(title) ?? [];
  return html`<a class="home" href="${root}"
    >${trusted(mark)} <span>${name}${kind && html` <small>${kind}</small>`}</span></a
  >`;
}

/** As many generations have a place of their own at the top of each page. */
const maximumPlaces = 3;

/** Where readers go from any page. */
function places(site: Site): readonly PageLink[] {
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
  [unspecifiedPath, "ring"],
  [changelogPath, "clock"],
  [downloadsPath, "download"],
]);

/** The menus of larger generations have only the operations of the page's own group. */
const maximumListed = 60;

/** Links to the site's first level, and to the operations of one generation: the page's, or the newest. */
function menu(site: Site, page: Page, root: string): Html {
  const generation = page.generation ?? site.generations[0];
  if (generation === undefined) throw new Error("a site has a generation");
  const { addresses, operations, webhooks } = { ...generation, addresses: addressesOf(site, generation) };
  const isLarge = operations.length > maximumListed;
  return html`<ul class="first">
      ${site.topPages.map((link) => {
        const drawing = drawings.get(link.path);
        const isOpen = link.path === guidesPath && page.path.startsWith(guidesPath);
        return html`<li>
          ${menuLink(link, page, root, drawing && icon(drawing))}
          ${
            isOpen
              ? html`<ul>
                  ${site.guides.map((guide) => html`<li>${menuLink(guide, page, root)}</li> `)}
                </ul>`
              : undefined
          }
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
      ${webhooks.length === 0 ? undefined : html`<li>${menuLink({ title: "Webhooks", path: `${addresses.generation}#webhooks` }, page, root)}</li>`}
    </ul>`;
}

/** An operation in the menu, with the sections of its page if that is shown. */
function operationItem(operation: Operation, { operations }: Addresses, page: Page, root: string): Html {
  const link = { title: operation.title, path: operations.get(operation) ?? "" };
  const text = html`<span>${operation.title}${deprecatedMark(operation)}</span>`;
  const badge = methodBadge(operation.method, { isNarrow: true });
  return html`${menuLink(link, page, root, badge, text)} ${link.path === page.path ? sectionList(page) : undefined}`;
}

/** The part of a generation's title that the site's does not have. */
function ownTitle({ title }: Generation, common: string): string {
  return (title.startsWith(common) && title.slice(common.length).trim()) || title;
}

function menuLink(
  { title, path }: PageLink,
  page: Page,
  root: string,
  before?: Html,
  text: Html | string = title,
): Html {
  const isAround = /^[^/]+\/$/.test(path) && page.path.startsWith(path);
  const current = path === page.path ? "page" : isAround && "true";
  return html`<a href="${root}${path}" ${current === false ? undefined : html`aria-current="${current}"`}
    >${before}${before && " "}${text}</a
  >`;
}

/** The second headings of a page that have addresses of their own. */
function sectionsOf({ content }: Page): readonly PageLink[] {
  return [...content.toString().matchAll(/<h2[^>]* id="([^"]+)"[^>]*>([^]*?)<\/h2>/g)].map(
    ([, id = "", heading = ""]) => {
      return { path: `#${id}`, title: heading.replaceAll(/<[^>]+>/g, "").trim() };
    },
  );
}

function sectionList(page: Page): Html {
  return html`<ul class="sections">
    ${sectionsOf(page).map(({ title, path }) => html`<li><a href="${path}">${trusted(title)}</a></li> `)}
  </ul>`;
}

/** The guides before and after a guide. */
function pager({ guides }: Site, { path }: Page, root: string): Html | undefined {
  const index = guides.findIndex((guide) => guide.path === path);
  const link = (label: string, guide: PageLink | undefined) =>
    guide &&
    html`<a class="${label}" href="${root}${guide.path}">${icon("arrow")}<small>${label}</small> ${guide.title}</a>`;
  if (index === -1) return undefined;
  return html`<nav class="pager" aria-label="Guides">
    ${link("Previous", guides[index - 1])} ${link("Next", guides[index + 1])}
  </nav>`;
}

/**
 * Nothing comes from another host, and no script or style is in the page itself. Only the form that tries an operation
 * sends requests, to wherever the reader says.
 */
function contentSecurityPolicy({ sendsRequests = false }: Page): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src ${sendsRequests ? "'self' http: https:" : "'self'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
