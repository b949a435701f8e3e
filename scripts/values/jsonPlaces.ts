import { jsonPointer, parseJson } from "./json.ts";

/** Limit of nesting, since each level takes room on the stack. */
const maximumDepth = 500;

const spaces = new Set<string | undefined>(" \t\r\n");
const delimiters = new Set<string | undefined>(' \t\r\n"[]{}:,');

/**
 * Finds offsets in a JSON text that `JSON.parse` doesn't report. Calls `onValue` with the start of each value
 * and its JSON Pointer. Returns the offset of the first syntax error, and what was expected there, or
 * `undefined` if there is no error.
 */
export function readJsonPlaces(text: string, onValue?: (pointer: string, offset: number) => void) {
  let end: { readonly offset: number; readonly expected: string } | undefined;
  let token = "";
  let [offset, after] = [0, 0];
  // Without regular expressions, whose repetitions take room on the stack for long tokens.
  const advance = () => {
    while (spaces.has(text[after])) after += 1;
    offset = after;
    after += 1;
    if (text[offset] === '"') {
      while (after < text.length && text[after] !== '"' && text[after] !== "\n") after += text[after] === "\\" ? 2 : 1;
      after += 1;
    } else if (!delimiters.has(text[offset])) while (after < text.length && !delimiters.has(text[after])) after += 1;
    token = text.slice(offset, after);
  };

  const skip = (isThere: boolean): boolean => {
    if (isThere) advance();
    return isThere;
  };
  const expect = (isThere: boolean, expected: string): boolean => {
    if (!isThere) end ??= { offset: token === "" ? text.trimEnd().length : offset, expected };
    return skip(isThere);
  };
  const readMembers = (bracket: string, readMember: (index: number) => boolean): boolean => {
    if (skip(token === bracket)) return true;
    const separator = `“,” or “${bracket}”`;
    for (let index = 0; readMember(index); index += 1) {
      if (skip(token === bracket)) return true;
      if (!expect(token === ",", separator)) break;
    }
    return false;
  };
  const inside = (pointer: string, key: unknown) => (onValue === undefined ? "" : pointer + jsonPointer([String(key)]));
  const readValue = (pointer: string, depth: number): boolean => {
    if (depth > maximumDepth) return expect(false, "fewer brackets");
    onValue?.(pointer, offset);
    if (skip(token === "[")) return readMembers("]", (index) => readValue(inside(pointer, index), depth + 1));
    if (!skip(token === "{")) return expect(parseJson(token) !== undefined, "a value");
    return readMembers("}", () => {
      const name = parseJson(token);
      if (!expect(typeof name === "string", "a name in double quotes")) return false;
      return expect(token === ":", "“:”") && readValue(inside(pointer, name), depth + 1);
    });
  };

  advance();
  if (readValue("", 0)) expect(token === "", "the end of the text");
  return end;
}

/**
 * Describes the first syntax error. Unlike V8's message, it doesn't quote the text, which may contain a
 * secret.
 */
export function describeSyntaxError(text: string): string {
  const { offset, expected } = readJsonPlaces(text) ?? { offset: 0, expected: "JSON" };
  let [line, start] = [1, 0];
  for (let next = text.indexOf("\n") + 1; next > 0 && next <= offset; next = text.indexOf("\n", next) + 1) {
    [line, start] = [line + 1, next];
  }
  return `is not JSON: at line ${line}, column ${offset - start + 1}, expected ${expected}`;
}
