import { propertyName } from "../samples/javaScriptText.ts";

/** The lines of a doc comment, which may end with an example in TypeScript; none if there is no text. */
export function docComment(text: string, { indent = "", example = "" } = {}): string[] {
  if (text.trim() === "") return [];
  const prose = text.trim().split("\n");
  const lines = [
    ...prose.flatMap((line) => wrap(line, 115 - indent.length)),
    ...(example === "" ? [] : ["", "@example", ...example.split("\n")]),
  ].map((line) => line.replaceAll("*/", "*\\/"));
  return lines.length === 1
    ? [`${indent}/** ${lines.join("")} */`]
    : [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

/** The comment at the beginning of a module, with an example of the use of its exports. */
export function moduleComment(text: string, example: string): string {
  return `${docComment(`${text}\n\n@module`, { example }).join("\n")}\n\n`;
}

/** The access to a member of an object, to be written after the object: `.name`. */
export function memberAccess(name: string): string {
  return propertyName(name) === name ? `.${name}` : `[${JSON.stringify(name)}]`;
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
