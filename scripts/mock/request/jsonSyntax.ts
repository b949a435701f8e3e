import { printParseErrorCode, visit, type JSONVisitor } from "jsonc-parser";

/** What is expected, by the names that jsonc-parser (3.3) has for its absence. */
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
export function findFault(text: string, limit: number): string | undefined {
  let fault: string | undefined;
  /** What closes the arrays and objects that are open. */
  const closing: string[] = [];
  const stop = (what: string) => {
    fault = what;
    // Nothing else ends `visit`, which recurses: a few thousand levels overflow the stack.
    throw new Error(what);
  };
  const open = (bracket: string) => {
    if (closing.push(bracket) > limit) stop(`is nested deeper than ${limit} levels`);
  };
  const close = () => {
    closing.pop();
  };
  const visitor: JSONVisitor = {
    onArrayBegin: () => {
      open("]");
    },
    onArrayEnd: close,
    onObjectBegin: () => {
      open("}");
    },
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
    if (fault === undefined) throw error;
  }
  return fault;
}
