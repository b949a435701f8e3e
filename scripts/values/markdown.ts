import { onOneLine } from "./text.ts";

/** Escapes all Markdown characters in a text (CommonMark 0.31, section 2.4). */
export function escapeMarkdown(text: string): string {
  if (!/[\\`*[\]~_<&]|^[-+>#=\d]/.test(text)) return text;
  return text
    .replaceAll(/[\\`*[\]~]|(?<!\w)_|_(?!\w)|<(?=[a-z/!?])|&(?=#?\w+;)/gi, String.raw`\$&`)
    .replace(/^(?:[-+](?=\s)|>|#+(?=\s|$)|=+$)/, String.raw`\$&`)
    .replace(/^\d+(?=[.)]\s)/, "$&\\");
}

/** Escapes a text on one line for a comment on GitHub, where a mention would notify people. */
export function escapeComment(text: string): string {
  return escapeMarkdown(onOneLine(text)).replaceAll("@", "@\u200b");
}

/** A text on one line as a code span in Markdown, even if it contains backticks. An empty line would end the span. */
export function codeSpan(given: string): string {
  const text = onOneLine(given);
  if (!text.includes("`")) return `\`${text}\``;
  const fence = codeFence(text, "``");
  return `${fence} ${text} ${fence}`;
}

/** The backticks around some code: more than the code has in a row, and at least those of `shortest`. */
export function codeFence(code: string, shortest: string): string {
  let fence = shortest;
  for (const [run] of code.matchAll(/`+/g)) if (run.length >= fence.length) fence = `${run}\``;
  return fence;
}

/** Escapes a text for a cell of a table in a comment, which a pipe would end. */
export function escapeCell(text: string): string {
  return escapeComment(text).replaceAll("|", String.raw`\|`);
}

/** Code in a cell. `\|` can't be written in a code span, so that becomes an element, without any character of Markdown. */
export function cellCode(code: string): string {
  if (!code.includes("|")) return codeSpan(code);
  return `<code>${onOneLine(code).replaceAll(/[^\w\s]/gu, (one) => `&#${one.codePointAt(0)};`)}</code>`;
}

/** The first paragraph of a Markdown text, on one line and without markup. Headings above it are left out. */
export function firstParagraph(markdown: string): string {
  const paragraphs = markdown.split(/\n\s*\n/).map((part) => part.replace(/^(?:\s*#{1,6}\s.*(?:\n|$))+/, ""));
  const paragraph = paragraphs.find((part) => part.trim() !== "") ?? "";
  return onOneLine(withoutLinks(paragraph)).replaceAll("*", "").replaceAll("`", "").trim();
}

/** A Markdown text with the texts of its links and pictures in place of them. */
export function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** The first sentence of a Markdown text, on one line and without markup. */
export function firstSentence(markdown: string): string {
  const paragraph = firstParagraph(markdown);
  return /^.*?[.!?](?=\s+[\p{L}\p{N}]|$)/u.exec(paragraph)?.[0] ?? paragraph;
}
