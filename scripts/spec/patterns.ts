/** Regular expressions of descriptions (JSON Schema 2020-12 Validation, section 6.3.3). */
export interface Pattern {
  readonly source: string;
  /**
   * Returns whether a text matches. Takes steps from a budget, by default from one of some 100 ms. Throws
   * {@link RangeError} if comparing the text may take too long.
   */
  readonly test: (text: string, spend?: Spend) => boolean;
}

/** Takes steps from a budget. Throws if there are none left. */
export type Spend = (steps: number) => void;

let limit: (expression: RegExp) => Pattern = (expression) => expression;

/**
 * Sets the function that limits expressions for which JavaScript may take exponential time: `limitSteps`. Servers and
 * pages whose contract has no such patterns leave it out, because it takes 1.7 kB. Until this is called, nothing is limited.
 */
export function limitPatterns(another: (expression: RegExp) => Pattern): void {
  limit = another;
}

/** Reads a pattern. Returns `undefined` if it isn't a regular expression. */
export function readPattern(source: unknown): Pattern | undefined {
  const expression = typeof source === "string" ? compilePattern(source) : undefined;
  return expression && limit(expression);
}

/** Patterns should be valid with the flag `u` (JSON Schema 2020-12 Validation, section 6.4), but some aren't. */
export function compilePattern(source: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {
      // It may be valid with other flags.
    }
  }
  return undefined;
}

/** Escapes except references to groups, classes of characters, and beginnings of groups. */
const plainParts = /\\[^1-9k]|\[(?:\\.|[^\]\\])*\]|\(\?:/gs;
/** Parts that JavaScript can match in several ways, and repeated groups, which multiply the ways in them. */
const choices = /\)[*+?{]|[*+?|\\]|\{(?:\d+,|\d{3})/g;

/** Returns whether it's evident that JavaScript takes linear time: there is one choice at most, and it isn't repeated for each place. */
export function isSimple(source: string): boolean {
  const [first, ...others] = source.replaceAll(plainParts, "").match(choices) ?? [];
  return others.length === 0 && (first === undefined || first === "|" || source.startsWith("^"));
}

/** Returns whether a text matches a pattern. `false` if comparing them may take too long. */
export function isMatching(source: string, text: string): boolean {
  try {
    return readPattern(source)?.test(text) ?? false;
  } catch {
    return false;
  }
}
