import { Marked } from "marked";

/** Blocks of Markdown one after another. Those that are empty or `undefined` are left out. */
export function joinBlocks(blocks: readonly (string | undefined)[]): string {
  return blocks
    .map((block) => block?.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd())
    .filter((block) => block !== undefined && block !== "")
    .join("\n\n");
}

/** Text in which nothing is a mark (CommonMark 0.31, section 2.4), on one line. */
export function escapeMarkdown(text: string): string {
  if (/^[A-Za-z\d,.:;/]*$/.test(text)) return text;
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_[\]<~|]|&(?=#?\w+;)/g, String.raw`\$&`)
    .replace(/^(?:[-+>](?=\s)|#+(?=\s|$))/, String.raw`\$&`);
}

/** Text as code within a line, whatever backticks it has (CommonMark 0.31, section 6.1). */
export function codeSpan(text: string): string {
  const ticks = "`".repeat(longestRun(text, "`") + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** A fenced code block, whatever fences it has inside. */
export function fencedCode(source: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(source, "`") + 1));
  return `${fence}${language}\n${source.trimEnd()}\n${fence}`;
}

/** A link whose text is plain. */
export function linkTo(text: string, address: string): string {
  return `[${escapeMarkdown(text)}](${address})`;
}

/** A list; an item may have several lines, or blocks. */
export function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${indentLines(item).trimStart()}`).join("\n");
}

/** Lines as they stand inside a list's item. */
function indentLines(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

/** Whether a text begins with a paragraph, which can go on where another one ends. */
export function beginsWithParagraph(markdown: string): boolean {
  return !/^\s*(?:[-*+>|#]|```|~~~|\d+[.)]\s|<|(?: {4}|\t))/.test(markdown);
}

/** A description whose headings become those of a section: the highest of them gets the given level. */
export function placeHeadings(markdown: string, level: number): string {
  if (!mayHaveHeadings.test(markdown)) return markdown;
  const tokens = lexer.lexer(markdown);
  const depths = tokens.flatMap((token) => (token.type === "heading" ? [Number(token["depth"])] : []));
  const shift = level - Math.min(...depths);
  return tokens
    .map((token) => {
      if (token.type !== "heading") return token.raw;
      const marks = "#".repeat(Math.min(6, Number(token["depth"]) + shift));
      const end = /\n*$/.exec(token.raw)?.[0] ?? "";
      return `${marks} ${String(token["text"]).replaceAll("\n", " ")}${end}`;
    })
    .join("");
}

/** A text with all headings some levels lower, down to the sixth. Those are the ones with number signs. */
export function demoteHeadings(markdown: string, levels: number): string {
  return markdown.replaceAll(fenceOrHeading, (match: string, _, marks: string | undefined) =>
    marks === undefined ? match : "#".repeat(Math.min(6, marks.length + levels)),
  );
}

/** A fenced code block, in which number signs are none of a heading, or the number signs of a heading. */
const fenceOrHeading = /^(`{3,}|~{3,}).*\n(?:.*\n)*?\1[`~]*[ \t]*$|^(#{1,6})(?=[ \t]|$)/gm;

const lexer = new Marked();

/** Number signs, or the underline of a heading. */
const mayHaveHeadings = /^ {0,3}(?:#{1,6}(?:\s|$)|=+\s*$|-+\s*$)/m;

function longestRun(text: string, character: string): number {
  let [longest, run] = [0, 0];
  for (const one of text) {
    run = one === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
