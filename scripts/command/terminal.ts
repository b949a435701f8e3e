import { styleText } from "node:util";
import type { TextStyle } from "../contract/textStyle.ts";

/** The style of a report on a stream: a terminal's width and colors, unless `NO_COLOR` is set, or plain text. */
export function terminalStyle(stream: NodeJS.WriteStream): TextStyle {
  return {
    // A pipe or a file has no columns, whatever the types say.
    columns: stream.isTTY ? stream.columns : Infinity,
    paint: (emphasis, text) => styleText(emphasis, text, { stream }),
  };
}
