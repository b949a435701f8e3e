import { html } from "../html.ts";
import { renderPage, type SiteContext } from "../page.ts";

/** What hosts show for an address that the site does not have. It may be requested at any depth. */
export function notFoundPage(site: SiteContext): string {
  const root = site.url ?? "/";
  return renderPage(site, {
    path: "404.html",
    root,
    title: `Not found – ${site.title}`,
    description: "There is no page at this address.",
    content: html`
      <main id="content" class="text">
        <h1>Not found</h1>
        <p class="lead">There is no page at this address. <a href="${root}index.html">Go to the home page.</a></p>
      </main>
    `,
  });
}
