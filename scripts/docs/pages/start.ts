import { html } from "../html.ts";
import type { Page } from "../page.ts";
import { addressesOf, type Site } from "../site.ts";

/** The site's first page. */
export function startPage(site: Site): Page {
  return {
    path: "",
    title: site.title,
    description: site.title,
    content: html`<h1>${site.title}</h1>
      <ul>
        ${site.generations.map(
          (generation) => html`<li><a href="${addressesOf(site, generation).generation}">${generation.title}</a></li> `,
        )}
      </ul>`,
  };
}
