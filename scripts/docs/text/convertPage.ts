import { firstLevel } from "../model/site.ts";
import { rootMark } from "../parts/html.ts";
import type { Page } from "../parts/page.ts";
import { attributeOf, childElements, readTree, innerText, type TreeElement, type TreeNode } from "./elementTree.ts";
import { readSections } from "./pageSections.ts";

/** A page as Markdown, which {@link placeText} makes fit for a file. */
export type PageText = ReturnType<typeof convertPage>;

/** Converts what is in a page's `main`: its title, the links before it, and all below it. */
export function convertPage(page: Page) {
  const tree = readTree(page);
  const [, crumbs = "", title = "", body = ""] = /^([^]*?)^# (.*)$([^]*)/m.exec(writeContent(tree)) ?? [];
  return { page, title, crumbs: crumbs.trim(), body: body.trim(), ...readSections(tree) };
}

type PageKind = "generation" | "group" | "guide" | "operation" | "page" | "schema" | "webhook";

export function pageKind({ path, generation, group, operation }: Page): PageKind {
  if (generation === undefined)
    return path.startsWith(firstLevel.guides.path) && path !== firstLevel.guides.path ? "guide" : "page";
  if (operation !== undefined) return generation.webhooks.includes(operation) ? "webhook" : "operation";
  if (group !== undefined) return "group";
  return path === `${generation.name}/` ? "generation" : "schema";
}

/** Text of a page for a file in which links within the site begin with `to`. */
export function placeText(text: string, to: string): string {
  return text.replaceAll(rootMark, () => to);
}

