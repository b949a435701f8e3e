/** How a report is laid out: for a terminal, or as plain text. */
export interface TextStyle {
  /** The width of a line in characters. */
  readonly columns: number;
  /** Colors a part of the text. The report must make sense without color. */
  readonly paint: (emphasis: Emphasis, text: string) => string;
}

export type Emphasis = "bold" | "dim" | "red" | "yellow" | "green" | "cyan" | "magenta";

/** For files, pages and pipes: without color, and with lines of any length. */
export const plainStyle: TextStyle = { columns: Infinity, paint: (_, text) => text };

/** Wraps a text of one line between its words. `first` comes before the first line, and `others` before the others. */
export function wrapText(
  text: string,
  { columns }: Pick<TextStyle, "columns">,
  first = "",
  others = first,
): readonly string[] {
  const [word = "", ...words] = text.split(" ");
  return wrapWords([first + word, ...words], columns, others);
}

/**
 * Joins words into lines of at most `width` characters. A longer word has a line to itself. `indentation` comes before
 * each line but the first.
 */
export function wrapWords(
  [start = "", ...words]: readonly string[],
  width: number,
  indentation = "",
): readonly string[] {
  const lines = [start];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(indentation + word);
  }
  return lines;
}
