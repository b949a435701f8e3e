import { forScreen, pageLinks, paragraph } from "../parts/blocks.ts";
import { html } from "../../values/html.ts";
import type { Page } from "../parts/page.ts";
import { generationLink } from "../model/addresses.ts";
import { type Site } from "../model/site.ts";

/** The page for unknown addresses. It may be requested at any depth. */
export function notFoundPage(site: Site): Page {
  const generations = site.generations.map((generation) => ({
    ...generationLink(generation),
    title: generation.title,
  }));
  return {
    path: "404.html",
    root: site.url === undefined ? "/" : new URL(site.url).pathname,
    title: "Not found",
    description: "There is no page at this address.",
    children: [
      paragraph([
        "There is no page at this address. The operation may have another name, or belong to another generation.",
      ]),
      forScreen(html`<div class="nearest"></div>`),
      ...pageLinks([{ title: "Start", path: "" }, ...generations]),
    ],
  };
}
