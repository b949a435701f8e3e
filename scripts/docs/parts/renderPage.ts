import { hash } from "node:crypto";
import { basename } from "node:path";
import { getOrCreate } from "../../values/collections.ts";
import { links } from "./blocks.ts";
import { html, trusted, type Html } from "../../values/html.ts";
import { icon } from "./icon.ts";
import { footer, home, menu, pager, headerLinks, sectionList, sectionsOf } from "./navigation.ts";
import { firstLevel, type HtmlSite } from "../model/site.ts";
import { rootOf, type Page } from "./page.ts";
import { writeHtml } from "./writeHtml.ts";
import { rootMark, screenOnly } from "./pageNodes.ts";

export function renderPage(site: HtmlSite, page: Page): string {
  const { path, operation, root = rootOf(path) } = page;
  const hasContents = operation === undefined && path !== "" && sectionsOf(page).length > 1;
  const markup = html`<!doctype html>
    <html lang="en" data-root="${root}" ${fontMark}>
      <head>
        ${metadata(site, page)} ${earlyParts(site, page)} ${pageFiles(site, page)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${siteHeader(site, page)} ${laidOut}
        <nav id="menu" class="menu" popover aria-label="Site">
          <div class="menu-head">
            ${home(site)}
            <button type="button" popovertarget="menu" popovertargetaction="hide">Close</button>
          </div>
          ${menu(site, page)}
        </nav>
        ${laidOut}
        <main id="content" tabindex="-1">${mainContent(site, page)}</main>
        ${
          hasContents &&
          html`<nav class="toc" aria-labelledby="toc">
            <p id="toc">On this page</p>
            ${sectionList(page)}
          </nav>`
        }
        ${footer(site, page)} ${laidOut}
      </body>
    </html>`;
  const text = markup.toString();
  const font = hasOtherLetters(text) ? "" : `data-font="${rootMark}${site.assets.font.path}"`;
  return `${text.replace(fontMark, font).replaceAll(rootMark, root)}\n`;
}

/** A placeholder for the font, which depends on the text of the page. */
const fontMark = "\u0002";

/**
 * Returns whether a page has letters outside of code that its font doesn't have: it has ASCII. They would come from another
 * font in the middle of a word, so such a page is all in a font of the reader's system.
 */
function hasOtherLetters(markup: string): boolean {
  return hasLetters(markup) && hasLetters(markup.replaceAll(/<(pre|code|script|style)\b[^]*?<\/\1>/g, ""));
}

/** Whether a text has letters outside of ASCII. Two steps take a tenth of the time of one expression for such letters. */
function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text.match(/[^\u0000-\u007f]+/g)?.join("") ?? "");
}

/** The metadata for browsers, search engines and previews. */
function metadata(site: HtmlSite, page: Page): Html {
  const { title: siteTitle, url } = site;
  const { path, title, description, generation } = page;
  const around = generation?.title ?? siteTitle;
  const address = url && url + encodeURI(path);
  const fullTitle = title === around ? title : `${title} – ${around}`;
  return html`<meta charset="utf-8" />
    <meta http-equiv="content-security-policy" content="${contentSecurityPolicy(site, page)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${fullTitle}</title>
    <meta name="description" content="${description}" />
    <meta name="color-scheme" content="light dark" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:site_name" content="${siteTitle}" />
    ${address && html`<meta property="og:url" content="${address}" /> <link rel="canonical" href="${address}" />`}`;
}

/** The parts that the first frame needs. Scripts after styles wait for them. */
function earlyParts(site: HtmlSite, page: Page): Html {
  const { assets, script } = site;
  const styles = ownStyles(site, page);
  const sheet = html`<link rel="stylesheet" href="${rootMark}${assets.styles.path}" />`;
  return html`${inPage("script", script)} ${styles === undefined ? sheet : inPage("style", styles)}`;
}

/**
 * Styles within a page. Operations' pages have them, because readers arrive there from elsewhere with an
 * empty cache.
 */
function ownStyles({ assets: { styles, font } }: HtmlSite, { path, operation, root = rootOf(path) }: Page) {
  return operation && styles.content.replace(basename(font.path), root + font.path);
}

/** A script or styles, unchanged, because the policy has their digest. */
function inPage(element: "script" | "style", text: string): Html {
  return trusted(`<${element}>${text}</${element}>`);
}

const layOut = "layOut()";

