import { relative } from "node:path";
import { firstParagraph, firstSentence } from "../../values/markdown.ts";
import { toText } from "../../samples/parameterText.ts";
import { operationAddress } from "../model/addresses.ts";
import type { AddressedGuide } from "../model/guides.ts";
import { readStepExamples, type OperationExamples } from "../model/sampledExchanges.ts";
import { firstLevel, guidePath, guideSections, type GuideSectionName, type Site } from "../model/site.ts";
import {
  code,
  forScreen,
  hidden,
  codes,
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
import { exchangeParts, inventedText, runBar, targetLine } from "../parts/samplesPanel.ts";
import { criterionWords, outputWords } from "./criterionWords.ts";
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
  readonly page: Page;
  readonly guides: readonly Page[];
}

/** Guides on one subject, below a top-level page. */
export function readSection(name: GuideSectionName, guides: readonly Page[]): GuideSection {
  const description = guideSections[name];
  const page = { ...firstLevel[name], description, children: [paragraph([description]), ...guideList(guides)] };
  return { page, guides };
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
export function guidePage({ section: name, path, title, summary, markdown, servers, file }: AddressedGuide): Page {
  const [first = "", ...rest] = readDescription(markdown, 1);
  return {
    path,
    title,
    description: summary,
    crumbs: [firstLevel[name]],
    source: { file, line: 1 },
    children: [first, ...serverNote(servers), ...rest],
  };
}

/** Says where the requests of a guide go, if they don't go to the mock. */
function serverNote(servers: readonly string[]): readonly Block[] {
  if (servers.length === 0) return [];
  const addresses = codes(servers, " and ");
  const text =
    "The credentials, identifiers and responses are examples. Use your own credentials and identifiers, and " +
    "expect different responses.";
  return [repeated(paragraph(["The requests on this page go to ", ...addresses, `. ${text}`], "note"))];
}

/** A workflow to follow from top to bottom. Each step has its request in several languages and the response. */
export function workflowPage(site: Site, workflow: Workflow): Page {
  const { id, title, description, inputs, steps, file } = workflow;
  const examples = steps.map((step) => readStepExamples(site, step));
  const stepSections = steps.map((step, index) => stepSection(site, workflow, step, examples[index]?.exchanges ?? []));
  return {
    path: guidePath(id),
    title,
    description: firstParagraph(description) || title,
    crumbs: [firstLevel.guides],
    source: { file: relative(process.cwd(), file), line: 1 },
    children: [
      ...readDescription(description, 1),
      ...recordedNote(examples),
      ...inputSection(inputs),
      { kind: "division", frame: { tag: "ol", attributes: { class: "steps" } }, children: stepSections },
      testedNote(id),
    ],
  };
}

/** Says once where the steps' requests go, and where their responses come from. */
function recordedNote(examples: readonly OperationExamples[]): Flow {
  const targets = [...new Map(examples.map((one) => [one.server?.url, one])).values()];
  const [url] = targets.map(({ server }) => server?.url ?? "");
  const isFromMock = targets.every(({ server }) => server?.isMock) && url !== undefined;
  const credentials = examples.some(({ hasCredentials }) => hasCredentials) ? ", with example credentials" : "";
  const recorded = isFromMock
    ? ["The requests and responses below were recorded from a run against the mock at ", code(url), credentials]
    : ["The responses below were recorded from a run against the mock"];
  const advice =
    ". When you follow the steps, use the identifiers, tokens and keys from the responses that you receive. ";
  return [paragraph([...recorded, advice, inventedText]), ...(isFromMock ? [] : targets.flatMap(targetLine))];
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

function stepSection(
  site: Site,
  { steps }: Workflow,
  step: WorkflowStep,
  exchanges: OperationExamples["exchanges"],
): SectionNode {
  const { id, operation, generation, description } = step;
  const number = steps.indexOf(step) + 1;
  const operationLink = link({ title: operation.title, path: operationAddress(generation, operation) });
  const { sentence = [operationLink], rest } = splitFirstSentence(readDescription(description, 2));
  const label: FlowNode = {
    kind: "link",
    href: `#${id}`,
    className: "number anchor",
    children: [String(number), hidden(".")],
  };
  const [request, ...response] = exchangeParts(exchanges, `Step ${String(number)}, `);
  const children: Flow = [
    repeated(paragraph([endpoint(operation), " ", operationLink], "endpoint")),
    ...rest,
    ...(request === undefined ? [] : [request]),
    ...runBar(site, id, "Run this step", String(number)),
    ...response,
    // The description has what matters of them.
    repeated({
      kind: "folded",
      summary: ["Success criteria and outputs"],
      children: list([
        ...step.successCriteria.map((criterion) => criterionWords(criterion, steps)),
        ...step.outputs.map((output) => outputWords(output, steps)),
      ]),
    }),
  ];
  return {
    ...subsection(2, [label, " ", ...sentence], children, id),
    frame: { tag: "li", attributes: { class: "step" } },
  };
}

/** The first sentence of a text, without its full stop, and the rest. Only the rest if the text doesn't begin with one. */
function splitFirstSentence([first, ...blocks]: Flow): { readonly sentence?: Flow; readonly rest: Flow } {
  if (first === undefined) return { rest: [] };
  if (typeof first === "string" || first.kind !== "paragraph") return { rest: [first, ...blocks] };
  const { children } = first;
  const endIn = (node: FlowNode | undefined) => (typeof node === "string" ? node.search(/[.!?](?=\s|$)/) : -1);
  const at = children.findIndex((node) => endIn(node) !== -1);
  const last = children[at];
  if (typeof last !== "string") return { rest: [first, ...blocks] };
  const end = endIn(last);
  const sentence = [...children.slice(0, at), last.slice(0, last.charAt(end) === "." ? end : end + 1)];
  const others = [last.slice(end + 1).trimStart(), ...children.slice(at + 1)].filter((node) => node !== "");
  return { sentence, rest: [...(others.length === 0 ? [] : [paragraph(others)]), ...blocks] };
}
