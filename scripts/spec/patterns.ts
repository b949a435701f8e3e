import { isObject, membersOf } from "../values/json.ts";

/** Regular expressions of descriptions (JSON Schema 2020-12 Validation, section 6.3.3). */
export interface Pattern {
  readonly source: string;
  /** False if JavaScript may take long for the pattern. No text is compared with it then. */
  readonly isCompared: boolean;
  /**
   * Returns whether a text matches, or `undefined` if it isn't compared. First takes from a budget the steps that JavaScript may
   * take. Throws if there are too few.
   */
  readonly test: (text: string, spend?: Spend) => boolean | undefined;
}

/** Takes steps from a budget. Throws if there are none left. */
export type Spend = (steps: number) => void;

/** The steps that a text may take, unless the caller has a budget. */
const maxSteps = 3_000_000;
/** JavaScript compares this many characters in one step of a validation. */
const charactersInStep = 64;

/** Reads a pattern. Returns `undefined` if it isn't a regular expression. */
export function readPattern(source: unknown): Pattern | undefined {
  const expression = typeof source === "string" ? compilePattern(source) : undefined;
  if (expression === undefined) return undefined;
  const cost = costOf(expression.source);
  const test = (text: string, spend: Spend = requireFew) => {
    if (cost === undefined) return undefined;
    spend(Math.floor((cost.text + cost.character * text.length) / charactersInStep));
    return expression.test(text);
  };
  return { source: expression.source, isCompared: cost !== undefined, test };
}

function requireFew(steps: number): void {
  // Who compares without a budget takes this as no match, and shows no message.
  if (steps > maxSteps) throw new RangeError();
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

/** Returns whether a value is a regular expression for which JavaScript may take long. */
export function isSlow(source: unknown): boolean {
  return readPattern(source)?.isCompared === false;
}

/** Returns whether no text is compared with a pattern: it isn't a regular expression, or JavaScript may take long for it. */
export function isUncompared(source: unknown): boolean {
  return source !== undefined && readPattern(source)?.isCompared !== true;
}

/** The keys to the patterns of a schema for which JavaScript may take long. */
export function slowPatterns(schema: unknown): readonly (readonly string[])[] {
  const { pattern, patternProperties } = isObject(schema) ? schema : {};
  const names = membersOf(patternProperties).map(([name]) => name);
  return [
    ...(isSlow(pattern) ? [["pattern"]] : []),
    ...names.filter(isSlow).map((name) => ["patternProperties", name]),
  ];
}

/** Returns whether a text matches a pattern. `false` if they aren't compared, or if that may take too long. */
export function isMatching(source: string, text: string): boolean {
  try {
    return readPattern(source)?.test(text) ?? false;
  } catch {
    return false;
  }
}

/** How many characters JavaScript compares at most: for each text, and for each character in it. */
interface Cost {
  readonly text: number;
  readonly character: number;
}

/** Escapes except references to groups, and classes of characters. */
const plainParts = /\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/gs;
/** The beginnings of groups and assertions. */
const openings = /\(\?(?:<?[=!]|<[^>]*>|[-ims]*:)/g;
/** Repetitions, after the end of a group if they repeat one, and references to groups. */
const repetitions = /(\)?)([?*+]|\{(\d+)(,?)(\d*)\})\??|\\/g;

/** The most ways through a pattern. */
const maxWays = 100;

/**
 * Returns what it costs at most to compare a text with a pattern, or `undefined` unless JavaScript evidently takes linear time.
 *
 * JavaScript tries all ways through a pattern in turn: at the beginning of the text if the pattern begins with `^`, and otherwise
 * at each character. Alternatives, `?` and repetitions up to `{0,9}` multiply the ways. A way compares at most as many characters
 * as the pattern has, plus those that numbers up to 99 repeat.
 *
 * If the pattern begins with `^`, one part may be endless: repeated more often or without limit, or a reference, which compares
 * the text of a group. It may end at each character, where the ways through the rest begin. A repeated group multiplies the ways
 * each time, so there must be only one.
 */
function costOf(source: string): Cost | undefined {
  const parts = source.replaceAll(plainParts, "a").replaceAll(openings, "(");
  const alternatives = countAlternatives(parts);
  let ways = alternatives.inGroups * alternatives.outside;
  let size = parts.length;
  let endless = 0;
  let isGroupRepeated = false;
  for (const [, closing, repetition, least, comma, limit] of parts.matchAll(repetitions)) {
    const most = comma === "" ? Number(least) : Number(limit === "" ? Infinity : limit);
    if (repetition === "?") ways *= 2;
    else if (closing === "" && most <= (comma === "" ? 99 : 9)) {
      ways *= most - Number(least) + 1;
      size += most;
    } else {
      endless += 1;
      isGroupRepeated ||= closing === ")";
    }
  }
  const isAnchored = source.startsWith("^") && alternatives.outside === 1;
  const isLinear = endless === 0 || (endless === 1 && isAnchored && !(isGroupRepeated && ways > 1));
  if (!isLinear || ways > maxWays) return undefined;
  const cost = ways * size;
  return { text: cost, character: isAnchored && endless === 0 ? 0 : cost };
}

/** Counts the alternatives outside of groups, and multiplies those in the groups. */
function countAlternatives(parts: string) {
  const open: number[] = [];
  let [outside, inGroups] = [1, 1];
  for (const [sign] of parts.matchAll(/[(|)]/g)) {
    if (sign === "(") {
      open.push(outside);
      outside = 1;
    } else if (sign === "|") outside += 1;
    else {
      inGroups *= outside;
      outside = open.pop() ?? 1;
    }
  }
  return { outside, inGroups };
}
