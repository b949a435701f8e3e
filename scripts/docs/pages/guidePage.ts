import { renderDescription } from "../parts/renderDescription.ts";
import type { Guide } from "../model/guides.ts";
import { crumbs } from "../parts/blocks.ts";
import { html } from "../parts/html.ts";
import type { Page } from "../parts/page.ts";
import { guidePath, guidesLink } from "../model/site.ts";
import { rootOf } from "../parts/pageContext.ts";

/** A text that explains something, as it was written. */
export function guidePage({ slug, title, summary, markdown }: Guide): Page {
  const path = guidePath(slug);
  return {
    path,
    title,
    description: summary,
    content: html`${crumbs(rootOf(path), [guidesLink])}
      <h1>${title}</h1>
      ${renderDescription(markdown, 1)}`,
  };
}
