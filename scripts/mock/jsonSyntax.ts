/** Where a text stops being JSON (RFC 8259). Never any of the text itself: it may hold a secret. */
export interface SyntaxFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  readonly expected: string;
}

const space = /[ \t\n\r]*/y;
const scalar =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Finds the first fault of a text that `JSON.parse` refused. V8 names a position for some faults only, and for others
 * quotes the text.
 */
export function findSyntaxFault(text: string): SyntaxFault {
  const open: ("[" | "{")[] = [];
  let expected: "key" | "key or }" | "value" | "value or ]" | "end" = "value";
  let position = 0;
  const fault = (what: string): SyntaxFault => {
    const before = text.slice(0, position);
    return {
      line: before.split("\n").length,
      column: position - before.lastIndexOf("\n"),
      expected: position === text.length ? `${what}, where the text ends` : what,
    };
  };
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = position;
    const [match = ""] = pattern.exec(text) ?? [];
    position += match.length;
    return match;
  };
  for (;;) {
    take(space);
    const character = text.charAt(position);
    const innermost = open.at(-1);
    if (expected === "end") {
      if (innermost === undefined) {
        return fault("nothing more: one JSON value is enough");
      }
      const closing = innermost === "[" ? "]" : "}";
      if (character === ",") expected = innermost === "[" ? "value" : "key";
      else if (character === closing) open.pop();
      else return fault(`"," or "${closing}"`);
      position += 1;
    } else if ((expected === "value or ]" && character === "]") || (expected === "key or }" && character === "}")) {
      open.pop();
      position += 1;
      expected = "end";
    } else if (expected === "key" || expected === "key or }") {
      if (character !== '"' || take(scalar) === "") {
        return fault(expected === "key" ? "a name in double quotes" : 'a name in double quotes, or "}"');
      }
      take(space);
      if (text.charAt(position) !== ":") return fault('":"');
      position += 1;
      expected = "value";
    } else if (character === "[" || character === "{") {
      open.push(character);
      position += 1;
      expected = character === "[" ? "value or ]" : "key or }";
    } else {
      if (take(scalar) === "") return fault(expected === "value" ? "a value" : 'a value, or "]"');
      expected = "end";
    }
  }
}

/** Tells whether lists and objects are nested deeper than `limit` in a text that is JSON. */
export function isDeeperThan(text: string, limit: number): boolean {
  // Each level takes two characters, so short texts need no look.
  if (text.length <= 2 * limit) return false;
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
