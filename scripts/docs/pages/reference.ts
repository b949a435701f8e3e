import type { Generation } from "../../contract/generation.ts";
import { firstParagraph } from "../../contract/text.ts";
import type { OpenApiDocument } from "../../contract/openapi.ts";
import { groupSlugs, operationSlug } from "../addresses.ts";
import { followTitles, type PlaceTitles } from "../pageScripts.ts";
import { html, trusted } from "../html.ts";
import { renderPage, type SiteContext } from "../page.ts";
import type { RedocOptions } from "../redoc.ts";

export interface ReferencePage {
  /** The first screen, which the renderer takes over. */
  readonly markup: string;
  /** Paths from the site's root. */
  readonly rendererScript: string;
  readonly rendererStyles: string;
}

export function referencePage(site: SiteContext, { name, title, summary }: Generation, page: ReferencePage): string {
  return renderPage(site, {
    path: `${name}/`,
    title,
    description: summary,
    inlineScripts: [...page.markup.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = ""]) => script),
    head: html`
      <link rel="stylesheet" href="../${page.rendererStyles}" />
      <link rel="alternate" type="text/markdown" href="index.md" title="${title} in Markdown" />
      <script defer src="../${page.rendererScript}"></script>
      <script defer src="reference.js"></script>
    `,
    content: html`
      <noscript>
        <p class="notice">This reference requires JavaScript. <a href="index.md">Read it in Markdown instead.</a></p>
      </noscript>
      <div id="content"><div id="redoc">${trusted(page.markup)}</div></div>
    `,
  });
}

/** The script of a reference page: has the renderer take over the page, and keeps the title that of what is shown. */
export function referenceScript(generation: Generation, document: OpenApiDocument, options: RedocOptions): string {
  const slugs = groupSlugs(generation);
  const titles: PlaceTitles = Object.fromEntries(
    generation.groups.flatMap(({ name, description, operations }) => {
      const fragment = `#/${slugs.get(name) ?? ""}`;
      return [
        [fragment, [name, firstParagraph(description)] as const],
        ...operations.map((operation) => {
          const text = firstParagraph(operation.description);
          return [`${fragment}/${operationSlug(operation)}`, [operation.title, text] as const] as const;
        }),
      ];
    }),
  );
  return [
    `hydrate(${JSON.stringify(document)}, ${JSON.stringify(options)}, document.getElementById("redoc"));`,
    `(${followTitles.toString()})(${JSON.stringify(titles)});`,
    "",
  ].join("\n");
}
