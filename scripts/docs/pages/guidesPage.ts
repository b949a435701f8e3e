import { html, type Html } from "../parts/html.ts";
import { firstSentence } from "../../contract/text.ts";
import { section } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { rootOf } from "../parts/pageContext.ts";
import { guidesPath } from "../model/site.ts";

/** All guides: those that lead through a task, and those that explain something. */
export function guidesPage(tasks: readonly Page[], explanations: readonly Page[]): Page {
  const root = rootOf(guidesPath);
  return {
    path: guidesPath,
    title: "Guides",
    description: "What people do with the API, step by step.",
    content: html`<h1>Guides</h1>
      ${guideSection("explanations", "Start here", explanations, root)} ${guideSection("tasks", "Tasks", tasks, root)}`,
  };
}

/** A section with a list of guides, each with what it is for; nothing if there are none. */
export function guideSection(id: string, title: string, guides: readonly Page[], root: string): Html | undefined {
  if (guides.length === 0) return undefined;
  const list = html`<ul class="tasks">
    ${guides.map(
      ({ title, path, description }) =>
        html`<li>
          <a href="${root}${path}">${title}</a>
          <p class="sentence">${firstSentence(description)}</p>
        </li> `,
    )}
  </ul>`;
  return section(id, title, list);
}
