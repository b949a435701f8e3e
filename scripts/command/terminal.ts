import { styleText } from "node:util";
import { escapeControlsInLines } from "../values/text.ts";
import type { TextStyle } from "../values/textStyle.ts";

const escape = "\u001b";

/**
 * Stands for {@link escape} in our own styles until they are printed. It's two random characters for private use, so
 * that no other text can contain a style.
 */
const styleMark = String.fromCharCode(
  ...crypto.getRandomValues(new Uint16Array(2)).map((one) => 0xe000 + (one % 6400)),
);

/** The style of a report on a stream: a terminal's width and colors, unless `NO_COLOR` is set, or plain text. */
export function terminalStyle(stream: NodeJS.WriteStream): TextStyle {
  return {
    // A pipe or a file has no columns, whatever the types say.
    columns: stream.isTTY ? stream.columns : Infinity,
    paint: (emphasis, text) => styleText(emphasis, text, { stream }).replaceAll(escape, styleMark),
  };
}

/** A text as it is printed: with our own styles, and everything else that could control a terminal escaped. */
export function printableText(text: string): string {
  return escapeControlsInLines(text).replaceAll(styleMark, escape);
}
