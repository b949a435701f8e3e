import { parseJson } from "../../spec/json.ts";
import { jsonPointer } from "../../spec/jsonPointer.ts";

/** Strings, brackets, separators, and what else stands between them. */
const tokenPattern = /"(?:[^"\\\n]|\\.)*"?|[[\]{}:,]|[^[\]{}:," \t\r\n]+/g;

/** Deeper values are not looked for: each level takes room on the stack. */
const maximumDepth = 500;

/**
 * Finds the places that `JSON.parse` does not tell of, as offsets in a JSON text: where each value begins, by its JSON
 * Pointer; and where the text ceases to be JSON, and what should be there.
 */
export function readJsonPlaces(text: string) {
  const values = new Map<string, number>();
  const tokens = [...text.matchAll(tokenPattern)];
  let end: { readonly offset: number; readonly expected: string } | undefined;
  let position = 0;
  const token = () => tokens[position]?.[0] ?? "";
  const offset = () => tokens[position]?.index ?? text.trimEnd().length;

  const skip = (isThere: boolean): boolean => {
    if (isThere) position += 1;
    return isThere;
  };
  const expect = (isThere: boolean, expected: string): boolean => {
    if (!isThere) end ??= { offset: offset(), expected };
    return skip(isThere);
  };
  const readMembers = (bracket: string, readMember: (index: number) => boolean): boolean => {
    if (skip(token() === bracket)) return true;
    for (let index = 0; readMember(index); index += 1) {
      if (skip(token() === bracket)) return true;
      if (!expect(token() === ",", `“,” or “${bracket}”`)) break;
    }
    return false;
  };
  const readValue = (pointer: string, depth: number): boolean => {
    if (depth > maximumDepth) return expect(false, "fewer brackets");
    values.set(pointer, offset());
    if (skip(token() === "[")) return readMembers("]", (index) => readValue(`${pointer}/${index}`, depth + 1));
    if (!skip(token() === "{")) return expect(parseJson(token()) !== undefined, "a value");
    return readMembers("}", () => {
      const name = parseJson(token());
      if (!expect(typeof name === "string", "a name in double quotes")) return false;
      return expect(token() === ":", "“:”") && readValue(`${pointer}${jsonPointer([String(name)])}`, depth + 1);
    });
  };

  if (readValue("", 0)) expect(position === tokens.length, "the end of the text");
  return { values, end };
}
