/** Estimates the most steps that an attempt to match takes, for the length of a text. */
type Estimate = (length: number) => number;

/** The parts of a regular expression. `\p{L}` and `[...]` are one part each. */
const partOfPattern =
  /\\p\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|<\w+>|[-ims]*:))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gis;

const one: Estimate = () => 1;

/**
 * Estimates how many steps a backtracking engine needs at most to find that a text doesn't match a regular
 * expression: the number of ways to divide the text among its parts, from each position where it may begin.
 */
export function estimateSteps(pattern: string): Estimate {
  const parts = pattern.match(partOfPattern) ?? [];
  const ways = readAlternatives(parts.values());
  const isAnchored = pattern.startsWith("^") && !pattern.includes("|");
  return (length) => (isAnchored ? 1 : Math.max(1, length)) * ways(length);
}

/** Reads up to the end of a group, or of the expression. */
function readAlternatives(parts: Iterator<string, undefined>): Estimate {
  const alternatives: Estimate[][] = [[]];
  for (let { value: part } = parts.next(); part !== undefined && part !== ")"; { value: part } = parts.next()) {
    const current = alternatives.at(-1) ?? [];
    if (part === "|") alternatives.push([]);
    else if (part.startsWith("(")) current.push(readAlternatives(parts));
    else if ("*+?".includes(part.charAt(0)) || (part.startsWith("{") && part !== "{"))
      current.push(repeat(current.pop() ?? one, part));
    else current.push(one);
  }
  return (length) => alternatives.reduce((sum, all) => sum + all.reduce((ways, next) => ways * next(length), 1), 0);
}

/** Repeats a part by its quantifier. */
function repeat(part: Estimate, quantifier: string): Estimate {
  const [least = 0, written] = quantifier.startsWith("{")
    ? quantifier.slice(1, quantifier.indexOf("}")).split(",").map(Number)
    : [0];
  const isExact = quantifier.startsWith("{") && !quantifier.includes(",");
  const most = quantifier.startsWith("?") ? 1 : isExact ? least : written || Infinity;
  return (length) => {
    const times = Math.min(most, Math.max(length, least));
    return (times - Math.min(least, times) + 1) * part(length) ** times;
  };
}
