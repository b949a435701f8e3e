import { html } from "../parts/html.ts";
import type { Page } from "../parts/page.ts";
import type { Site } from "../model/site.ts";

/** What hosts show for an address that the site does not have. It may be requested at any depth. */
export function notFoundPage({ url, generations, addresses }: Site): Page {
  const root = url === undefined ? "/" : new URL(url).pathname;
  return {
    path: "404.html",
    root,
    title: "Not found",
    description: "There is no page at this address.",
    content: html`<h1>Not found</h1>
      <p>There is no page at this address. The operation may have another name, or belong to another generation.</p>
      <ul class="links">
        <li><a href="${root}">Start</a></li>
        ${generations.map(
          (generation) =>
            html`<li><a href="${root}${addresses.get(generation)?.generation}">${generation.title}</a></li> `,
        )}
      </ul>`,
  };
}
