import { listInWords } from "../../values/text.ts";
import { curlSamples } from "../../samples/samples.ts";
import {
  blocksAndRuns,
  isBlock,
  rootMark,
  type Link,
  type MarkTag,
  isKind,
  type Alternatives,
  type Block,
  type BodyFields,
  type DefinitionList,
  type FieldNode,
  type Flow,
  type FlowNode,
  type List,
  type ListItem,
  type Panel,
  type Row,
  type SectionNode,
  type Table,
  type ValueNode,
} from "../parts/pageNodes.ts";
import { flowText, raised } from "../parts/flowText.ts";
import { codeFence, escapeMarkdown } from "../../values/markdown.ts";

/**
 * A flow as Markdown, with a blank line between blocks. Links within the site begin with `rootMark`, and lead
 * to the Markdown of pages, which has no anchors. `path` is the page's.
 */
export function writeMarkdown(flow: Flow, path: string): string {
  return writeBlocks(flow, new URL(path, siteBase)).join("\n\n");
}

/** Text within a line as Markdown, as for {@link writeMarkdown}. */
export function writeInlineMarkdown(flow: Flow, path: string): string {
  return writeLine(flow, new URL(path, siteBase));
}

/** Represents the site's root while links are resolved. */
const siteBase = "site:///";

/** The text of each block. Inlines beside blocks form a block. */
function writeBlocks(flow: Flow, page: URL): readonly string[] {
  const blocks = blocksAndRuns(flow).flatMap((part) =>
    "kind" in part ? writeBlock(part, page) : writeLine(part, page),
  );
  return blocks.filter((block) => block !== "");
}

function writeBlock(block: Block, page: URL): readonly string[] {
  switch (block.kind) {
    case "paragraph":
      return [writeLine(block.children, page)];
    case "section":
      return [writeHeading(block, page), ...writeBlocks(block.children, page)];
    case "division":
    case "shared":
      return writeBlocks(block.children, page);
    case "folded":
      return [writeLine(block.summary, page), ...writeBlocks(block.children, page)];
    case "list":
      return [writeList(block, page)];
    case "definitions":
      return [block.definitions.map((definition) => writeDefinition(definition, page)).join("\n")];
    case "fields":
      return [block.fields.map((field) => writeField(field, page)).join("\n")];
    case "alternatives":
      return writeAlternatives(block, page);
    case "body":
      return writeBody(block, page);
    case "table":
      return [writeTable(block, page)];
    case "codeBlock":
      return [writeCodeBlock(block.source, block.language)];
    case "panel":
      return writePanel(block, page);
    case "samples":
      return curlSamples(block.samples).flatMap(({ label, highlight, source }) => [
        `${escapeMarkdown(label)}:`,
        writeCodeBlock(source, highlight),
      ]);
    case "quote":
      return [`> ${writeBlocks(block.children, page).join("\n\n").replaceAll("\n", "\n> ")}`];
    case "rule":
      return ["---"];
  }
}

function writeHeading({ level, heading, marks = [] }: SectionNode, page: URL): string {
  return `${"#".repeat(level)} ${onOneLine(writeLine([...heading, ...marks], page))}`;
}

function writeList({ items, start }: List, page: URL): string {
  return items
    .map((item, index) => writeItem(item, start === undefined ? "- " : `${String(start + index)}. `, page))
    .join("\n");
}

function writeItem({ children, sentence }: ListItem, marker: string, page: URL): string {
  // Without paragraphs, a list directly after a text wouldn't be a separate block (CommonMark 0.31, section
  // 5.3).
  const isLoose = children.some((node) => isKind(node, "paragraph"));
  const text = writeBlocks(children, page).join(isLoose ? "\n\n" : "\n");
  const end = sentence === undefined || sentence === "" ? "" : `: ${escapeMarkdown(sentence)}`;
  return marker + indentLines(text + end, marker.length);
}

function writeDefinition({ term, children }: DefinitionList["definitions"][number], page: URL): string {
  const text = writeBlocks(children, page).join("\n\n");
  return `- ${writeLine(term, page)}: ${indentLines(text, 2)}`;
}

