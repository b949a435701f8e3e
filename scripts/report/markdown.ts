/* The elements of a comment on GitHub, whose text is escaped. */
import { cellCode, codeFence, codeSpan, escapeCell, escapeComment } from "../contract/escapeMarkdown.ts";
import type { Code } from "./phrase.ts";

/** A text in parts. `markdown` is written as it is. */
type Text = readonly (
  | string
  | Code
  | { readonly strong: string }
  | { readonly link: string; readonly url: string }
  | { readonly markdown: string }
)[];

/** An item of a list, with its own list, and a command at its end. */
export interface CommentItem {
  readonly text: Text;
  readonly items?: readonly CommentItem[];
  readonly command?: string;
}

export function inlineText(text: Text, ofText = escapeComment, ofCode = codeSpan): string {
  return text
    .map((part) => {
      if (typeof part === "string") return ofText(part);
      if ("code" in part) return ofCode(part.code);
      if ("markdown" in part) return part.markdown;
      return "strong" in part ? `**${ofText(part.strong)}**` : `[${ofText(part.link)}](<${part.url}>)`;
    })
    .join("");
}

export function bulletList(items: readonly CommentItem[], indentation = ""): string {
  const inner = `${indentation}  `;
  const lines = items.flatMap(({ text, items: own = [], command }) => [
    `${indentation}- ${inlineText(text)}`,
    ...(own.length === 0 ? [] : [bulletList(own, inner)]),
    ...(command === undefined ? [] : fenced(command, "sh").map((line) => inner + line)),
  ]);
  return lines.join("\n");
}

function fenced(code: string, language: string): readonly string[] {
  const fence = codeFence(code, "```");
  return [`${fence}${language}`, ...code.split("\n"), fence];
}

/** What the reader sees after opening its summary. GitHub renders Markdown in HTML only after an empty line. */
export function folded(summary: string, content: string): string {
  return `<details>\n<summary>${escapeComment(summary)}</summary>\n\n${content}\n\n</details>`;
}

/** A row of a table. Each cell has lines. */
export function tableRow(cells: readonly (readonly Text[])[]): string {
  const written = cells.map((lines) => lines.map((text) => inlineText(text, escapeCell, cellCode)).join("<br>"));
  return `| ${written.join(" | ")} |`;
}

/** A text whose words that begin with a slash are code, such as JSON Pointers. */
export function withPointers(text: string): Text {
  return text
    .split(" ")
    .flatMap((word, index) => [index === 0 ? "" : " ", word.startsWith("/") ? { code: word } : word]);
}
