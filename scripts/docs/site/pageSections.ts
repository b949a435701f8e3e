import { getOrCreate } from "../../values/collections.ts";
import { flowText } from "../parts/flowText.ts";
import {
  blocksAndRuns,
  isBlock,
  nodesIn,
  type Block,
  type FieldNode,
  type Flow,
  type Shared,
  type ValueNode,
} from "../parts/pageNodes.ts";
import type { Page } from "../parts/page.ts";

/** A part of a page that is a separate search result. */
export interface PageSection {
  /** The surrounding headings and its own. */
  readonly titles: readonly string[];
  /** The address of its heading on the page. Empty for the part below the page's title. */
  readonly anchor: string;
  /** Paragraphs, fields, rows and code, each on one line. Repeated text is left out. */
  readonly lines: readonly string[];
}

/**
 * The sections of a page: the part below its title, and then those whose headings have addresses. Leaves out the
 * sections that other pages share with it if they are in `said`, and adds them otherwise.
 */
export function readSections(
  { title, heading = [title], overview = [], children }: Page,
  said: Set<Shared>,
): readonly PageSection[] {
  const flow = [...overview, ...children];
  const titles = [flowText(heading)];
  return [{ titles, anchor: "", lines: linesOf(flow) }, ...sectionsIn(flow, titles, said)];
}

/** The sections with addresses in a flow, under the given titles. */
function sectionsIn(flow: Flow, around: readonly string[], said: Set<Shared>): readonly PageSection[] {
  return flow.flatMap((node): readonly PageSection[] => {
    if (!isBlock(node) || !("children" in node)) return [];
    if (node.kind === "shared" && said.size === said.add(node).size) return [];
    if (node.kind !== "section" || node.anchor === undefined) return sectionsIn(node.children, around, said);
    const titles = [...around, flowText(node.heading)];
    const section = { titles, anchor: node.anchor, lines: linesOf(node.children) };
    return [section, ...sectionsIn(node.children, titles, said)];
  });
}

/** The text of a flow, without its sections that have addresses. */
function linesOf(flow: Flow): readonly string[] {
  const lines = blocksAndRuns(flow).flatMap((part) => ("kind" in part ? blockLines(part) : flowText(part)));
  return lines.filter((line) => line !== "");
}

function blockLines(block: Block): readonly string[] {
  if ("isRepeated" in block && block.isRepeated) return scopesIn(block);
  switch (block.kind) {
    case "section":
      return block.anchor === undefined ? linesOf([...block.heading, ...block.children]) : [];
    case "division":
    case "shared":
    case "quote":
      return linesOf(block.children);
    case "paragraph":
      return [flowText(block.children)];
    case "folded":
      return [flowText(block.summary), ...linesOf(block.children)];
    case "list":
      return block.items.flatMap(({ children, sentence = "" }) => itemLines([...children, " ", sentence]));
    case "definitions":
      return block.definitions.flatMap(({ term, children }) => [flowText(term), ...linesOf(children)]);
    case "fields":
      return block.fields.flatMap(fieldLines);
    case "alternatives":
      return block.alternatives.flatMap((one) => [one.title, ...valueLines(one), ...linesOf(one.inner)]);
    case "body":
      return [...block.mediaTypes, ...valueLines(block), ...linesOf(block.inner)];
    case "table":
      return [block.titles, ...block.rows.map(({ cells }) => cells)].map((cells) =>
        flowText(cells.flatMap(({ children }) => [...children, " "])),
      );
    case "codeBlock":
      // Code with a label is an example or data.
      return block.label === undefined ? [flowText([block.source])] : [];
    case "panel":
    case "samples":
    case "rule":
      return [];
  }
}

/** The scopes that an operation requires, which are only among its key facts. Those are words that every page has. */
function scopesIn(block: Block): readonly string[] {
  const spans = nodesIn([block]).filter((node) => node.kind === "span");
  return spans.filter(({ className }) => className === "scopes").map((node) => flowText([node]));
}

/** Items have one line. Inner parts with several lines come after it. */
function itemLines(children: Flow): readonly string[] {
  const hasLines = (node: Flow[number]) => isBlock(node) && ["list", "table", "codeBlock"].includes(node.kind);
  return [flowText(children.filter((node) => !hasLines(node))), ...linesOf(children.filter(hasLines))];
}

function fieldLines({ name, facts, values, description, inner }: FieldNode): readonly string[] {
  return [...itemLines([name, " ", ...facts, " ", ...values, " ", ...description]), ...linesOf(inner)];
}

function valueLines({ facts, values, description }: ValueNode): readonly string[] {
  return [flowText(facts), flowText(values), ...linesOf(description)];
}

/** The names in a flow at their first place: fields with their addresses, and schemas with empty addresses. */
export function namesIn(flow: Flow): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const node of nodesIn(flow)) {
    if (node.kind === "link" && node.isSchema === true) getOrCreate(names, flowText(node.children), () => "");
    if (node.kind === "field" && isKey(node)) getOrCreate(names, node.name, () => node.anchor);
  }
  return names;
}

/** Returns whether a field has a name. Items, positions and arbitrary keys have none. */
function isKey({ name }: FieldNode): boolean {
  return !name.startsWith("[") && !name.startsWith("<");
}
