import TurndownService from "turndown";
import { strikethrough, tables } from "turndown-plugin-gfm";
import { rootMark, screenOnly } from "../parts/html.ts";
import type { Page } from "../parts/page.ts";
import { TreeNode } from "./elementTree.ts";
import { readSections } from "./pageSections.ts";

/** A page as Markdown, which {@link placeText} makes fit for a file. */
export type PageText = ReturnType<typeof convertPage>;

/** Stands for each level of a heading, which depends on the file that the text is placed in, as links within the site do. */
const levelMark = "\u0002";

/** Converts what is in a page's `main`: its title, the links before it, and all below it. It takes as long as making the page: do it once. */
export function convertPage(page: Page) {
  const tree = readTree(page);
  // Converting changes the tree.
  const { sections, names } = readSections(tree);
  const text = isElement(tree) ? converter.turndown(tree) : "";
  const [, crumbs = "", title = "", body = ""] = /^([^\u0002]*)\u0002 (.*)\n*([^]*)$/.exec(text) ?? [];
  return { page, title, crumbs: crumbs.trim(), body, sections, names };
}

/** Text of a page for a file in which links begin with `to`, and the title is a heading of the given level. */
export function placeText(text: string, to: string, depth = 1): string {
  return text
    .replaceAll(rootMark, () => to)
    .replaceAll(/\u0002+/g, (levels) => "#".repeat(Math.min(6, levels.length + depth - 1)));
}

/** Text in which nothing is a mark (CommonMark 0.31, section 2.4). */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*[\]~]|(?<!\w)_|_(?!\w)|<(?=[a-z/!?])|&(?=#?\w+;)/gi, String.raw`\$&`)
    .replace(/^(?:[-+](?=\s)|>|#+(?=\s|$)|=+$)/, String.raw`\$&`)
    .replace(/^\d+(?=[.)]\s)/, "$&\\");
}

/** The converter's types ask for a whole element, of which it reads what a tree has. */
function isElement(node: TreeNode | HTMLElement): node is HTMLElement {
  return node.nodeType === 1;
}

/**
 * The elements of a page's content without what is there for eyes and hands. Templates and sanitized descriptions close
 * every element and escape all text, so this need not be as lenient as a parser of any HTML.
 */
function readTree({ path, content }: Page): TreeNode {
  const base = new URL(path, "site:///");
  const root = new TreeNode("main");
  // The elements around a place; `undefined` for those that are left out.
  const around: (TreeNode | undefined)[] = [root];
  for (const [token, end, name = "", attributes = ""] of arrange(content.toString()).matchAll(tokens)) {
    const parent = around.at(-1);
    if (name === "") parent?.appendText(token);
    else if (end === "/") around.pop();
    else if (parent === undefined || isLeftOut(name, attributes)) around.push(undefined);
    else if (wrappers.has(name)) around.push(parent);
    else {
      const tag = name === "summary" ? "p" : name;
      const node = new TreeNode(tag, name === "a" ? resolveLink(attributes, base) : attributes);
      parent.append(node);
      around.push(node);
    }
    if (name === "br" || name === "hr" || name === "wbr") around.pop();
  }
  return root;
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

type Replacement = (content: string, node: HTMLElement) => string;

/** Writers of elements that plain Markdown has nothing for, by their one class. A field's facts are on one line. */
const byClass = new Map<string, Replacement>([
  ["body", (content) => `${content}\n\n`],
  ["cut", (content, { previousSibling }) => (previousSibling?.nodeName === "DIV" ? `\n\n${content}` : `. ${content}`)],
  [
    "description",
    (content, { firstElementChild }) =>
      firstElementChild?.nodeName === "P" ? `. ${content.trim()}` : `\n\n${content}\n\n`,
  ],
  ["field", (content) => content],
  ["media-type", (content) => `\n\n${content} `],
  ["sentence", (content) => `: ${content}`],
  ["step", (content) => `\n\n${content}\n\n`],
  ["type-line", (content) => content],
  ["values", (content) => ` · ${content.trim()}`],
]);

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

const byTag = new Map<string, Replacement>([
  ...headings.map((tag) => [tag, heading] as const),
  [
    "div",
    (content, { parentNode }) => (parentNode?.nodeName === "DL" ? `\n${content.trim()}\n` : `\n\n${content}\n\n`),
  ],
  ["dt", (content) => `\n- ${content.trim()}: `],
  ["dd", (content) => `${indent(content.trim(), 2)}\n`],
  ["figcaption", (content) => `\n\n${content.trim()}${content.includes(levelMark) ? "" : ":"}\n\n`],
  ["li", listItem],
  ["ol", list],
  ["td", tableCell],
  ["th", tableCell],
  ["ul", list],
]);

function heading(content: string, { nodeName }: HTMLElement): string {
  // A number at the beginning makes no list there.
  const title = content
    .trim()
    .replaceAll(/\s*\n\s*/g, " ")
    .replace(/^(\d+)\\/, "$1");
  return `\n\n${levelMark.repeat(Number(nodeName.slice(1)))} ${title}\n\n`;
}

/** A list within another one makes no paragraphs of the outer one's items. */
function list(content: string, { parentNode }: HTMLElement): string {
  const space = parentNode?.nodeName === "LI" ? "\n" : "\n\n";
  return space + content + space;
}

function listItem(content: string, node: HTMLElement): string {
  const parent = node.parentElement;
  const start = Number(parent?.getAttribute("start") ?? 1);
  const marker = parent?.nodeName === "OL" ? `${start + Array.from(parent.children).indexOf(node)}. ` : "- ";
  return `${marker}${indent(content.trim(), marker.length)}\n`;
}

/** A cell has one line; the items of a list become parts of it. */
function tableCell(content: string, { previousSibling }: HTMLElement): string {
  const line = content
    .trim()
    .replace(/^- /, "")
    .replaceAll(/\s*\n\s*- /g, ", ")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", String.raw`\|`);
  return `${previousSibling === null ? "| " : " "}${line} |`;
}

function indent(text: string, width: number): string {
  return text.replaceAll(/\n(?=.)/g, `\n${" ".repeat(width)}`);
}

/** Matching a selector instead would take several times as long as all the rest. */
function replacementOf({ className, localName }: HTMLElement): Replacement | undefined {
  return byClass.get(className) ?? byTag.get(localName);
}

const converter = createConverter();

function createConverter(): TurndownService {
  const service = new TurndownService({
    headingStyle: "atx",
    hr: "---",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
    preformattedCode: true,
  });
  service.escape = escapeMarkdown;
  service.use([tables, strikethrough]);
  service.addRule("own", {
    filter: (node) => replacementOf(node) !== undefined,
    replacement: (content, node) => replacementOf(node)?.(content, node) ?? content,
  });
  return service;
}