/** Text in which nothing is a mark (CommonMark 0.31, section 2.4). */
export function escapeMarkdown(text: string): string {
  if (!/[\\`*[\]~_<&]|^[-+>#=\d]/.test(text)) return text;
  return text
    .replaceAll(/[\\`*[\]~]|(?<!\w)_|_(?!\w)|<(?=[a-z/!?])|&(?=#?\w+;)/gi, String.raw`\$&`)
    .replace(/^(?:[-+](?=\s)|>|#+(?=\s|$)|=+$)/, String.raw`\$&`)
    .replace(/^\d+(?=[.)]\s)/, "$&\\");
}

/** Elements beside which white space says nothing. */
const blocks = new Set(
  "blockquote br dd div dl dt figcaption h1 h2 h3 h4 h5 h6 hr li main ol p pre table td th ul".split(" "),
);

function isBlock(node: TreeNode): boolean {
  return typeof node === "object" && blocks.has(node.name);
}

/** Writes what is in an element. Where two parts ask for line breaks between them, the one that asks for more has its way. */
function writeContent(element: TreeElement): string {
  let text = "";
  let breaks = 0;
  for (const [index, child] of element.children.entries()) {
    const part = typeof child === "string" ? writeText(child, element, index) : writeElement(child, element);
    const [, before = "", inner = "", after = ""] = /^(\n*)([^]*?)(\n*)$/.exec(part) ?? [];
    breaks = Math.max(breaks, before.length);
    if (inner === "") continue;
    text += "\n".repeat(Math.min(2, breaks)) + (text.endsWith(" ") ? inner.replace(/^ /, "") : inner);
    breaks = after.length;
  }
  return text + "\n".repeat(breaks);
}

function writeText(text: string, parent: TreeElement, index: number): string {
  const [before = parent, after = parent] = [parent.children[index - 1], parent.children[index + 1]];
  let line = text.replaceAll(/[ \r\n\t]+/g, " ");
  if (isBlock(before)) line = line.replace(/^ /, "");
  if (isBlock(after)) line = line.replace(/ $/, "");
  return escapeMarkdown(line);
}

function writeElement(element: TreeElement, parent: TreeElement): string {
  const whole = writers.get(element.name);
  if (whole !== undefined) return whole(element);
  const content = writeContent(element);
  const write = byClass.get(attributeOf(element, "class") ?? "") ?? byTag.get(element.name);
  const inner = content.trim();
  if (isBlock(element)) return inner === "" ? "\n\n" : (write ?? paragraph)(inner, element, parent);
  // Marks are beside the words that they are for.
  return inner === "" || write === undefined ? content : content.replace(inner, () => write(inner, element, parent));
}

type Writer = (content: string, element: TreeElement, parent: TreeElement) => string;

function paragraph(content: string): string {
  return `\n\n${content}\n\n`;
}

/** Elements with content that is not written as other content is. */
const writers = new Map<string, (element: TreeElement) => string>([
  ["br", () => "  \n"],
  ["code", code],
  ["hr", () => "\n\n---\n\n"],
  ["pre", codeBlock],
  ["table", table],
]);

/** Writers of elements that Markdown has nothing for, by their one class. A field's facts are on one line. */
const byClass = new Map<string, Writer>([
  ["body", (content) => `${content}\n\n`],
  [
    "cut",
    (content, _, parent) =>
      childElements(parent).some(({ name }) => name === "div") ? `\n\n${content}` : `. ${content}`,
  ],
  [
    "description",
    (content, element) => (childElements(element)[0]?.name === "p" ? `. ${content}` : paragraph(content)),
  ],
  ["field", (content) => content],
  ["media-type", (content) => `\n\n${content} `],
  ["sentence", (content) => `: ${content}`],
  ["step", paragraph],
  ["type-line", (content) => content],
  ["values", (content) => ` · ${content}`],
]);

const marks = { b: "**", strong: "**", em: "*", i: "*", del: "~", s: "~" };

const byTag = new Map<string, Writer>([
  ...Object.entries(marks).map(([tag, mark]): [string, Writer] => [tag, (content) => mark + content + mark]),
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map((tag) => [tag, heading] as const),
  ["a", link],
  ["blockquote", (content) => paragraph(content.replaceAll(/^/gm, "> "))],
  ["dd", (content) => `${indent(content, 2)}\n`],
  ["div", (content, _, { name }) => (name === "dl" ? `\n${content}\n` : paragraph(content))],
  ["dt", (content) => `\n- ${content}: `],
  ["figcaption", (content) => paragraph(content.startsWith("#") ? content : `${content}:`)],
  ["li", listItem],
  ["ol", list],
  ["ul", list],
]);

function heading(content: string, { name }: TreeElement): string {
  // A number at the beginning makes no list there.
  const title = content.replaceAll(/\s*\n\s*/g, " ").replace(/^(\d+)\\/, "$1");
  return paragraph(`${"#".repeat(Number(name.slice(1)))} ${title}`);
}

function link(content: string, element: TreeElement): string {
  const [href, title] = [attributeOf(element, "href"), attributeOf(element, "title")];
  if (!href) return content;
  const target = href.replaceAll(/[<>()]/g, String.raw`\$&`).replaceAll(" ", "%20");
  return `[${content}](${target}${title ? ` "${title.replaceAll('"', String.raw`\"`)}"` : ""})`;
}

/** A list within another one makes no paragraphs of the outer one's items. */
function list(content: string, _: TreeElement, { name }: TreeElement): string {
  return name === "li" ? `\n${content}\n` : paragraph(content);
}

function listItem(content: string, element: TreeElement, parent: TreeElement): string {
  const number = Number(attributeOf(parent, "start") ?? 1) + childElements(parent).indexOf(element);
  const marker = parent.name === "ol" ? `${number}. ` : "- ";
  return `${marker}${indent(content, marker.length)}\n`;
}

function indent(text: string, width: number): string {
  return text.replaceAll(/\n(?=.)/g, `\n${" ".repeat(width)}`);
}

/** Its delimiters are longer than any within. */
function code(element: TreeElement): string {
  const text = innerText(element).replaceAll(/\r?\n/g, " ");
  const runs = new Set(text.match(/`+/g));
  let delimiter = "`";
  while (runs.has(delimiter)) delimiter += "`";
  const space = /^`|^ .*[^ ].* $|`$/.test(text) ? " " : "";
  return text.trim() === "" ? "" : delimiter + space + text + space + delimiter;
}

function codeBlock(element: TreeElement): string {
  const text = innerText(element).replace(/\n$/, "");
  const [inner = element] = childElements(element);
  const [, language = ""] = /language-(\S+)/.exec(attributeOf(inner, "class") ?? "") ?? [];
  const runs = (text.match(/^`{3,}/gm) ?? []).map(({ length }) => length + 1);
  const fence = "`".repeat(Math.max(3, ...runs));
  return paragraph([fence + language, text, fence].join("\n"));
}

/** The first row has the titles of the columns. */
function table(element: TreeElement): string {
  const parts = childElements(element).flatMap((part) => (part.name === "tr" ? part : childElements(part)));
  const [titles = [], ...rows] = parts.map((row) => childElements(row).map(tableCell));
  const lines = [titles, titles.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return paragraph(lines.join("\n"));
}

/** A cell has one line; the items of a list become parts of it. */
function tableCell(cell: TreeElement): string {
  return writeContent(cell)
    .trim()
    .replace(/^- /, "")
    .replaceAll(/\s*\n\s*- /g, ", ")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", String.raw`\|`);
}
