import { html } from "../html.ts";
import type { Page } from "../page.ts";
import type { Site } from "../site.ts";

/** What hosts show for an address that the site does not have. It may be requested at any depth. */
export function notFoundPage(site: Site): Page {
  const root = site.url ?? "/";
  return {
    path: "404.html",
    root,
    title: "Not found",
    description: "There is no page at this address.",
    content: html`<h1>Not found</h1>
      <p>There is no page at this address. <a href="${root}">Go to the start page.</a></p>`,
  };
}
