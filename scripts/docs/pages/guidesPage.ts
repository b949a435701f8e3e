import { firstParagraph, firstSentence } from "../../contract/text.ts";
import { readAddresses } from "../model/addresses.ts";
import type { Guide } from "../model/guides.ts";
import { readStepExamples } from "../model/sampledExchanges.ts";
import { firstLevel, guidePath, type Site } from "../model/site.ts";
import { crumbs, link, list, section } from "../parts/blocks.ts";
import { html, type Html } from "../parts/html.ts";
import { icon } from "../parts/icon.ts";
import { endpointText } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { exchangeParts, inventedText, targetLine } from "../parts/samplesPanel.ts";
import type { WorkflowInput } from "../../workflows/arazzo.ts";
import type { Workflow, WorkflowStep } from "../../workflows/readWorkflows.ts";

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

/** A workflow to follow from top to bottom: its steps, each with its request in several languages and the response. */
export function workflowPage(site: Site, workflow: Workflow): Page {
  const { id, title, description, inputs, steps } = workflow;
  return {
    path: guidePath(id),
    title,
    description: firstParagraph(description) || title,
    content: html`${crumbs(firstLevel.guides)}
      <h1>${title}</h1>
      ${renderDescription(description, 1)}
      <p>
        The requests and responses below are those of a run against the mock, one step after the other. When you follow
        the steps, use the identifiers, tokens and keys from the responses that you receive. ${inventedText}
      </p>
      ${inputList(inputs)}
      <ol class="steps">
        ${steps.map((step, index) => stepItem(site, step, index + 1))}
      </ol>
      <p class="note">
        ${icon("check")} This guide is tested: the same steps run as the workflow <code>${id}</code>, with
        <code>npm run workflows -- ${id}</code>.
      </p>`,
  };
}

function inputList(inputs: readonly WorkflowInput[]): Html | undefined {
  if (inputs.length === 0) return undefined;
  return html`<h2 id="you-need">What you need</h2>
    <dl class="inputs">
      ${inputs.map(
        ({ name, description, default: value }) =>
          html`<div>
            <dt><code>${name}</code></dt>
            <dd>
              ${renderDescription(description, 2)}
              ${value === undefined ? undefined : html`<p class="example"><span class="hidden">Example: </span><code>${typeof value === "string" ? value : JSON.stringify(value)}</code></p>`}
            </dd>
          </div>`,
      )}
    </dl>`;
}

function stepItem(site: Site, step: WorkflowStep, number: number): Html {
  const { operation, generation, description, successCriteria, outputs } = step;
  const path = readAddresses(generation).operations.get(operation) ?? "";
  const examples = readStepExamples(site, step);
  const facts = [
    ...successCriteria.map(({ text }) => html`<code>${text}</code>`),
    ...outputs.map(({ name, expression }) => html`<code>${name}</code> is <code>${expression}</code>`),
  ];
  return html`<li class="step">
    <h2 id="${step.id}">
      <a class="number anchor" href="#${step.id}">${number}<span class="hidden">.</span></a>
      ${link({ title: operation.title, path })}
    </h2>
    <p class="endpoint">${endpointText(operation)}</p>
    ${renderDescription(description, 2)} ${targetLine(examples)}
    ${exchangeParts(examples.exchanges, `Step ${String(number)}, `)}
    <details>
      <summary>Success criteria and outputs</summary>
      ${list(facts)}
    </details>
  </li> `;
}
