import { jsonPointer, parseJson } from "./json.ts";

/** Deeper values are not looked for: each level takes room on the stack. */
const maximumDepth = 500;

/** The tokens of a JSON text. Strings are read by hand: a repetition takes room on the stack for each of its characters. */
function* tokensOf(text: string) {
  const start = /["[\]{}:,]|[^[\]{}:," \t\r\n]{1,65536}/g;
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    let end = start.lastIndex;
    if (match[0] === '"') {
      while (end < text.length && text[end] !== '"' && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
      start.lastIndex = end += 1;
    }
    yield { offset: match.index, text: text.slice(match.index, end) };
  }
}

/**
 * Finds what `JSON.parse` does not tell of a JSON text, as offsets: where each value begins, by its JSON Pointer, for
 * `onValue`; and where the text ceases to be JSON, and what should be there, which is `undefined` if it does not.
 */
export function readJsonPlaces(text: string, onValue?: (pointer: string, offset: number) => void) {
  const tokens = tokensOf(text);
  let end: { readonly offset: number; readonly expected: string } | undefined;
  let current = tokens.next().value;
  const token = () => current?.text ?? "";
  const offset = () => current?.offset ?? text.trimEnd().length;

  const skip = (isThere: boolean): boolean => {
    if (isThere) current = tokens.next().value;
    return isThere;
  };
  const expect = (isThere: boolean, expected: string): boolean => {
    if (!isThere) end ??= { offset: offset(), expected };
    return skip(isThere);
  };
  const readMembers = (bracket: string, readMember: (index: number) => boolean): boolean => {
    if (skip(token() === bracket)) return true;
    const separator = `“,” or “${bracket}”`;
    for (let index = 0; readMember(index); index += 1) {
      if (skip(token() === bracket)) return true;
      if (!expect(token() === ",", separator)) break;
    }
    return false;
  };
  const inside = (pointer: string, key: string) => (onValue === undefined ? "" : pointer + jsonPointer([key]));
  const readValue = (pointer: string, depth: number): boolean => {
    if (depth > maximumDepth) return expect(false, "fewer brackets");
    onValue?.(pointer, offset());
    if (skip(token() === "[")) return readMembers("]", (index) => readValue(inside(pointer, String(index)), depth + 1));
    if (!skip(token() === "{")) return expect(parseJson(token()) !== undefined, "a value");
    return readMembers("}", () => {
      const name = parseJson(token());
      if (!expect(typeof name === "string", "a name in double quotes")) return false;
      return expect(token() === ":", "“:”") && readValue(inside(pointer, String(name)), depth + 1);
    });
  };

  if (readValue("", 0)) expect(current === undefined, "the end of the text");
  return end;
}

/** Says where a text ceases to be JSON, and does not quote it, as V8 does: it may contain a secret. */
export function describeSyntaxError(text: string): string {
  const { offset, expected } = readJsonPlaces(text) ?? { offset: 0, expected: "JSON" };
  const lines = text.slice(0, offset).split("\n");
  return `is not JSON: at line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}, expected ${expected}`;
}
