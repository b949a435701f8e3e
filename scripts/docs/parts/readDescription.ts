import { Marked } from "marked";
import { defaultTreeAdapter as tree, parseFragment, type DefaultTreeAdapterTypes } from "parse5";
import { getOrCreate } from "../../values/collections.ts";
import { headingAnchor, siteScheme } from "../model/guides.ts";
import { percentDecode } from "../../values/percentEncoding.ts";
import { webLink } from "./blocks.ts";
import {
  rootMark,
  isBlock,
  isKind,
  markTags,
  type Cell,
  type Flow,
  type FlowNode,
  type List,
  type Row,
  type Table,
} from "./pageNodes.ts";

type Element = DefaultTreeAdapterTypes.Element;
type ChildNode = DefaultTreeAdapterTypes.ChildNode;

/**
 * Reads a description in CommonMark (OpenAPI 3.1.1, section 4.3) as data. CommonMark may contain HTML, and an
 * HTML element can begin in one token and end in another. So `marked` converts everything to HTML, which an
 * HTML parser reads. Only content that {@link Flow} has a node for is kept: nothing that styles, redirects,
 * frames, submits or runs. Other elements lose their tags and keep their text.
 *
 * `level` is the level of the surrounding heading. The description's highest headings are one level below. If
 * the surrounding heading is the page's, they have addresses.
 */
export function readDescription(markdown: string, level = 2): Flow {
  if (markdown === "") return [];
  return getOrCreate(known, `${String(level)} ${markdown}`, () => {
    const { childNodes } = parseFragment(markdownParser.parse(markdown, { async: false }));
    return nestSections(readNodes(childNodes, readHeadings(childNodes, level)));
  });
}

/** A description after what it describes, on the same line. */
export function descriptionInText(markdown: string, level: number): Flow {
  const [first = "", ...rest] = readDescription(markdown, level);
  if (isKind(first, "paragraph")) return [": ", ...first.children, ...rest];
  return first === "" ? [] : [first, ...rest];
}

/** Many descriptions are repeated wherever a component is used. */
const known = new Map<string, Flow>();

const markdownParser = new Marked();

/** Facts about a description's headings, collected before it is read. */
interface Headings {
  /** Added to their levels. */
  readonly shift: number;
  /** The addresses of those that have one. */
  readonly anchors: ReadonlyMap<Element, string>;
}

const headingTags = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** Finds the headings, and gives them addresses that are unique on the page. */
function readHeadings(nodes: readonly ChildNode[], level: number): Headings {
  const elements = elementsIn(nodes).filter(({ tagName }) => headingTags.includes(tagName));
  const highest = Math.min(...elements.map(levelOf));
  const anchors = new Map<Element, string>();
  const taken = new Set<string>();
  for (const element of level === 1 ? elements : []) {
    const anchor = headingAnchor(textIn(element));
    if (!taken.has(anchor)) anchors.set(element, anchor);
    taken.add(anchor);
  }
  return { shift: level + 1 - highest, anchors };
}

function levelOf({ tagName }: Element): number {
  return headingTags.indexOf(tagName) + 1;
}

/** Nests the content below each heading, up to the next heading of the same or a higher level, into a section. */
function nestSections(nodes: Flow): Flow {
  const nested: FlowNode[] = [];
  for (let index = 0; index < nodes.length;) {
    const node = nodes[index] ?? "";
    index += 1;
    if (!isKind(node, "section")) {
      nested.push(node);
      continue;
    }
    const next = nodes.findIndex((other, at) => at >= index && isKind(other, "section") && other.level <= node.level);
    const end = next === -1 ? nodes.length : next;
    nested.push({ ...node, children: nestSections(nodes.slice(index, end)) });
    index = end;
  }
  return nested;
}

function readNodes(nodes: readonly ChildNode[], headings: Headings): Flow {
  const flow = nodes.flatMap((node): Flow => {
    if (tree.isTextNode(node)) return [node.value];
    return tree.isElementNode(node) ? readElement(node, headings) : [];
  });
  // Whitespace beside blocks is insignificant.
  const isBeside = (index: number) =>
    [flow[index - 1], flow[index + 1]].some((one) => one !== undefined && isBlock(one));
  return flow.filter((node, index) => typeof node === "object" || node.trim() !== "" || !isBeside(index));
}

/** Elements whose text isn't for readers. */
const withoutText = new Set(["script", "style", "textarea", "option", "noscript", "iframe", "noembed", "noframes"]);

function readElement(element: Element, headings: Headings): Flow {
  const { tagName } = element;
  if (withoutText.has(tagName)) return [];
  const children = readNodes(element.childNodes, headings);
  const tag = markTags.find((one) => one === tagName);
  if (tag !== undefined) return [{ kind: "mark", tag, children, title: attributeOf(element, "title") }];
  if (headingTags.includes(tagName)) {
    const level = Math.min(6, Math.max(2, levelOf(element) + headings.shift));
    return [{ kind: "section", level, anchor: headings.anchors.get(element), heading: children, children: [] }];
  }
  return readOther(element, children, headings);
}

