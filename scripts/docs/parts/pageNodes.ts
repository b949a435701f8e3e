import type { Sample } from "../../samples/samples.ts";
import type { Html } from "../../values/html.ts";

/**
 * The content of a page as data: CommonMark's blocks and inlines, and additional kinds. HTML, Markdown and
 * the search index are made from it. All whitespace between inlines is part of their text.
 */
export type Flow = readonly FlowNode[];
export type FlowNode = Inline | Block;

export type Inline = string | CodeSpan | Link | Mark | Span | Name | Endpoint | MethodName | LineBreak | ForScreen;

export type Block =
  | Paragraph
  | SectionNode
  | Division
  | List
  | DefinitionList
  | FieldList
  | Alternatives
  | BodyFields
  | Table
  | CodeBlock
  | Panel
  | Samples
  | Folded
  | Quote
  | Rule
  | Shared;

const inlineKinds = new Set(["code", "link", "mark", "span", "name", "endpoint", "method", "break", "screen"]);

/** Returns whether a node is a block, which is never on a line with other content. */
export function isBlock(node: FlowNode): node is Block {
  return typeof node === "object" && !inlineKinds.has(node.kind);
}

export interface CodeSpan {
  readonly kind: "code";
  readonly text: string;
  /** The class in the stylesheet, here and in all other nodes. */
  readonly className?: string | undefined;
  /** True for the path of an operation, which wraps only at its slashes. */
  readonly isPath?: boolean;
}

/** A placeholder for the root in links within the site. It is replaced when the page is rendered. */
export const rootMark = "\u0001";

export interface Link {
  readonly kind: "link";
  /** A page of the site after {@link rootMark}, a fragment of this page, or a URL from a description. */
  readonly href: string;
  readonly children: Flow;
  readonly title?: string | undefined;
  readonly className?: string | undefined;
  /** True for a link from a type to the page of its schema. */
  readonly isSchema?: boolean;
}

/** An HTML element for text within a line. */
export interface Mark {
  readonly kind: "mark";
  readonly tag: MarkTag;
  readonly children: Flow;
  readonly className?: string | undefined;
  readonly title?: string | undefined;
}

/** The possible elements of a {@link Mark}. */
export const markTags = [
  ...(["b", "strong", "em", "i", "del", "s", "ins", "u", "sub", "sup"] as const),
  ...(["kbd", "samp", "var", "mark", "small", "abbr", "span"] as const),
];
export type MarkTag = (typeof markTags)[number];

/** Styled text: a chip, a gap, or text for screen readers only. */
export interface Span {
  readonly kind: "span";
  readonly className: string;
  readonly children: Flow;
  /** True if Markdown emphasizes it. */
  readonly isEmphasized?: boolean;
}

/** A name that may wrap between its words, and after slashes and dots. */
export interface Name {
  readonly kind: "name";
  readonly text: string;
}

/** The method and the path of an operation. */
export interface Endpoint {
  readonly kind: "endpoint";
  readonly method: string;
  readonly path: string;
}

export interface MethodName {
  readonly kind: "method";
  readonly method: string;
  /** True in narrow columns, which show only the beginning of a long method. */
  readonly isNarrow?: boolean;
}

interface LineBreak {
  readonly kind: "break";
}

/**
 * Marks an element that only the screen shows. Its Markdown lacks it, and tools that compare the two have to
 * know.
 */
export const screenOnly = "data-screen-only";

/** Content for the screen, such as a button, with a replacement text for Markdown and the search. */
export interface ForScreen {
  readonly kind: "screen";
  readonly html: Html;
  readonly text?: string | undefined;
}

export interface Paragraph {
  readonly kind: "paragraph";
  readonly children: Flow;
  readonly className?: string | undefined;
  /** True if the search leaves it out, here and in other nodes, because it repeats or links to another place. */
  readonly isRepeated?: boolean;
}

/** A heading, and the content below it. */
export interface SectionNode {
  readonly kind: "section";
  /** The heading's level in HTML, from 2 to 6. */
  readonly level: number;
  /** The heading's address on the page. Without one, the section is part of the outer one. */
  readonly anchor?: string | undefined;
  readonly heading: Flow;
  /** Its gaps, after the heading. */
  readonly marks?: Flow;
  readonly children: Flow;
  /** The element around the section. `undefined` if there is none. */
  readonly frame?: Frame | undefined;
  /** True if only screen readers have the heading. */
  readonly isHeadingHidden?: boolean;
  /** True if the section opens only when its heading is selected. */
  readonly isFolded?: boolean;
}

/** Blocks that belong together on the screen. */
export interface Division {
  readonly kind: "division";
  readonly frame: Frame;
  readonly children: Flow;
}

/** An HTML element for the stylesheet and the scripts. */
export interface Frame {
  readonly tag: "aside" | "div" | "li" | "ol" | "section";
  readonly attributes: Readonly<Record<string, string>>;
}

export interface List {
  readonly kind: "list";
  readonly items: readonly ListItem[];
  /** The number of the first item in a numbered list. */
  readonly start?: number | undefined;
  readonly className?: string | undefined;
  readonly isRepeated?: boolean;
}

