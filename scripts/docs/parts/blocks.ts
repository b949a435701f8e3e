import { slugOf } from "../../values/text.ts";
import type { PageLink } from "../model/site.ts";
import { isOpenable, type Html } from "../../values/html.ts";
import {
  rootMark,
  type Block,
  type Cell,
  type CodeBlock,
  type CodeSpan,
  type Division,
  type Flow,
  type FlowNode,
  type ForScreen,
  type Link,
  type List,
  type Mark,
  type Paragraph,
  type Row,
  type SectionNode,
  type Span,
  type Table,
} from "./pageNodes.ts";

export function paragraph(children: Flow, className?: string): Paragraph {
  return { kind: "paragraph", children, className };
}

export function code(text: string, className?: string): CodeSpan {
  return { kind: "code", text, className };
}

export function bold(...children: Flow): Mark {
  return { kind: "mark", tag: "b", children };
}

export function span(className: string, ...children: Flow): Span {
  return { kind: "span", className, children };
}

/** Text for screen readers only. */
export function hidden(text: string): Span {
  return span("hidden", text);
}

/** Separates texts that are separated visually. */
export const hiddenDot: Flow = [" ", hidden("·"), " "];

/** A link to a page of the site, or to a place on a page. */
export function link({ path, title }: { readonly path: string; readonly title: string | Flow }): Link {
  return { kind: "link", href: rootMark + path, children: typeof title === "string" ? [title] : title };
}

/** A link to a page whose title is a name, which may wrap between its words. */
export function nameLink({ path, title }: PageLink): Link {
  return link({ path, title: [{ kind: "name", text: title }] });
}

/** A link out of the site, to an address that people have written. Only its text if a link could do anything but open it. */
export function webLink(href: string | undefined, children: Flow, title?: string): Flow {
  return href !== undefined && isOpenable(href) ? [{ kind: "link", href, children, title }] : children;
}

/** A node, or several in a row. */
type Piece = FlowNode | Flow;

/** Joins pieces with a separator. */
export function joined(pieces: readonly Piece[], separator: Piece): Flow {
  return pieces.flatMap((piece, index) => (index === 0 ? piece : [separator, piece].flat()));
}

/** Texts as code, with a separator. */
export function codes(texts: readonly string[], separator: string): Flow {
  return joined(
    texts.map((text) => code(text)),
    separator,
  );
}

/** Links to pages, with a separator. */
export function links(pages: readonly PageLink[], separator: string): Flow {
  return joined(pages.map(link), separator);
}

/** A section of a page with an address. */
export function section(anchor: string, title: string, children: Flow): SectionNode {
  const frame = { tag: "section", attributes: { "aria-labelledby": anchor } } as const;
  return { kind: "section", level: 2, anchor, heading: [title], children, frame };
}

/** An inner section below a heading of a given level. Without an address, it belongs to the outer section. */
export function subsection(level: number, heading: string | Flow, children: Flow, anchor?: string): SectionNode {
  return { kind: "section", level, anchor, heading: typeof heading === "string" ? [heading] : heading, children };
}

/** Content for the screen, with a replacement text for Markdown and the search. */
export function forScreen(shown: Html, text?: string): ForScreen {
  return { kind: "screen", html: shown, text };
}

/** Marks content that the search leaves out, because it repeats or links to another place. */
export function repeated<Kind extends Block>(block: Kind): Kind {
  return { ...block, isRepeated: true };
}

export function division(className: string, ...children: Flow): Division {
  return { kind: "division", frame: { tag: "div", attributes: { class: className } }, children };
}

/** A list with an optional class. Empty if there are no items. */
export function list(items: readonly Piece[], className?: string): readonly List[] {
  if (items.length === 0) return [];
  return [{ kind: "list", items: items.map((item) => ({ children: [item].flat() })), className }];
}

/** A list of links to things with separate pages. Empty if there are none. */
export function linkList(links: readonly Piece[], className?: string): readonly List[] {
  return list(links, className).map(repeated);
}

/** A list of links to pages. Empty if there are none. */
export function pageLinks(pages: readonly PageLink[], className = "links"): readonly List[] {
  return linkList(pages.map(link), className);
}

/** Links to pages in a row. Empty if there are none. */
export function linkRow(pages: readonly PageLink[]): readonly Block[] {
  if (pages.length === 0) return [];
  return [repeated(paragraph(links(pages, " · "), "concerns"))];
}

/** A section of titled blocks. Empty if there are none. */
export function titledBlocks(
  anchor: string,
  title: string,
  blocks: Readonly<Record<string, readonly Block[]>>,
): readonly SectionNode[] {
  const shown = Object.entries(blocks).filter(([, children]) => children.length > 0);
  const parts = shown.map(([label, children]) => subsection(3, label, children, `${anchor}-${slugOf(label)}`));
  return parts.length === 0 ? [] : [section(anchor, title, parts)];
}

/** A table with titles of its columns. */
export function table(className: string, titles: readonly Piece[], rows: readonly Row[]): Table {
  const columns = titles.map((title): Cell => ({ children: [title].flat(), scope: "col" }));
  return { kind: "table", className, titles: columns, rows };
}

/** A row of a table, whose first cell is its heading. */
export function row(heading: Flow, cells: readonly (Flow | Cell)[], attributes?: Row["attributes"]): Row {
  const others = cells.map((cell) => ("children" in cell ? cell : { children: cell }));
  return { cells: [{ children: heading, scope: "row" }, ...others], ...(attributes && { attributes }) };
}

/** An example as text, or else as JSON. */
export function exampleBlock(value: unknown, label: string): CodeBlock {
  const source = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return { kind: "codeBlock", source, language: "json", label };
}
