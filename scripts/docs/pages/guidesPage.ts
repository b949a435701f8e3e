import { html, type Html } from "../parts/html.ts";
import { firstSentence } from "../../contract/text.ts";
import { rootOf, type Page } from "../parts/page.ts";
import { guidesPath } from "../model/site.ts";

/** All guides: those that lead through a task, and those that explain something. */
export function guidesPage(tasks: readonly Page[], explanations: readonly Page[]): Page {
  const root = rootOf({ path: guidesPath });
  return {
    path: guidesPath,
    title: "Guides",
    description: "What people do with the API, step by step.",
    hasMarkdown: true,
    content: html`<h1>Guides</h1>
      ${guideSection("explanations", "Start here", explanations, root)} ${guideSection("tasks", "Tasks", tasks, root)}`,
  };
}

/** A section with a list of guides, each with what it is for; nothing if there are none. */
export function guideSection(id: string, title: string, guides: readonly Page[], root: string): Html | undefined {
  if (guides.length === 0) return undefined;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${guideList(guides, root)}
  </section>`;
}

function guideList(guides: readonly Page[], root: string): Html {
  return html`<ul class="tasks">
    ${guides.map(
      ({ title, path, description }) =>
        html`<li>
          <a href="${root}${path}">${title}</a>
          <p class="sentence">${firstSentence(description)}</p>
        </li> `,
    )}
  </ul>`;
}
