import { followTitles, type PlaceTitles } from "../browser.ts";
import { firstParagraph, type DocumentedGeneration } from "../generation.ts";
import { listGroups, operationFragment, operationTitle } from "../groups.ts";
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

export function referencePage(
  site: SiteContext,
  { name, title, summary }: DocumentedGeneration,
  page: ReferencePage,
): string {
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
        <p class="notice">The reference needs JavaScript. <a href="index.md">Read it in Markdown instead.</a></p>
      </noscript>
      <div id="content"><div id="redoc">${trusted(page.markup)}</div></div>
    `,
  });
}

/** The script of a reference page: has the renderer take over the page, and keeps the title that of what is shown. */
export function referenceScript({ document, prepared }: DocumentedGeneration, options: RedocOptions): string {
  const titles: PlaceTitles = Object.fromEntries(
    listGroups(document).flatMap((group) => [
      [`#/${group.slug}`, [group.name, firstParagraph(group.description)] as const],
      ...group.operations.map((entry) => {
        const description = firstParagraph(entry.operation.description);
        return [operationFragment(group, entry), [operationTitle(entry), description] as const] as const;
      }),
    ]),
  );
  return [
    `hydrate(${JSON.stringify(prepared)}, ${JSON.stringify(options)}, document.getElementById("redoc"));`,
    `(${followTitles.toString()})(${JSON.stringify(titles)});`,
    "",
  ].join("\n");
}
