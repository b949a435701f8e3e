import { escapeControls } from "../contract/text.ts";
import { wrapText, type TextStyle } from "../contract/textStyle.ts";

/** A text as the lines of a paragraph for a terminal, which nothing in it controls. The arguments are those of {@link wrapText}. */
export function wrapParagraph(text: string, style: TextStyle, first = "", others = `${first}  `): readonly string[] {
  return wrapText(escapeControls(text), style, first, others);
}
