import { flowText, raised } from "../parts/flowText.ts";
import { rootMark, type Flow, type FlowNode, type Link, type MarkTag } from "../parts/pageNodes.ts";
import { escapeMarkdown } from "../../values/markdown.ts";

/**
 * Inlines as Markdown, without surrounding whitespace. `page` is the URL of the page, against which links are
 * resolved.
 */
export function writeLine(inlines: Flow, page: URL): string {
  return writeInlines(inlines, page).trim();
}

function writeInlines(inlines: Flow, page: URL): string {
  let text = "";
  for (const node of inlines) {
    const part = typeof node === "string" ? escapeMarkdown(collapseSpace(node)) : writeInline(node, page);
    text += text.endsWith(" ") || text.endsWith("\n") ? part.trimStart() : part;
  }
  return text;
}

function writeInline(node: Exclude<FlowNode, string>, page: URL): string {
  switch (node.kind) {
    case "code":
      return writeCode(node.text);
    case "link":
      return writeLink(node, page);
    case "mark":
      return emphasize(raised(node.tag, writeInlines(node.children, page)), marks[node.tag] ?? "");
    case "span":
      return emphasize(writeInlines(node.children, page), node.isEmphasized === true ? "*" : "");
    case "name":
      return escapeMarkdown(node.text);
    case "endpoint":
      return writeCode(`${node.method.toUpperCase()} ${node.path}`);
    case "method":
      return node.method.toUpperCase();
    case "break":
      return "  \n";
    case "screen":
      return escapeMarkdown(node.text ?? "");
    default:
      // HTML allows blocks within a line of a description.
      return escapeMarkdown(flowText([node]));
  }
}

const marks: Partial<Readonly<Record<MarkTag, string>>> = { b: "**", strong: "**", em: "*", i: "*", del: "~", s: "~" };

/** Marks must be directly beside their words. */
function emphasize(text: string, mark: string): string {
  const words = text.trim();
  return words === "" ? text : text.replace(words, () => mark + words + mark);
}

/** The delimiter is longer than any within (CommonMark 0.31, section 6.1). */
export function writeCode(code: string): string {
  const text = code.replaceAll("\r", "").replaceAll("\n", " ");
  if (text.trim() === "") return "";
  let delimiter = "`";
  while (text.includes(delimiter)) delimiter += "`";
  const isOpen = text.startsWith("`") || text.endsWith("`") || (text.startsWith(" ") && text.endsWith(" "));
  const space = isOpen ? " " : "";
  return delimiter + space + text + space + delimiter;
}

function writeLink({ href, title, children }: Link, page: URL): string {
  const text = writeInlines(children, page);
  const target = resolveLink(href, page);
  if (target === undefined || text.trim() === "") return text;
  const about = title === undefined ? "" : ` "${title.replaceAll('"', String.raw`\"`)}"`;
  return `[${text}](${target.replaceAll(/[<>()]/g, String.raw`\$&`).replaceAll(" ", "%20")}${about})`;
}

/** Links lead to the Markdown of pages. `undefined` for a fragment. */
function resolveLink(href: string, page: URL): string | undefined {
  if (href.startsWith("#")) return undefined;
  const target = URL.parse(href.replace(rootMark, "/"), page);
  if (target?.protocol !== page.protocol) return href;
  const path = target.pathname.slice(1);
  return rootMark + path + (path === "" || path.endsWith("/") ? "index.md" : "");
}

function collapseSpace(text: string): string {
  return text.replaceAll(/[ \r\n\t]+/g, " ");
}
