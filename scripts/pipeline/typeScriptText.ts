import { propertyName } from "../samples/javaScriptText.ts";

/** A doc comment, which may end with an example in TypeScript, as lines; empty if there is no text. */
export function docComment(text: string, example = "", indent = ""): string {
  if (text.trim() === "") return "";
  const lines = text
    .trim()
    .split("\n")
    .flatMap((line) => wrap(line, 115 - indent.length));
  const shown = example === "" ? [] : ["", "@example", ...example.split("\n")];
  return `/*${commentText([...lines, ...shown])}*/\n`.replaceAll(/^(?=.)/gm, indent);
}

/** Lines as a JSDoc comment, without its delimiters. */
export function commentText(lines: readonly string[]): string {
  const escaped = lines.map((line) => line.replaceAll("*/", "*\\/"));
  const [only, ...others] = escaped;
  if (others.length === 0) return `* ${only ?? ""} `;
  return ["*", ...escaped.map((line) => ` * ${line}`.trimEnd()), " "].join("\n");
}

/** The comment at the beginning of a module, with an example of the use of its exports. */
export function moduleComment(text: string, example: string): string {
  return `${docComment(`${text}\n\n@module`, example)}\n`;
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
