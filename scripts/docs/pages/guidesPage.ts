import { html, type Html } from "../parts/html.ts";
import { firstSentence } from "../../contract/text.ts";
import { crumbs, link, list, section } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import type { Guide } from "../model/guides.ts";
import { firstLevel, guidePath } from "../model/site.ts";

/** All guides: those that lead through a task, and those that explain something. */
export function guidesPage(tasks: readonly Page[], explanations: readonly Page[]): Page {
  return {
    ...firstLevel.guides,
    description: "What people do with the API, step by step.",
    content: html`<h1>Guides</h1>
      ${guideSection("explanations", "Start here", explanations)} ${guideSection("tasks", "Tasks", tasks)}`,
  };
}

/** A section with a list of guides, each with what it is for; nothing if there are none. */
export function guideSection(id: string, title: string, guides: readonly Page[]): Html | undefined {
  const items = guides.map(
    (guide) =>
      html`${link(guide)}
        <p class="sentence">${firstSentence(guide.description)}</p>`,
  );
  return section(id, title, list(items, "tasks"));
}

/** A text that explains something, as it was written. */
export function guidePage({ slug, title, summary, markdown }: Guide): Page {
  return {
    path: guidePath(slug),
    title,
    description: summary,
    content: html`${crumbs(firstLevel.guides)}
      <h1>${title}</h1>
      ${renderDescription(markdown, 1)}`,
  };
}
