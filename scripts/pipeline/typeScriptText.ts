/** A doc comment's lines, or none if there is no text. */
export function docComment(text: string, indent = ""): string[] {
  if (text.trim() === "") return [];
  const lines = text
    .trim()
    .replaceAll("*/", "*\\/")
    .split("\n")
    .flatMap((line) => wrap(line, 115 - indent.length));
  return lines.length === 1
    ? [`${indent}/** ${lines.join("")} */`]
    : [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

/** A name in an import or export, under another one: `a as b`. */
export function renamed(name: string, other: string): string {
  return name === other ? name : `${name} as ${other}`;
}

/** A line in lines of at most `width` characters, unless a word is longer. */
function wrap(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const lines = [""];
  for (const word of line.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines.splice(-1, 1, last === "" ? word : `${last} ${word}`);
  }
  return lines;
}
