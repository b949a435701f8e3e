import { styleText } from "node:util";
import { escapeControls } from "../contract/text.ts";
import type { TextStyle } from "../contract/textStyle.ts";

/** The style of a report on a stream: a terminal's width and colors, unless `NO_COLOR` is set, or plain text. */
export function terminalStyle(stream: NodeJS.WriteStream): TextStyle {
  return {
    // A pipe or a file has no columns, whatever the types say.
    columns: stream.isTTY ? stream.columns : Infinity,
    paint: (emphasis, text) => styleText(emphasis, text, { stream }),
  };
}

/** What may stay in printed text: line breaks, tabs, and the sequences that begin or end an emphasis of {@link TextStyle}. */
const layout = /(\n|\t|\u001b\[(?:1|2|22|3[1-6]|39)m)/;

/**
 * Escapes what would control a terminal, as in JSON: text of others, such as names from a server, can be anywhere in what
 * a command prints. In JSON, such characters are only in strings, so it stays the same JSON.
 */
export function printable(text: string): string {
  // A separator that is captured stands at each odd place.
  return text
    .split(layout)
    .map((part, index) => (index % 2 === 1 ? part : escapeControls(part)))
    .join("");
}
