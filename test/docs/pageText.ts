import { defaultTreeAdapter as tree, parse, type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** What readers see in a page's `main`. */
export interface PageText {
  /** The text of each block, with spaces in the place of line breaks; of a list's item without what is nested in it. */
  readonly phrases: readonly string[];
  /** Those that begin with the name of a field. */
  readonly fields: readonly string[];
  readonly headings: readonly string[];
  /** Paragraphs that are in no list. */
  readonly paragraphs: readonly string[];
}

interface Block {
  readonly element: Element;
  readonly inList: boolean;
  readonly text: string;
  readonly beginsWithCode: boolean;
}

const blocks = new Set(
  "main article aside section header div p ul ol li dl dt dd h1 h2 h3 h4 h5 h6 pre figure figcaption table thead tbody tr th td details summary blockquote hr".split(
    " ",
  ),
);

/** Without a sign, raised digits would belong to the number before them. */
const signs: ReadonlyMap<string, string> = new Map([
  ["sup", "^"],
  ["sub", "_"],
]);

/** Reads an HTML page, or a piece with `main`. What scripts and the stylesheet are there for is left out. */
export function readPageText(html: string): PageText {
  const [main] = elementsOf(parse(html)).filter(({ tagName }) => tagName === "main");
  if (main === undefined) throw new Error("there is no main");
  const found = readBlocks(main, false).filter(({ text }) => text !== "");
  return {
    phrases: found.map(({ text }) => text),
    fields: found.filter(isFieldLine).map(({ text }) => text),
    headings: found.filter(({ element }) => /^h[1-6]$/.test(element.tagName)).map(({ text }) => text),
    paragraphs: found.filter(({ element, inList }) => element.tagName === "p" && !inList).map(({ text }) => text),
  };
}

/** Whether a block begins a list's item with a name. */
function isFieldLine({ element, inList, beginsWithCode }: Block): boolean {
  const parent = element.parentNode;
  // Where a list's items have several blocks, their first lines are paragraphs.
  const isFirst = parent?.childNodes.find((child) => tree.isElementNode(child)) === element;
  const beginsItem = element.tagName === "li" || (isFirst && parent.nodeName === "li");
  return inList && beginsItem && beginsWithCode;
}

/** Scripts, buttons, links to other forms of the page, second mentions of what is further below, and samples but those in curl. */
function isLeftOut(element: Element): boolean {
  const { tagName } = element;
  const classes = attributeOf(element, "class").split(" ");
  if (tagName === "script" || tagName === "button" || tagName === "nav" || classes.includes("actions")) return true;
  if (["typescript", "fetch", "python"].includes(attributeOf(element, "data-language"))) return true;
  if (tagName === "figcaption" || (tagName === "span" && element.attrs.some(({ name }) => name === "data-screen-only")))
    return true;
  if (tagName === "summary") return isInside(element, "fields") || isInside(element, "unspecified-list");
  return tagName === "ul" && isInside(element, "unspecified-list");
}

function readBlocks(element: Element, inList: boolean): readonly Block[] {
  const inner: Block[] = [];
  let [text, beginsWithCode] = ["", false];
  const flush = () => {
    inner.push({ element, inList, text: text.replaceAll(/\s+/g, " ").trim(), beginsWithCode });
    [text, beginsWithCode] = ["", false];
  };
  const visit = (node: Node): void => {
    if (tree.isTextNode(node)) text += node.value;
    if (!tree.isElementNode(node) || isLeftOut(node)) return;
    if (blocks.has(node.tagName) || (element.tagName === "h1" && attributeOf(node, "class") === "deprecated")) {
      flush();
      inner.push(...readBlocks(node, inList || node.tagName === "li"));
    } else {
      if (node.tagName === "code" && text.trim() === "") beginsWithCode = true;
      const start = text.length;
      for (const child of node.childNodes) visit(child);
      const sign = signs.get(node.tagName);
      if (sign === undefined) return;
      const inner = text.slice(start);
      text = text.slice(0, start) + sign + (inner.includes(" ") ? `(${inner})` : inner);
    }
  };
  for (const child of element.childNodes) visit(child);
  flush();
  return inner;
}

function isInside(element: Element, className: string): boolean {
  for (let parent = element.parentNode; parent !== null; parent = "parentNode" in parent ? parent.parentNode : null) {
    if (tree.isElementNode(parent) && attributeOf(parent, "class").split(" ").includes(className)) return true;
  }
  return false;
}

function attributeOf({ attrs }: Element, name: string): string {
  return attrs.find((attribute) => attribute.name === name)?.value ?? "";
}

function elementsOf(node: DefaultTreeAdapterTypes.ParentNode): readonly Element[] {
  return node.childNodes.flatMap((child) => (tree.isElementNode(child) ? [child, ...elementsOf(child)] : []));
}
