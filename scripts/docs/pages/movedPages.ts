import { html } from "../parts/html.ts";
import { rootOf, type Page } from "../parts/page.ts";
import { unspecifiedPath, type PageLink } from "../model/site.ts";

/** Addresses of earlier versions of the site, and where what was there is now. */
const moved: readonly (readonly [former: string, now: PageLink])[] = [
  ["coverage/", { title: "Not specified", path: unspecifiedPath }],
];

/** Pages that lead on to others. */
export const movedPages: readonly Page[] = moved.map(([path, { title, path: redirect }]) => ({
  path,
  title: "Moved",
  description: `This page has moved: it is now called ${title}.`,
  redirect,
  content: html`<h1>Moved</h1>
    <p>This page is now <a href="${rootOf({ path })}${redirect}">${title}</a>.</p>`,
}));
