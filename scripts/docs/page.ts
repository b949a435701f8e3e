import { createHash } from "node:crypto";
import { html, trusted, type Html } from "./html.ts";

/** What all pages of a site have in common. */
export interface SiteContext {
  readonly title: string;
  /** The places that every page links to: folders, relative to the site's root, with a slash at their ends. */
  readonly navigation: readonly { readonly title: string; readonly path: string }[];
  /** Where the site will be, with a slash at its end; `undefined` if that is not known. */
  readonly url: string | undefined;
  /** Paths from the site's root. */
  readonly styles: string;
  readonly icon: string;
  readonly colorModeScript: string;
}

export interface Page {
  /** Relative to the site's root, as in a link: "" or a folder with a slash at its end, or a file. */
  readonly path: string;
  /** It is shown in a browser's tab. */
  readonly title: string;
  readonly description: string;
  readonly content: Html;
  /** More for the page's head. */
  readonly head?: Html;
  /** The inline scripts in `content`. */
  readonly inlineScripts?: readonly string[];
  /** What precedes links to the site's root; by default, as many `../` as the path needs. */
  readonly root?: string;
}

/** The text of a page. */
export function renderPage(site: SiteContext, page: Page): string {
  const { path, title, description, content, head, inlineScripts = [] } = page;
  const root = page.root ?? "../".repeat(path.split("/").length - 1);
  const canonical = site.url === undefined ? undefined : html`<link rel="canonical" href="${site.url + path}" />`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="${contentSecurityPolicy(inlineScripts)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <meta name="color-scheme" content="light dark" />
        ${canonical}
        <link rel="icon" href="${root}${site.icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${root}${site.styles}" />
        <script src="${root}${site.colorModeScript}"></script>
        ${head}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="site">
          <a class="home" href="${root}index.html">${site.title}</a>
          <nav aria-label="Site">
            ${site.navigation.map(
              ({ title: label, path: target }) =>
                html`<a
                  href="${root}${target}index.html"
                  ${target === path ? trusted('aria-current="page"') : undefined}
                  >${label}</a
                > `,
            )}
          </nav>
        </header>
        ${content}
      </body>
    </html> `.markup;
}

/**
 * Nothing comes from another host. The renderer writes styles into the page while it runs, and offers downloads that it
 * makes itself (`blob:`).
 */
function contentSecurityPolicy(inlineScripts: readonly string[]): string {
  const hashes = inlineScripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...hashes].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
