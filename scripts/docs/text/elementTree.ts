import { escapeText, unescapeText } from "../parts/html.ts";

/**
 * An element, or a text, with as much of the DOM as the converter to Markdown reads. A whole DOM takes twice as long to
 * build and to walk as everything else that is done for a page.
 */
export class TreeNode {
  readonly nodeType: 1 | 3;
  readonly nodeName: string;
  readonly localName: string;
  /** As they are written, with a space before each. */
  readonly attributes: string;
  data = "";
  readonly childNodes: TreeNode[] = [];
  parentNode: TreeNode | null = null;
  previousSibling: TreeNode | null = null;
  nextSibling: TreeNode | null = null;

  /** The name is that of an element, or `#text`. */
  constructor(name: string, attributes = "") {
    this.nodeType = name === "#text" ? 3 : 1;
    this.nodeName = name.toUpperCase();
    this.localName = name;
    this.attributes = attributes;
  }

  get nodeValue(): string {
    return this.data;
  }

  get textContent(): string {
    return this.nodeType === 3 ? this.data : this.childNodes.map((node) => node.textContent).join("");
  }

  get outerHTML(): string {
    if (this.nodeType === 3) return escapeText(this.data);
    const content = this.childNodes.map((node) => node.outerHTML).join("");
    return `<${this.localName}${this.attributes}>${content}</${this.localName}>`;
  }

  get firstChild(): TreeNode | null {
    return this.childNodes[0] ?? null;
  }

  get parentElement(): TreeNode | null {
    return this.parentNode;
  }

  get children(): readonly TreeNode[] {
    return this.childNodes.filter(({ nodeType }) => nodeType === 1);
  }

  get firstElementChild(): TreeNode | null {
    return this.children[0] ?? null;
  }

  get className(): string {
    return this.getAttribute("class") ?? "";
  }

  /** Of a table. */
  get rows(): readonly TreeNode[] {
    return this.getElementsByTagName("TR");
  }

  getAttribute(name: string): string | null {
    const start = this.attributes.indexOf(` ${name}="`);
    if (start === -1) return null;
    const from = start + name.length + 3;
    return unescapeText(this.attributes.slice(from, this.attributes.indexOf('"', from)));
  }

  /** Those with a name in capitals. */
  getElementsByTagName(name: string): readonly TreeNode[] {
    const inner = this.children.flatMap((child) => [child, ...child.getElementsByTagName(name)]);
    return inner.filter(({ nodeName }) => nodeName === name);
  }

  append(node: TreeNode): void {
    const last = this.childNodes.at(-1);
    node.parentNode = this;
    if (last !== undefined) {
      node.previousSibling = last;
      last.nextSibling = node;
    }
    this.childNodes.push(node);
  }

  /** Adds text in HTML, as a part of the last text if nothing is between them. */
  appendText(markup: string): void {
    const last = this.childNodes.at(-1);
    const text = last?.nodeType === 3 ? last : new TreeNode("#text");
    if (text !== last) this.append(text);
    text.data += unescapeText(markup);
  }

  removeChild(node: TreeNode): void {
    const { previousSibling, nextSibling } = node;
    if (previousSibling !== null) previousSibling.nextSibling = nextSibling;
    if (nextSibling !== null) nextSibling.previousSibling = previousSibling;
    this.childNodes.splice(this.childNodes.indexOf(node), 1);
  }

  /** The converter changes a copy. There need be none of a tree that is made for it alone. */
  cloneNode(): this {
    return this;
  }
}