/** After a part of a page: see `browser/whileParsed.ts`. */
const laidOut = inPage("script", layOut);

/** The files that a page loads and links to. */
function pageFiles({ assets, searchIndex }: HtmlSite, { path, title, operation }: Page): Html {
  const hasMarkdown = !path.endsWith(".html");
  return html`<link rel="icon" href="${rootMark}${assets.icon.path}" type="image/svg+xml" />
    ${hasMarkdown && html`<link rel="alternate" type="text/markdown" href="index.md" title="${title} in Markdown" />`}
    <script
      defer
      src="${rootMark}${assets.script.path}"
      data-search="${rootMark}${assets.search.path}"
      data-search-index="${searchIndex.map((file) => rootMark + file.path).join(" ")}"
      data-try-it="${rootMark}${assets.tryIt.path}"
      data-steps="${rootMark}${assets.steps.path}"
      ${operation && html`data-styles="${rootMark}${assets.styles.path}"`}
    ></script>
    ${path === firstLevel.unspecified.path && html`<script src="${rootMark}${assets.filter.path}"></script>`}`;
}

function siteHeader(site: HtmlSite, page: Page): Html {
  const hasGuides = site.topPages.some(({ pages = [] }) => pages.length > 0);
  return html`<header class="site">
    <button class="menu-button" type="button" popovertarget="menu">
      ${icon("menu")}<span class="hidden">Menu</span>
    </button>
    ${home(site)}
    <button class="search-button" type="button" data-open="search" aria-keyshortcuts="Control+K /">
      ${icon("search")}<span>Search</span> <span class="scope">operations, fields${hasGuides && ", guides"}</span>
      <kbd>Ctrl K</kbd>
    </button>
    <nav class="places" aria-label="Main">${headerLinks(site, page)}</nav>
    <button class="theme-button" type="button" data-switch="theme">
      <span class="hidden">Theme: </span><span class="theme">system</span>
    </button>
    <a class="skip" href="${rootMark}llms.txt">All pages as Markdown: llms.txt</a>
  </header>`;
}

function mainContent(site: HtmlSite, page: Page): Html {
  const { path, title, heading = [title], crumbs = [], overview = [], children, operation } = page;
  const shownCrumbs = crumbs.length > 0 && html`<p class="crumbs">${writeHtml(links(crumbs, " / "))}</p>`;
  const head = html`<h1>${writeHtml(heading)}</h1>
    ${writeHtml(overview)}`;
  if (path === "")
    return html`<div class="hero">${head}</div>
      ${writeHtml(children)}`;
  if (operation === undefined) return html`${shownCrumbs} ${head} ${writeHtml(children)} ${pager(site, page)}`;
  return html`<article class="operation">
    <header class="overview">${shownCrumbs} ${markdownActions} ${head}</header>
    ${laidOut} ${children.map((part) => html`${writeHtml([part])}${laidOut}`)} ${pager(site, page)}
  </article>`;
}

const markdownActions = html`<p class="actions" ${screenOnly}>
  <a href="index.md">${icon("page")}<span class="hidden">View as </span>Markdown</a>
  <button type="button" class="copy" data-copy-markdown="index.md">Copy as Markdown</button>
</p>`;

/**
 * Nothing comes from other hosts, and only our own inline scripts run. Only the form that tries an operation
 * sends requests, to the reader's choice of server.
 */
function contentSecurityPolicy(site: HtmlSite, page: Page): string {
  const { generation, operation } = page;
  const styles = ownStyles(site, page);
  const scriptSources = ["'self'", ...[site.script, layOut].map(sourceOf)].join(" ");
  const styleSources = ["'self'", ...(styles === undefined ? [] : [sourceOf(styles)])].join(" ");
  const own = `script-src ${scriptSources}; style-src ${styleSources}; img-src 'self'; font-src 'self'`;
  const servers = operation !== undefined && generation?.operations.includes(operation) ? " http: https:" : "";
  return `default-src 'none'; ${own}; connect-src 'self'${servers}; base-uri 'none'; form-action 'none'`;
}

/** The cached sources of texts. Pages share them, except for the path to the root. */
const sources = new Map<string, string>();

/** The digest of a text in a policy (Content Security Policy Level 3, 2.3.1). */
function sourceOf(text: string): string {
  return getOrCreate(sources, text, () => `'sha256-${hash("sha256", text, "base64")}'`);
}
