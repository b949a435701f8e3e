import { slugOf } from "../../contract/text.ts";
import type { PageLink } from "../model/site.ts";
import { html, joined, rootMark, trusted, type Html } from "./html.ts";

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

/** A link to a page of the site, or to a place on it. */
export function link({ path, title }: Pick<PageLink, "path"> & { readonly title: string | Html }): Html {
  return html`<a href="${rootMark}${path}">${title}</a>`;
}

/** A list of the items that there are, of a kind that the stylesheet may know; nothing if there are none. */
export function list(items: readonly (string | Html | undefined)[], kind?: string): Html | undefined {
  const shown = items.filter((item) => item !== undefined);
  if (shown.length === 0) return undefined;
  return html`<ul${kind && html` class="${kind}"`}>${shown.map((item) => html`<li>${item}</li> `)}</ul>`;
}

/** A list of links to pages; nothing if there are none. */
export function linkList(links: readonly PageLink[]): Html | undefined {
  return list(links.map(link), "links");
}

/** A section with lists by their titles; nothing if there are none. */
export function titledLists(id: string, title: string, lists: Readonly<Record<string, Html | undefined>>) {
  const shown = Object.entries(lists).filter(([, content]) => content !== undefined);
  const parts = shown.map(
    ([label, content]) =>
      html`<h3 id="${id}-${slugOf(label)}">${label}</h3>
        ${content}`,
  );
  return parts.length === 0 ? undefined : section(id, title, html`${parts}`);
}

/** Makes each heading that has an address, and no link of its own, a link to itself. A summary has what it opens instead. */
export function linkHeadings(content: Html): Html {
  const headings =
    /(?<!<summary>)(<(h[2-6])\b(?![^>]*class="hidden")[^>]* id="([^"]+)"[^>]*>)((?:(?!<a )[^])*?)(?=<\/\2>)/g;
  return trusted(content.toString().replaceAll(headings, '$1<a class="anchor" href="#$3">$4</a>'));
}

/** Links to what a page is part of. */
export function crumbs(...links: readonly PageLink[]): Html {
  return html`<p class="crumbs">${joined(links.map(link), " / ")}</p>`;
}

/** A table of rows under the titles of its columns. */
export function table(kind: string, titles: readonly (string | Html)[], rows: readonly Html[]): Html {
  return html`<table class="${kind}">
    <thead>
      <tr>
        ${titles.map((title) => html`<th scope="col">${title}</th> `)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
