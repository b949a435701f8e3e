import { rootMark, screenOnly, unescapeText } from "../parts/html.ts";
import type { Page } from "../parts/page.ts";

/** A text, or an element of a page's content. */
export type TreeNode = TreeElement | string;

export interface TreeElement {
  readonly name: string;
  /** As they are written, with a space before each. */
  readonly attributes: string;
  readonly children: TreeNode[];
}

/**
 * The elements of a page's content without what is there for eyes and hands. Templates and sanitized descriptions close
 * every element and escape all text, so this need not be as lenient as a parser of any HTML, which takes several times as long.
 */
export function readTree({ path, content }: Page): TreeElement {
  const base = new URL(path, "site:///");
  const root: TreeElement = { name: "main", attributes: "", children: [] };
  // The elements around a place; `undefined` for those that are left out.
  const around: (TreeElement | undefined)[] = [root];
  for (const [token, end, name = "", attributes = ""] of arrange(content.toString()).matchAll(tokens)) {
    const parent = around.at(-1);
    if (name === "") appendText(parent?.children, unescapeText(token));
    else if (end === "/") around.pop();
    else if (parent === undefined || isLeftOut(name, attributes)) around.push(undefined);
    else if (wrappers.has(name)) around.push(parent);
    else {
      const element = {
        name: name === "summary" ? "p" : name,
        attributes: resolveLink(attributes, base),
        children: [],
      };
      parent.children.push(element);
      around.push(element);
    }
    if (name === "br" || name === "hr" || name === "wbr") around.pop();
  }
  return root;
}

export function attributeOf({ attributes }: TreeElement, name: string): string | undefined {
  if (!attributes.includes(` ${name}="`)) return undefined;
  const [value] = attributes.split(` ${name}="`)[1]?.split('"') ?? [];
  return value && unescapeText(value);
}

export function childElements({ children }: TreeElement): readonly TreeElement[] {
  return children.filter((child) => typeof child === "object");
}

/** All text inside. */
export function innerText(node: TreeNode): string {
  return typeof node === "string" ? node : node.children.map(innerText).join("");
}

/** Adds a text, as a part of the one before it if nothing is between them. */
function appendText(children: TreeNode[] = [], text = ""): void {
  const last = children.at(-1);
  if (typeof last === "string") children.pop();
  children.push(typeof last === "string" ? last + text : text);
}

const tokens = /<(\/?)([a-z]\w*)([^>]*)>|[^<]+/g;

/** Buttons, what is marked as being for the screen, and places where lines may break. */
function isLeftOut(name: string, attributes: string): boolean {
  return name === "button" || name === "wbr" || attributes.includes(screenOnly);
}

/** Elements that Markdown has nothing for. */
const wrappers = new Set(["article", "aside", "details", "figure", "header", "section", "span"]);

/** Puts parts of a page's HTML where they are read in a text. */
function arrange(markup: string): string {
  return (
    markup
      .replaceAll(/\0|<svg [^]*?<\/svg>/g, "")
      // Most elements are the colours of code.
      .replaceAll(/<span class="code-\w+">([^<]*)<\/span>/g, "$1")
      .replaceAll(/<span class="method \w+"\s*>(\w+)<\/span\s*>\s*<code>/g, "<code>$1 ")
      .replaceAll(/<span class="(?:chip )?deprecated">([^<]*)<\/span>/g, "<em>$1</em>")
  );
}

/** Links lead to the Markdown of pages, which have no anchors. */
function resolveLink(attributes: string, base: URL): string {
  return attributes.replace(/ href="([^"]*)"/, (attribute, href: string) => {
    if (href.startsWith("#")) return "";
    const target = URL.parse(href.replace(rootMark, "/"), base);
    if (target?.protocol !== base.protocol) return attribute;
    const path = target.pathname.slice(1);
    return ` href="${rootMark}${path}${path === "" || path.endsWith("/") ? "index.md" : ""}"`;
  });
}
