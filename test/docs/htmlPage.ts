import { defaultTreeAdapter as tree, parse, type DefaultTreeAdapterTypes } from "parse5";

/** An element of a page, as browsers read it: parse5 follows the HTML standard, also where the HTML is wrong. */
export interface PageElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** All text inside, on one line. */
  readonly text: string;
  /** The element, and all that are inside it. */
  readonly elements: readonly PageElement[];
}

export interface HtmlPage {
  readonly elements: readonly PageElement[];
  readonly byId: ReadonlyMap<string, PageElement>;
  /** The one `main` of the page. */
  readonly main: PageElement;
}

/** Parses a page. Throws if two of its elements have the same id, or if there is not one `main`. */
export function readHtml(text: string): HtmlPage {
  const elements = tree.getChildNodes(parse(text)).flatMap(readNode);
  const byId = new Map<string, PageElement>();
  for (const element of elements) {
    const { id } = element.attributes;
    if (id === undefined) continue;
    if (byId.has(id)) throw new Error(`two elements have the id ${id}`);
    byId.set(id, element);
  }
  const [main, ...others] = elements.filter(({ tag }) => tag === "main");
  if (main === undefined || others.length > 0) throw new Error("a page has one main element");
  return { elements, byId, main };
}

/** Tells whether a mark in a place of a page, or an item of a list of gaps, says that something is not specified. */
export function saysGap({ elements }: PageElement, gap: string): boolean {
  return elements.some(({ tag, text }) => {
    // A mark may be of several gaps, and have words before them.
    const named = text.replace(/ not specified$/, "");
    const isMark = named !== text && (named.endsWith(gap) || named.includes(`${gap}, `));
    return isMark || (tag === "li" && text === gap);
  });
}

function readNode(node: DefaultTreeAdapterTypes.ChildNode): readonly PageElement[] {
  if (!tree.isElementNode(node)) return [];
  const inner = tree.getChildNodes(node).flatMap(readNode);
  const element: PageElement = {
    tag: tree.getTagName(node),
    attributes: Object.fromEntries(tree.getAttrList(node).map(({ name, value }) => [name, value])),
    text: textOf(node).replaceAll(/\s+/g, " ").trim(),
    get elements() {
      return [element, ...inner];
    },
  };
  return element.elements;
}

function textOf(node: DefaultTreeAdapterTypes.ChildNode): string {
  if (tree.isTextNode(node)) return tree.getTextNodeContent(node);
  return tree.isElementNode(node) ? tree.getChildNodes(node).map(textOf).join("") : "";
}
