/** How a report is laid out: for a terminal, or as plain text. */
export interface TextStyle {
  /** The width of a line in characters. */
  readonly columns: number;
  /** Colors a part of the text. The report must make sense without color. */
  readonly paint: (emphasis: Emphasis, text: string) => string;
}

type Emphasis = "bold" | "dim" | "red" | "yellow" | "green" | "cyan";

/** For files, pages and pipes: without color, and with lines of any length. */
export const plainStyle: TextStyle = { columns: Infinity, paint: (_, text) => text };

/** Wraps a text of one line between its words, and indents its lines. A longer word has a line to itself. */
export function wrapText(text: string, { columns }: Pick<TextStyle, "columns">, indentation = ""): readonly string[] {
  return wrapWords(text.split(" "), columns - indentation.length).map((line) => indentation + line);
}

/** Joins words into lines of at most `width` characters. A longer word has a line to itself. */
export function wrapWords([first = "", ...others]: readonly string[], width: number): readonly string[] {
  const lines = [first];
  for (const word of others) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
