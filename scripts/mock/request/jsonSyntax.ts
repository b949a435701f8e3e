import { printParseErrorCode, visit, type JSONVisitor } from "jsonc-parser";

/** The syntax that is expected, by the names that jsonc-parser (3.3) has for its absence. */
const missing: Readonly<Record<string, string>> = {
  PropertyNameExpected: "a name in double quotes",
  ValueExpected: "a value",
  ColonExpected: '":"',
  CloseBraceExpected: '"," or "}"',
  CloseBracketExpected: '"," or "]"',
  EndOfFileExpected: "nothing more: one JSON value is enough",
};
const validToken = "text in double quotes, a number, true, false, null, or a closing bracket";

/**
 * Says why a text is not JSON (RFC 8259), or that it is nested deeper than `limit`; `undefined` if it is neither.
 * It never quotes the text, as V8 does, because that may contain a secret.
 */
export function findSyntaxError(text: string, limit: number): string | undefined {
  let found: string | undefined;
  /** The brackets that close the open arrays and objects. */
  const closing: string[] = [];
  const stop = (message: string) => {
    found = message;
    // Nothing else ends `visit`, which recurses: a few thousand levels overflow the stack.
    throw new Error(message);
  };
  const open = (bracket: string) => () => {
    if (closing.push(bracket) > limit) stop(`is nested deeper than ${limit} levels`);
  };
  const close = () => {
    closing.pop();
  };
  const visitor: JSONVisitor = {
    onArrayBegin: open("]"),
    onArrayEnd: close,
    onObjectBegin: open("}"),
    onObjectEnd: close,
    onError: (code, offset, _, line, column) => {
      const name = printParseErrorCode(code);
      const separator = name === "CommaExpected" ? `"," or "${closing.at(-1) ?? ""}"` : undefined;
      const end = offset === text.length ? ", but the text ends" : "";
      const expected = separator ?? missing[name] ?? validToken;
      stop(`is not JSON: at line ${line + 1}, column ${column + 1}, expected ${expected}${end}`);
    },
  };
  try {
    visit(text, visitor, { disallowComments: true });
  } catch (error) {
    if (found === undefined) throw error;
  }
  return found;
}
