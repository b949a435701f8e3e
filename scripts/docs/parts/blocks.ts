import { slugOf } from "../../contract/text.ts";
import type { PageLink } from "../model/site.ts";
import { html, joined, trusted, type Html } from "./html.ts";

/** A section under a heading; nothing if it has no content. */
export function section(id: string, title: string, content: Html | undefined): Html | undefined {
  if (content === undefined) return undefined;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${foldButton(content)} ${content}
  </section>`;
}

/** Opens all fields that are folded, or folds them again; nothing where there are none. */
export function foldButton(content: Html): Html | undefined {
  if (!content.toString().includes('<details class="nested"')) return undefined;
  return html`<button type="button" class="fold" data-fold>Expand all</button>`;
}

/** A list of links to pages; nothing if there are none. */
export function linkList(root: string, links: readonly PageLink[]): Html | undefined {
  if (links.length === 0) return undefined;
  return html`<ul class="links">
    ${links.map(({ title, path }) => html`<li><a href="${root}${path}">${title}</a></li> `)}
  </ul>`;
}

/** A section with lists under titles; nothing if there are none. */
export function titledLists(
  id: string,
  title: string,
  lists: readonly (readonly [title: string, list: Html | undefined])[],
): Html | undefined {
  const shown = lists.flatMap(([label, list]) =>
    list === undefined
      ? []
      : [
          html`<h3 id="${id}-${slugOf(label)}">${label}</h3>
            ${list}`,
        ],
  );
  return shown.length === 0 ? undefined : section(id, title, html`${shown}`);
}

/** Makes each heading that has an address, and no link of its own, a link to itself. A summary has what it opens instead. */
export function linkHeadings(content: Html): Html {
  const headings =
    /(?<!<summary>)(<(h[2-6])\b(?![^>]*class="hidden")[^>]* id="([^"]+)"[^>]*>)((?:(?!<a )[^])*?)(?=<\/\2>)/g;
  return trusted(content.toString().replaceAll(headings, '$1<a class="anchor" href="#$3">$4</a>'));
}

/** Links to what a page is part of. */
export function crumbs(root: string, links: readonly PageLink[]): Html {
  const shown = links.map(({ title, path }) => html`<a href="${root}${path}">${title}</a>`);
  return html`<p class="crumbs">${joined(shown, " / ")}</p>`;
}

/** The titles of a table's columns. */
export function columnTitles(...titles: readonly (string | Html)[]): Html {
  return html`<thead>
    <tr>
      ${titles.map((title) => html`<th scope="col">${title}</th> `)}
    </tr>
  </thead>`;
}
