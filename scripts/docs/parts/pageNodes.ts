import type { Sample } from "../../samples/samples.ts";
import type { Html } from "./html.ts";
import type { IconName } from "./icon.ts";

/**
 * What a page says, as data: CommonMark's blocks and inlines, and what these pages have besides. HTML, Markdown and the
 * search index are made from it. All white space between inlines is in their text.
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
  | Facts
  | FieldList
  | Alternatives
  | BodyFields
  | Table
  | CodeBlock
  | Panel
  | Samples
  | Folded
  | Quote
  | Rule;

const inlineKinds = new Set(["code", "link", "mark", "span", "name", "endpoint", "method", "break", "screen"]);

/** Tells whether a node is a block, beside which nothing else is on a line. */
export function isBlock(node: FlowNode): node is Block {
  return typeof node === "object" && !inlineKinds.has(node.kind);
}

export interface CodeSpan {
  readonly kind: "code";
  readonly text: string;
  /** The class that the stylesheet knows it by, here and in all other nodes. */
  readonly className?: string | undefined;
}

export interface Link {
  readonly kind: "link";
  /** A page of the site after {@link rootMark}, a fragment of this page, or as a description has it. */
  readonly href: string;
  readonly children: Flow;
  readonly title?: string | undefined;
  readonly className?: string | undefined;
  /** True if it leads from a type to the page of its schema. */
  readonly isSchema?: boolean;
}

/** An element of HTML for text within a line. */
export interface Mark {
  readonly kind: "mark";
  readonly tag: MarkTag;
  readonly children: Flow;
  readonly className?: string | undefined;
  readonly title?: string | undefined;
}

/** The elements that a {@link Mark} may be. */
export const markTags = [
  ...(["b", "strong", "em", "i", "del", "s", "ins", "u", "sub", "sup"] as const),
  ...(["kbd", "samp", "var", "mark", "small", "abbr", "span"] as const),
];
export type MarkTag = (typeof markTags)[number];

/** Text that looks different: a chip, a gap, or what is hidden from those who see the page. */
export interface Span {
  readonly kind: "span";
  readonly className: string;
  readonly children: Flow;
  /** True if Markdown emphasizes it. */
  readonly isEmphasized?: boolean;
}

/** A name that may be broken into lines between its words, and after slashes and dots. */
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
  /** True in narrow columns, where only the beginning of a long one is seen. */
  readonly isNarrow?: boolean;
}

export interface LineBreak {
  readonly kind: "break";
}

/** What is there for eyes and hands, such as a button, and the text in its place for Markdown and the search. */
export interface ForScreen {
  readonly kind: "screen";
  readonly html: Html;
  readonly text?: string | undefined;
}

export interface Paragraph {
  readonly kind: "paragraph";
  readonly children: Flow;
  readonly className?: string | undefined;
  /** True if the search leaves it out, here and in other nodes: it repeats, or leads to, what another place says. */
  readonly isRepeated?: boolean;
}

/** A heading, and what is below it. */
export interface SectionNode {
  readonly kind: "section";
  /** The heading's level in HTML, from 2 to 6. */
  readonly level: number;
  /** The heading's address on the page; without one, the section is a part of the one around it. */
  readonly anchor?: string | undefined;
  readonly heading: Flow;
  /** What is not specified of it, after the heading. */
  readonly marks?: Flow;
  readonly children: Flow;
  /** The element around the heading and the rest; none if it is `undefined`. */
  readonly frame?: Frame | undefined;
  /** True if only screen readers have the heading. */
  readonly isHeadingHidden?: boolean;
  /** True if it is open only once its heading is chosen. */
  readonly isFolded?: boolean;
}

/** Blocks that belong together on the screen. */
export interface Division {
  readonly kind: "division";
  readonly frame: Frame;
  readonly children: Flow;
}

/** An element of HTML that the stylesheet and the scripts know. */
export interface Frame {
  readonly tag: "aside" | "div" | "li" | "ol" | "section";
  readonly attributes: Readonly<Record<string, string>>;
}

export interface List {
  readonly kind: "list";
  readonly items: readonly ListItem[];
  /** The number of the first item, if they are numbered. */
  readonly start?: number | undefined;
  readonly className?: string | undefined;
  readonly isRepeated?: boolean;
}

export interface ListItem {
  readonly children: Flow;
  /** What an item that is a link leads to, in a sentence. */
  readonly sentence?: string | undefined;
}

export interface DefinitionList {
  readonly kind: "definitions";
  readonly definitions: readonly { readonly term: Flow; readonly children: Flow }[];
  readonly className?: string | undefined;
}

/** The facts that a reader of an operation's page sees first. */
export interface Facts {
  readonly kind: "facts";
  readonly facts: readonly OperationFact[];
}

export interface OperationFact {
  readonly drawing: IconName;
  readonly term: string;
  readonly children: Flow;
  readonly anchor?: string;
}

export interface FieldList {
  readonly kind: "fields";
  readonly fields: readonly FieldNode[];
}

export interface FieldNode extends ValueNode {
  readonly name: string;
}

/** Schemas of which each may describe a value, and of which one is shown at a time. */
export interface Alternatives {
  readonly kind: "alternatives";
  /** The anchor of the value. */
  readonly anchor: string;
  readonly alternatives: readonly AlternativeNode[];
}

export interface AlternativeNode extends ValueNode {
  readonly title: string;
}

/** What is said of a value: of a field, or of a whole body. */
export interface ValueNode {
  readonly anchor: string;
  /** Its type, and what else is said in a word or two. */
  readonly facts: Flow;
  /** The values it may have; nothing if they are not known. */
  readonly values: Flow;
  readonly description: Flow;
  /** Its alternatives and its fields. */
  readonly inner: Flow;
  /** The words that open and fold what is inside; `undefined` if that is always open. */
  readonly fold?: Fold | undefined;
}

export interface Fold {
  readonly label: Flow;
  readonly isOpen: boolean;
}

/** A body, with its media type if it has one. */
export interface BodyFields extends ValueNode {
  readonly kind: "body";
  readonly mediaType: string | undefined;
}

export interface Table {
  readonly kind: "table";
  /** The titles of the columns; none in a table of a description that has none. */
  readonly titles: readonly Cell[];
  readonly rows: readonly Row[];
  readonly className?: string | undefined;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Attributes that scripts know it by. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface Cell {
  readonly children: Flow;
  /** What it is a heading of. */
  readonly scope?: "col" | "row" | undefined;
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface CodeBlock {
  readonly kind: "codeBlock";
  readonly source: string;
  readonly language: string;
  /** Its name as a region for screen readers: such blocks are examples or data, and repeat what a page says. */
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
  /** What the request is called, for the regions of the page. */
  readonly name: string;
  readonly samples: readonly Sample[];
}

/** What opens when its summary is chosen. */
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

/** The blocks of a flow, and each run of inlines that stands beside blocks or alone. */
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

/** All nodes of a flow, each before those inside it; values and definitions have flows of their own. */
export function* nodesIn(flow: Flow): Generator<Exclude<FlowNode, string>> {
  for (const node of flow) {
    if (typeof node === "string") continue;
    yield node;
    if ("children" in node) yield* nodesIn(node.children);
  }
}
