import { firstSentence } from "../../contract/text.ts";
import type { Guide } from "../model/guides.ts";
import { guidePath } from "../pages/guidePage.ts";
import { criteriaTitle, runNote, workflowPath } from "../pages/workflowPage.ts";
import type { Workflow, WorkflowStep } from "../../workflows/readWorkflows.ts";
import { readStepExamples } from "../model/sampledExchanges.ts";
import { addressesOf, type Site } from "../model/site.ts";
import { markdownExchange, markdownTarget } from "./markdownExamples.ts";
import type { Links, MarkdownPage } from "./markdownPage.ts";
import { bulletList, codeSpan, escapeMarkdown, joinBlocks, linkTo, placeHeadings } from "./markdownText.ts";

/** A text that explains something, as it was written. */
export function guideMarkdown({ slug, title, summary, markdown }: Guide): MarkdownPage {
  return {
    path: guidePath(slug),
    title,
    summary: firstSentence(summary),
    level: 3,
    content: () => placeHeadings(markdown, 2),
  };
}

/** A workflow: what it needs, and its steps, each with its request in every language and the response. */
export function workflowMarkdown(site: Site, { id, title, description, inputs, steps }: Workflow): MarkdownPage {
  return {
    path: workflowPath(id),
    title,
    summary: firstSentence(description),
    level: 3,
    content: (links) =>
      joinBlocks([
        placeHeadings(description, 2),
        runNote,
        inputs.length === 0 ? undefined : "## What you need",
        bulletList(
          inputs.map(({ name, description: text, default: value }) => {
            const shown = typeof value === "string" ? value : JSON.stringify(value);
            return `${codeSpan(name)}: ${text}${value === undefined ? "" : ` Example: ${codeSpan(shown)}`}`;
          }),
        ),
        ...steps.map((step, index) => stepText(site, step, index + 1, links)),
        `This guide is tested: the same steps run as the workflow \`${id}\`, with \`npm run workflows -- ${id}\`.`,
      ]),
  };
}

function stepText(site: Site, step: WorkflowStep, number: number, links: Links): string {
  const { generation, operation, description, successCriteria, outputs } = step;
  const address = addressesOf(site, generation).operations.get(operation) ?? "";
  const examples = readStepExamples(site, step);
  return joinBlocks([
    `## ${String(number)}. ${linkTo(operation.title, links(address))}`,
    codeSpan(operation.name),
    placeHeadings(description, 3),
    markdownTarget(examples),
    ...examples.exchanges.map((exchange) => markdownExchange(exchange, [])),
    `${escapeMarkdown(criteriaTitle)}:`,
    bulletList([
      ...successCriteria.map(codeSpan),
      ...outputs.map(({ name, expression }) => `${codeSpan(name)} is ${codeSpan(expression)}`),
    ]),
  ]);
}
