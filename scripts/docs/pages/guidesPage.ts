import { firstParagraph, firstSentence } from "../../contract/text.ts";
import { toText } from "../../samples/parameterText.ts";
import { operationAddress } from "../model/addresses.ts";
import type { AddressedGuide } from "../model/guides.ts";
import { readStepExamples } from "../model/sampledExchanges.ts";
import { firstLevel, guidePath, guideSections, type GuideSectionName, type Site } from "../model/site.ts";
import {
  code,
  forScreen,
  hidden,
  joined,
  link,
  list,
  paragraph,
  repeated,
  section,
  subsection,
} from "../parts/blocks.ts";
import { icon } from "../parts/icon.ts";
import type { Block, Flow, FlowNode, List, SectionNode } from "../parts/pageNodes.ts";
import { endpoint } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { readDescription } from "../parts/readDescription.ts";
import { runBar } from "../parts/runBar.ts";
import { exchangeParts, inventedText, targetLine } from "../parts/samplesPanel.ts";
import type { WorkflowInput } from "../../workflows/arazzo.ts";
import type { Workflow, WorkflowStep } from "../../workflows/readWorkflows.ts";

/** The guides: explanations, and tasks step by step. */
export function guidesPage(tasks: readonly Page[], explanations: readonly Page[]): Page {
  const children = [
    ...guideSection("explanations", "Start here", explanations),
    ...guideSection("tasks", "Tasks", tasks),
  ];
  return { ...firstLevel.guides, description: guideSections.guides, children };
}

/** A top-level page, and the guides that it lists. */
export interface GuideSection {
  readonly name: GuideSectionName;
  readonly page: Page;
  readonly guides: readonly Page[];
}

/** Guides on one subject, below a top-level page. */
export function readSection(name: GuideSectionName, guides: readonly Page[]): GuideSection {
  const description = guideSections[name];
  const page = { ...firstLevel[name], description, children: [paragraph([description]), ...guideList(guides)] };
  return { name, page, guides };
}

/** A list of guides with their summaries. Empty if there are none. */
export function guideSection(anchor: string, title: string, guides: readonly Page[]): readonly SectionNode[] {
  return guides.length === 0 ? [] : [section(anchor, title, guideList(guides))];
}

function guideList(guides: readonly Page[]): readonly List[] {
  const items = guides.map((guide) => ({ children: [link(guide)], sentence: firstSentence(guide.description) }));
  return [{ kind: "list", className: "tasks", items, isRepeated: true }];
}

/** A hand-written guide. */
export function guidePage({ section: name, path, title, summary, markdown, servers }: AddressedGuide): Page {
  const [first = "", ...rest] = readDescription(markdown, 1);
  return {
    path,
    title,
    description: summary,
    crumbs: [firstLevel[name]],
    children: [first, ...serverNote(servers), ...rest],
  };
}

/** Says where the requests of a guide go, if they don't go to the mock. */
function serverNote(servers: readonly string[]): readonly Block[] {
  if (servers.length === 0) return [];
  const addresses = joined(
    servers.map((url) => [code(url)]),
    [" and "],
  );
  const text =
    "The credentials, identifiers and responses are examples. Use your own credentials and identifiers, and " +
    "expect different responses.";
  return [repeated(paragraph(["The requests on this page go to ", ...addresses, `. ${text}`], "note"))];
}

/** A workflow to follow from top to bottom. Each step has its request in several languages and the response. */
export function workflowPage(site: Site, workflow: Workflow): Page {
  const { id, title, description, inputs, steps } = workflow;
  const goesToMock = steps.every(({ operation }) => site.serverOf(operation).isMock);
  const stepSections = steps.map((step, index) => stepSection(site, step, index + 1));
  return {
    path: guidePath(id),
    title,
    description: firstParagraph(description) || title,
    crumbs: [firstLevel.guides],
    children: [
      ...readDescription(description, 1),
      paragraph([
        (goesToMock ? "The requests and responses below were recorded" : "The responses below were recorded") +
          " from a run against the mock. When you follow the steps, use the identifiers, " +
          `tokens and keys from the responses that you receive. ${inventedText}`,
      ]),
      ...inputSection(inputs),
      { kind: "division", frame: { tag: "ol", attributes: { class: "steps" } }, children: stepSections },
      testedNote(id),
    ],
  };
}

function testedNote(id: string): Block {
  const text = [" This guide is tested: the same steps run as the workflow ", code(id), ", with "];
  const check = forScreen(icon("check"));
  return repeated(paragraph([check, ...text, code(`npm run workflows -- ${id}`), "."], "note"));
}

function inputSection(inputs: readonly WorkflowInput[]): readonly SectionNode[] {
  if (inputs.length === 0) return [];
  const definitions = inputs.map(({ name, description, default: value }) => {
    const example = value === undefined ? [] : [paragraph([hidden("Example: "), code(toText(value))], "example")];
    return { term: [code(name)], children: [...readDescription(description, 2), ...example] };
  });
  return [subsection(2, "Prerequisites", [{ kind: "definitions", className: "inputs", definitions }], "you-need")];
}

function stepSection(site: Site, step: WorkflowStep, number: number): SectionNode {
  const { id, operation, generation, description, successCriteria, outputs } = step;
  const path = operationAddress(generation, operation);
  const examples = readStepExamples(site, step);
  const facts = [
    ...successCriteria.map(({ text }) => [code(text)]),
    ...outputs.map(({ name, expression }) => [code(name), " is ", code(expression)]),
  ];
  const label: FlowNode = {
    kind: "link",
    href: `#${id}`,
    className: "number anchor",
    children: [String(number), hidden(".")],
  };
  const [request, ...response] = exchangeParts(examples.exchanges, `Step ${String(number)}, `);
  const children: Flow = [
    repeated(paragraph([endpoint(operation)], "endpoint")),
    ...readDescription(description, 2),
    ...targetLine(examples),
    ...(request === undefined ? [] : [request]),
    ...runBar(site, id, "Run this step", String(number)),
    ...response,
    // They are in Arazzo's expressions. The description puts them into words.
    repeated({ kind: "folded", summary: ["Success criteria and outputs"], children: list(facts) }),
  ];
  const heading = [label, " ", link({ title: operation.title, path })];
  return { ...subsection(2, heading, children, id), frame: { tag: "li", attributes: { class: "step" } } };
}
