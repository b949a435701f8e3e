/** The syntax of regular expressions (ECMA-262, section 22.2.1), as nodes that can be followed. */

/** A step on the way through a regular expression. It has one of the first three, or only leads on. */
export interface PatternNode {
  readonly character?: CharacterTest;
  /** Matches a place without a character, such as `^`. */
  readonly place?: RegExp;
  /** What has to follow, or must not. */
  readonly ahead?: { readonly start: PatternNode; readonly isWanted: boolean };
  /** The nodes that may come next. */
  readonly next: readonly PatternNode[];
}

export interface CharacterTest {
  readonly expression: RegExp;
  /** The result for each character of ASCII. */
  readonly ascii: readonly boolean[];
  /** True if other characters may match. */
  readonly isWide: boolean;
}

/** The node where a text has matched. */
export const endNode: PatternNode = { next: [] };

/** A part of an expression. */
interface Part {
  /** Creates its nodes, which lead to another one. Throws {@link RangeError} if they can't be followed. */
  readonly link: (next: PatternNode) => PatternNode;
  /** The number of nodes, at most. */
  readonly size: number;
  /** The number of characters in the longest text that it matches. */
  readonly longest: number;
  /** True if it matches only at the beginning of a text. */
  readonly isAnchored?: boolean;
}

/** A part with its source after the opening parenthesis. */
interface Group extends Part {
  readonly source: string;
}

const mostNodes = 10_000;

/** The source of each part. `[...]` is a part, and so is the beginning of a group. */
const partSources = [
  /\\x[\da-f]{2}|\\u[\da-f]{4}|\\c[a-z]|\\\d+|\\./,
  /\[(?:\\.|[^\]\\])*\]/,
  /\(\?(?:<?[=!]|<[^>]+>|[-ims]*:)/,
  /[*+?]\??|\{\d+(?:,\d*)?\}\??/,
  /./,
];

/** Further ones, with the flag `u`. */
const unicodeSources = [/\\[pu]\{[^}]*\}/, /\\ud[89ab]..\\ud[c-f]../];

/** Reads the parts of a regular expression, whose only flag may be `u`. */
export function readPatternParts({ source, flags }: RegExp): Part {
  const sources = [...(flags === "u" ? unicodeSources : []), ...partSources].map((one) => one.source);
  const parts = source.match(new RegExp(sources.join("|"), `gis${flags}`)) ?? [];
  return readGroup(parts.values(), `${flags}y`);
}

/** Reads up to the end of a group, or of the expression. */
function readGroup(parts: Iterator<string, undefined>, flags: string): Group {
  const alternatives: Part[][] = [[]];
  let source = "";
  for (let { value: part } = parts.next(); part !== undefined; { value: part } = parts.next()) {
    source += part;
    if (part === ")") break;
    const current = alternatives.at(-1) ?? [];
    if (part === "|") alternatives.push([]);
    else if (part.startsWith("(")) {
      const group = readGroup(parts, flags);
      source += group.source;
      current.push(enclose(part, group, flags));
    } else if (/^(?:[*+?]|\{.)/.test(part)) current.push(repeat(current.pop() ?? sequenceOf([]), part));
    else current.push(single(part, flags));
  }
  const all = alternatives.map(sequenceOf);
  return {
    source,
    size: sumOf(all, "size"),
    longest: Math.max(...all.map(({ longest }) => longest)),
    isAnchored: all.every(({ isAnchored }) => isAnchored),
    link: (next) => ({ next: all.map(({ link }) => link(next)) }),
  };
}

function sequenceOf(parts: readonly Part[]): Part {
  return {
    size: sumOf(parts, "size"),
    longest: sumOf(parts, "longest"),
    isAnchored: parts[0]?.isAnchored ?? false,
    link: (next) => parts.reduceRight((after, { link }) => link(after), next),
  };
}

function sumOf(parts: readonly Part[], count: "size" | "longest"): number {
  return parts.reduce((sum, part) => sum + part[count], 1);
}

/** A part without other parts. */
function single(source: string, flags: string): Part {
  // References to earlier groups, and octal numbers.
  if (/^\\[k\d]/.test(source) && source !== "\\0") return unfollowed;
  const expression = new RegExp(source, flags);
  if (/^(?:[\^$]|\\b)$/i.test(source)) return placeOf(expression, source === "^");
  const ascii = Array.from({ length: 128 }, (_, code) => matchesAt(expression, String.fromCharCode(code), 0));
  const isWide = /^(?:\.|\[\^)|\\[DPSWpsux]|[^\0-\x7f]/.test(source);
  const character = { expression, ascii, isWide };
  return { size: 1, longest: 1, link: (next) => ({ character, next: [next] }) };
}

function placeOf(place: RegExp, isAnchored = false): Part {
  return { size: 1, longest: 0, isAnchored, link: (next) => ({ place, next: [next] }) };
}

/** Returns whether a sticky expression matches at a place. */
export function matchesAt(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at;
  return expression.test(text);
}

const unfollowed: Part = {
  size: 1,
  longest: Infinity,
  link: () => {
    throw new RangeError("JavaScript may take too long for the pattern");
  },
};

/** Short enough to be compared by JavaScript at each place. */
const shortest = 8;

/** A group, or an assertion about what follows or precedes. */
function enclose(beginning: string, group: Group, flags: string): Part {
  if (/[ims-]+:$/.test(beginning)) return unfollowed;
  if (!/[=!]$/.test(beginning)) return group;
  if (beginning.startsWith("(?<"))
    return group.longest <= shortest ? placeOf(new RegExp(beginning + group.source, flags)) : unfollowed;
  const isWanted = beginning.endsWith("=");
  const link = (next: PatternNode) => ({ ahead: { start: group.link(endNode), isWanted }, next: [next] });
  return { size: group.size, longest: 0, link };
}

/** Repeats a part by its quantifier. */
function repeat(part: Part, quantifier: string): Part {
  const [least, most] = limitsOf(quantifier);
  const size = (part.size + 1) * (most === Infinity ? least + 1 : most);
  if (size > mostNodes) return unfollowed;
  const link = (next: PatternNode) => {
    let node = next;
    if (most === Infinity) {
      const after: PatternNode[] = [next];
      node = { next: after };
      after.push(part.link(node));
    } else for (let time = least; time < most; time += 1) node = { next: [part.link(node), next] };
    for (let time = 0; time < least; time += 1) node = part.link(node);
    return node;
  };
  return { size, longest: most * part.longest, link };
}

/** How often a part is repeated at least and at most. */
function limitsOf(quantifier: string): readonly [least: number, most: number] {
  if (!quantifier.startsWith("{"))
    return [quantifier.startsWith("+") ? 1 : 0, quantifier.startsWith("?") ? 1 : Infinity];
  const [least = "", most = least] = quantifier.slice(1, quantifier.indexOf("}")).split(",");
  return [Number(least), most === "" ? Infinity : Number(most)];
}