/** Reads an element that is neither a heading nor a mark. If there is no node for it, its content is kept. */
function readOther(element: Element, children: Flow, headings: Headings): Flow {
  switch (element.tagName) {
    case "p":
      return [{ kind: "paragraph", children }];
    case "blockquote":
      return [{ kind: "quote", children }];
    case "br":
      return [{ kind: "break" }];
    case "hr":
      return [{ kind: "rule" }];
    case "code":
      return [{ kind: "code", text: textIn(element) }];
    case "pre":
      return [readCodeBlock(element)];
    case "a":
      return readLink(element, children, headings);
    case "img":
      // A picture would load from another host, so its text becomes a link.
      return linkTo(attributeOf(element, "src"), [attributeOf(element, "alt") || (attributeOf(element, "src") ?? "")]);
    case "input":
      // Checkboxes in task lists can't be checked.
      return [attributeOf(element, "checked") === undefined ? "☐" : "☑"];
    case "ul":
    case "ol":
      return [readList(element, headings)];
    case "dl":
      return [{ kind: "definitions", definitions: readDefinitions(element, headings) }];
    case "details":
      return [readFolded(element, headings)];
    case "table":
      return [readTable(element, headings)];
    default:
      return children;
  }
}

function readCodeBlock(element: Element): FlowNode {
  const [inner] = childElements(element);
  const className = inner && attributeOf(inner, "class");
  const language = className?.startsWith("language-") ? className.slice("language-".length) : "";
  const source = textIn(element);
  return { kind: "codeBlock", language, source: source.endsWith("\n") ? source.slice(0, -1) : source };
}

/** A link. A fragment leads to the heading with that name. */
function readLink(element: Element, children: Flow, { anchors }: Headings): Flow {
  const href = attributeOf(element, "href");
  const title = attributeOf(element, "title");
  if (href?.startsWith("#") !== true) return linkTo(href, children, title);
  const anchor = headingAnchor(percentDecode(href.slice(1)) ?? "");
  return linkTo([...anchors.values()].includes(anchor) ? `#${anchor}` : href, children, title);
}

/** A link within the site, to the path of a page or to an address without a scheme, or a link out of the site. */
function linkTo(href = "", children: Flow, title?: string): Flow {
  const isRelative = href !== "" && !URL.canParse(href) && URL.canParse(href, "https://docs.example/");
  if (!isRelative && !href.startsWith(siteScheme)) return webLink(href, children, title);
  return [{ kind: "link", href: href.replace(siteScheme, rootMark), children, title }];
}

function readList(element: Element, headings: Headings): List {
  const items = childElements(element).map((item) => ({ children: readNodes(item.childNodes, headings) }));
  const start = Number(attributeOf(element, "start") ?? 1) || 1;
  return { kind: "list", items, start: element.tagName === "ol" ? start : undefined };
}

function readDefinitions(element: Element, headings: Headings) {
  const definitions: { term: Flow; children: Flow }[] = [];
  // A term and its definition may be in a separate division.
  const parts = childElements(element).flatMap((part) => (part.tagName === "div" ? childElements(part) : [part]));
  for (const part of parts) {
    const children = readNodes(part.childNodes, headings);
    const last = definitions.at(-1);
    if (part.tagName === "dt" || last === undefined) definitions.push({ term: children, children: [] });
    else last.children = [...last.children, ...children];
  }
  return definitions;
}

function readFolded(element: Element, headings: Headings): FlowNode {
  const [first, ...others] = element.childNodes;
  const hasSummary = first !== undefined && tree.isElementNode(first) && first.tagName === "summary";
  const summary = hasSummary ? readNodes(first.childNodes, headings) : ["Details"];
  return { kind: "folded", summary, children: readNodes(hasSummary ? others : element.childNodes, headings) };
}

/** A table. If all cells in its first row are headings, they are the columns' titles. */
function readTable(element: Element, headings: Headings): Table {
  const parts = childElements(element).flatMap((part) => (part.tagName === "tr" ? [part] : childElements(part)));
  const rows = parts.map((row): Row => ({ cells: childElements(row).map((cell) => readCell(cell, headings)) }));
  const [first] = rows;
  if (first?.cells.every(({ scope }) => scope !== undefined) !== true) return { kind: "table", titles: [], rows };
  const titles = first.cells.map((cell): Cell => ({ ...cell, scope: "col" }));
  return { kind: "table", titles, rows: rows.slice(1) };
}

function readCell(element: Element, headings: Headings): Cell {
  const align = attributeOf(element, "align");
  return {
    children: readNodes(element.childNodes, headings),
    scope: element.tagName === "th" ? "row" : undefined,
    attributes: align === undefined ? {} : { align },
  };
}

function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

function childElements({ childNodes }: Element): readonly Element[] {
  return childNodes.filter((child) => tree.isElementNode(child));
}

function elementsIn(nodes: readonly ChildNode[]): readonly Element[] {
  return nodes.flatMap((node) => (tree.isElementNode(node) ? [node, ...elementsIn(node.childNodes)] : []));
}

function textIn(element: Element): string {
  return element.childNodes
    .map((node) => (tree.isTextNode(node) ? node.value : tree.isElementNode(node) ? textIn(node) : ""))
    .join("");
}
