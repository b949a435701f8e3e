import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { countOf } from "../../contract/text.ts";
import { html, type Html } from "./html.ts";
import { deprecatedMark } from "./operationLinks.ts";
import { rootOf } from "./pageContext.ts";
import { addressesOf, type PageLink, type Site } from "../model/site.ts";

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
        ></script>
        ${script === undefined ? undefined : html`<script src="${root}${script}"></script>`}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="site">
          <button class="menu-button" type="button" popovertarget="menu">Menu</button>
          <a class="home" href="${root}">${site.title}</a>
          <button class="search-button" type="button" data-open="search" aria-keyshortcuts="Control+K /">
            Search <kbd>Ctrl K</kbd>
          </button>
          <button class="theme-button" type="button" data-switch="theme">Theme</button>
          <a class="skip" href="${root}llms.txt">All pages as Markdown: llms.txt</a>
        </header>
        <main id="content" tabindex="-1">${content}</main>
        <nav id="menu" class="menu" popover aria-label="Site">${menu(site, page, root)}</nav>
      </body>
    </html>`}\n`;
}

/** Tells whether a page is that of a folder, which has an `index.md` beside it. */
export function hasMarkdown({ path }: Page): boolean {
  return !path.endsWith(".html");
}

/** Links to everything on the site's first levels, and to the operations of the page's own group. */
function menu(site: Site, page: Page, root: string): Html {
  const { generation: current, group: currentGroup } = page;
  return html`<ul>
      ${site.topPages.map((link) => html`<li>${menuLink(link, page, root)}</li> `)}
    </ul>
    ${site.generations.map((generation) => {
      const addresses = addressesOf(site, generation);
      const link = { title: ownTitle(generation, site.title), path: addresses.generation };
      const webhooks = { title: "Webhooks", path: `${addresses.generation}#webhooks` };
      if (generation !== current && current !== undefined) {
        const count = html` <small>${countOf(generation.operations.length, "operation")}</small>`;
        return html`<p>${menuLink(link, page, root, count)}</p>`;
      }
      const groups = generation.groups.filter(
        ({ operations, alsoTagged }) => operations.length + alsoTagged.length > 0,
      );
      return html`<h2>${menuLink(link, page, root)}</h2>
        <ul>
          ${groups.map((group) => {
            const link = menuLink({ title: group.title, path: addresses.groups.get(group) ?? "" }, page, root);
            if (group !== currentGroup) return html`<li>${link}</li> `;
            return html`<li>
              ${link}
              <ul>
                ${[...group.operations, ...group.alsoTagged].map((operation) => {
                  const own = { title: operation.title, path: addresses.operations.get(operation) ?? "" };
                  return html`<li>${menuLink(own, page, root, deprecatedMark(operation))}</li> `;
                })}
              </ul>
            </li> `;
          })}
          ${generation.webhooks.length === 0 ? undefined : html`<li>${menuLink(webhooks, page, root)}</li>`}
        </ul> `;
    })}`;
}

/** The part of a generation's title that the site's does not have. */
function ownTitle({ title }: Generation, common: string): string {
  return (title.startsWith(common) && title.slice(common.length).trim()) || title;
}

function menuLink({ title, path }: PageLink, page: Page, root: string, mark?: Html): Html {
  const current = path === page.path ? "page" : page.path.startsWith(path) && page.generation === undefined;
  return html`<a href="${root}${path}" ${current === false ? undefined : html`aria-current="${String(current)}"`}
    >${title}${mark}</a
  >`;
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
    `connect-src ${sendsRequests ? "'self' http: https:" : "'self'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
