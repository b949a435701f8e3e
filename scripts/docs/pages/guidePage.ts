import { renderDescription } from "../parts/renderDescription.ts";
import type { Guide } from "../model/guides.ts";
import { html } from "../parts/html.ts";
import type { Page } from "../parts/page.ts";
import { guidesPath } from "../model/site.ts";

/** A text that explains something, as it was written. */
export function guidePage({ slug, title, summary, markdown }: Guide): Page {
  return {
    path: guidePath(slug),
    title,
    description: summary,
    hasMarkdown: true,
    content: html`<p class="crumbs"><a href="../">Guides</a></p>
      <h1>${title}</h1>
      ${renderDescription(markdown, 1)}`,
  };
}

/** Where the page of a guide is. */
export function guidePath(slug: string): string {
  return `${guidesPath}${slug}/`;
}