export interface ListItem {
  readonly children: Flow;
  /** A sentence about the target of an item that is a link. */
  readonly sentence?: string | undefined;
}

export interface DefinitionList {
  readonly kind: "definitions";
  readonly definitions: readonly Definition[];
  readonly className?: string | undefined;
  readonly isRepeated?: boolean;
}

export interface Definition {
  readonly term: Flow;
  readonly children: Flow;
  readonly anchor?: string | undefined;
}

export interface FieldList {
  readonly kind: "fields";
  readonly fields: readonly FieldNode[];
}

export interface FieldNode extends ValueNode {
  readonly kind: "field";
  readonly name: string;
}

/** Alternative schemas of a value, shown one at a time. */
export interface Alternatives {
  readonly kind: "alternatives";
  /** The anchor of the value. */
  readonly anchor: string;
  readonly alternatives: readonly AlternativeNode[];
}

export interface AlternativeNode extends ValueNode {
  readonly kind: "alternative";
  readonly title: string;
}

/** The text about a value, which is a field or a whole body. */
export interface ValueNode {
  readonly anchor: string;
  /** Its type, and other short facts. */
  readonly facts: Flow;
  /** Its known values, if any. */
  readonly values: Flow;
  readonly description: Flow;
  /** Its alternatives and its fields. */
  readonly inner: Flow;
  /** The labels that open and close the inner part. `undefined` if it is always open. */
  readonly fold?: Fold | undefined;
}

export interface Fold {
  readonly label: Flow;
  readonly isOpen: boolean;
}

/** A body, with its media type if it has one. */
export interface BodyFields extends ValueNode {
  readonly kind: "body";
  readonly mediaTypes: readonly string[];
}

export interface Table {
  readonly kind: "table";
  /** The titles of the columns. Empty for a table without titles in a description. */
  readonly titles: readonly Cell[];
  readonly rows: readonly Row[];
  readonly className?: string | undefined;
  readonly isRepeated?: boolean;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Attributes for scripts. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface Cell {
  readonly children: Flow;
  /** What a heading cell applies to. */
  readonly scope?: "col" | "row" | undefined;
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface CodeBlock {
  readonly kind: "codeBlock";
  readonly source: string;
  readonly language: string;
  /**
   * The name of the region for screen readers. Named blocks are examples or data, and repeat the page's
   * content.
   */
  readonly label?: string;
}

/** Code under a caption, which may be a heading. */
export interface Panel {
  readonly kind: "panel";
  readonly caption: Flow;
  readonly isHeading: boolean;
  readonly code: CodeBlock;
}

/** A request in several languages. */
export interface Samples {
  readonly kind: "samples";
  /** The name of the request, for the regions of the page. */
  readonly name: string;
  readonly samples: readonly Sample[];
}

/** Content that opens when its summary is selected. */
export interface Folded {
  readonly kind: "folded";
  readonly summary: Flow;
  readonly children: Flow;
  readonly className?: string | undefined;
  readonly isRepeated?: boolean;
}

export interface Quote {
  readonly kind: "quote";
  readonly children: Flow;
}

export interface Rule {
  readonly kind: "rule";
}

/** Blocks that several pages share. Their HTML is written once, and the search has them once. */
export interface Shared {
  readonly kind: "shared";
  readonly children: Flow;
}

/** Returns whether a node is a block of a kind. */
export function isKind<Kind extends Block["kind"]>(
  node: FlowNode | undefined,
  kind: Kind,
): node is Extract<Block, { readonly kind: Kind }> {
  return typeof node === "object" && node.kind === kind;
}

/** The blocks of a flow, and each run of inlines between them. */
export function blocksAndRuns(flow: Flow): readonly (Block | readonly FlowNode[])[] {
  const parts: (Block | FlowNode[])[] = [];
  for (const node of flow) {
    const last = parts.at(-1);
    if (isBlock(node)) parts.push(node);
    else if (Array.isArray(last)) last.push(node);
    else parts.push([node]);
  }
  return parts;
}

type PageNode = FlowNode | FieldNode | AlternativeNode;

/** All nodes of a flow, outer ones first. */
export function nodesIn(flow: readonly PageNode[]): readonly Exclude<PageNode, string>[] {
  return flow.flatMap((node) => (typeof node === "string" ? [] : [node, ...nodesIn(partsOf(node))]));
}

function partsOf(node: Exclude<PageNode, string>): readonly PageNode[] {
  switch (node.kind) {
    case "section":
      return [...node.heading, ...(node.marks ?? []), ...node.children];
    case "list":
      return node.items.flatMap(({ children }) => children);
    case "definitions":
      return node.definitions.flatMap(({ term, children }) => [...term, ...children]);
    case "fields":
      return node.fields;
    case "alternatives":
      return node.alternatives;
    case "body":
    case "field":
    case "alternative":
      return [...node.facts, ...node.values, ...node.description, ...node.inner];
    case "table":
      return [node.titles, ...node.rows.map(({ cells }) => cells)].flat().flatMap(({ children }) => children);
    case "folded":
      return [...node.summary, ...node.children];
    default:
      return "children" in node ? node.children : [];
  }
}
