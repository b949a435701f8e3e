import { firstParagraph } from "../../contract/text.ts";
import type { WorkflowInput } from "../../workflows/arazzo.ts";
import { renderDescription } from "../renderDescription.ts";
import { endpointText } from "../endpoint.ts";
import type { FieldContext } from "../fieldList.ts";
import { html, type Html } from "../html.ts";
import { rootOf, type Page } from "../page.ts";
import type { Workflow, WorkflowStep } from "../readWorkflows.ts";
import { operationSamples, payload, requestSamples, targetText } from "../samplesPanel.ts";
import { addressesOf, guidesPath, type Site } from "../site.ts";

/** A workflow to follow from top to bottom: its steps, each with its request in several languages and the response. */
export function workflowPage(site: Site, workflow: Workflow): Page {
  const { id, title, description, inputs, steps } = workflow;
  const path = workflowPath(id);
  const root = rootOf({ path });
  return {
    path,
    title,
    description: firstParagraph(description) || title,
    hasMarkdown: true,
    content: html`<h1>${title}</h1>
      ${renderDescription(description, 1)} ${inputList(inputs)}
      <ol class="steps">
        ${steps.map((step, index) => stepItem(site, root, step, index + 1))}
      </ol>
      <p class="note">
        This guide is tested: the same steps run as the workflow <code>${id}</code>, with
        <code>npm run workflows -- ${id}</code>.
      </p>`,
  };
}

/** Where the page of a workflow is. */
export function workflowPath(id: string): string {
  return `${guidesPath}${id}/`;
}

function inputList(inputs: readonly WorkflowInput[]): Html | undefined {
  if (inputs.length === 0) return undefined;
  return html`<h2 id="you-need">What you need</h2>
    <dl class="inputs">
      ${inputs.map(
        ({ name, description, default: value }) =>
          html`<dt><code>${name}</code></dt>
            <dd>
              ${description}
              ${value === undefined ? undefined : html`<span class="example">Here: <code>${typeof value === "string" ? value : JSON.stringify(value)}</code></span>`}
            </dd>`,
      )}
    </dl>`;
}

function stepItem(site: Site, root: string, step: WorkflowStep, number: number): Html {
  const { operation, generation, description, example, response, successCriteria, outputs } = step;
  const context: FieldContext = { site, generation, root };
  const address = addressesOf(site, generation).operations.get(operation);
  return html`<li id="${step.id}">
    <h2>${number}. <a href="${root}${address}">${operation.title}</a></h2>
    <p class="endpoint">${endpointText(operation)}</p>
    ${renderDescription(description, 2)}
    <p class="target">${targetText(context, example)}</p>
    <div class="exchange">
      ${requestSamples(`Request ${String(number)}`, operationSamples(context, example), 3)}
      ${
        response === undefined
          ? undefined
          : html`<div>${payload(`Response ${String(number)}: ${response.status}`, response.body, 3)}</div>`
      }
    </div>
    <details class="criteria">
      <summary>What makes this step a success, and what later steps use</summary>
      <ul>
        ${successCriteria.map((condition) => html`<li><code>${condition}</code></li> `)}
        ${outputs.map(({ name, expression }) => html`<li><code>${name}</code> is <code>${expression}</code></li> `)}
      </ul>
    </details>
  </li> `;
}