function writeField(field: FieldNode, page: URL): string {
  const { line, rest, lists } = writeValue(field, page);
  const text = `${writeCode(field.name)} ${line}`;
  const isList = rest.length === 0 && field.inner.every((node) => isKind(node, "fields"));
  return `- ${indentLines([text, ...rest, ...lists].join(isList ? "\n" : "\n\n"), 2)}`;
}

/** Each alternative below its title, with a list of its fields. */
function writeAlternatives({ alternatives }: Alternatives, page: URL): readonly string[] {
  return alternatives.flatMap((alternative) => {
    const { line, rest, lists } = writeValue(alternative, page);
    return [`**${escapeMarkdown(alternative.title)}:** ${line}`, ...rest, ...lists];
  });
}

function writeBody(body: BodyFields, page: URL): readonly string[] {
  const { line, rest, lists } = writeValue(body, page);
  const mediaTypes = listInWords(body.mediaTypes.map(writeCode), "disjunction");
  return [mediaTypes === "" ? line : `${mediaTypes} ${line}`, ...rest, ...lists];
}

/**
 * The line of a value, which ends with the first paragraph of its description, then the rest of the
 * description, and then the inner part.
 */
function writeValue({ facts, values, description, inner }: ValueNode, page: URL) {
  const line = [writeLine(facts, page), writeLine(values, page)].filter((part) => part !== "").join(" · ");
  const told = [...description, ...inner.filter((node) => !hasFields(node))];
  const [first, ...others] = told;
  const beginsWithText = first !== undefined && (!isBlock(first) || isKind(first, "paragraph"));
  return {
    line: beginsWithText ? `${line}. ${writeBlocks([first], page).join(" ")}` : line,
    rest: writeBlocks(beginsWithText ? others : told, page),
    lists: writeBlocks(inner.filter(hasFields), page),
  };
}

function hasFields(node: FlowNode): boolean {
  return isKind(node, "fields") || isKind(node, "alternatives");
}

/** Markdown has no tables without titles. In them, the first row is the titles. */
function writeTable({ titles, rows }: Table, page: URL): string {
  const [header = "", ...others] = [...(titles.length === 0 ? [] : [{ cells: titles }]), ...rows].map((row) =>
    writeRow(row, page),
  );
  const rule = "| --- ".repeat(Math.max(titles.length, rows[0]?.cells.length ?? 0));
  return [header, `${rule}|`, ...others].join("\n");
}

function writeRow({ cells }: Row, page: URL): string {
  const texts = cells.map(({ children }) => onOneLine(writeCell(children, page)).replaceAll("|", String.raw`\|`));
  return `| ${texts.join(" | ")} |`;
}

/** A cell can't contain blocks. They become parts of its line, with commas between the items of a list. */
function writeCell(flow: Flow, page: URL): string {
  const parts = blocksAndRuns(flow).map((part) => {
    if (!("kind" in part)) return writeLine(part, page);
    if (part.kind === "list") return part.items.map(({ children }) => writeCell(children, page)).join(", ");
    return "children" in part ? writeCell(part.children, page) : writeBlock(part, page).join(" ");
  });
  return parts.filter((part) => part !== "").join(" ");
}

function writePanel({ caption, isHeading, code: { source, language } }: Panel, page: URL): readonly string[] {
  const text = writeLine(caption, page);
  return [isHeading ? `### ${text}` : `${text}:`, writeCodeBlock(source, language)];
}

function writeCodeBlock(source: string, language: string): string {
  const fence = codeFence(source, "```");
  return [fence + language, source, fence].join("\n");
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

function indentLines(text: string, width: number): string {
  return text.replaceAll(/\n(?=.)/g, `\n${" ".repeat(width)}`);
}

/**
 * Inlines as Markdown, without surrounding whitespace. `page` is the URL of the page, against which links are
 * resolved.
 */
function writeLine(inlines: Flow, page: URL): string {
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
function writeCode(code: string): string {
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
