/** Compares texts in linear time with regular expressions for which JavaScript may take exponential time. */
import { endNode, matchesAt, readPatternParts, type CharacterTest, type PatternNode } from "./patternNodes.ts";
import { isSimple, type Pattern, type Spend } from "./patterns.ts";

/** The steps that a text may take, unless the caller has a budget. */
const mostSteps = 3_000_000;
/** JavaScript's own steps are this much faster than ours. */
const nativeSpeed = 64;

/** Limits the steps of a regular expression, whose only flag may be `u`. JavaScript runs those that are evidently fast. */
export function limitSteps(expression: RegExp): Pattern {
  if (isSimple(expression.source)) return expression;
  const { isAnchored = false, longest, link } = readPatternParts(expression);
  let start: PatternNode | undefined;
  let isPlain: boolean | undefined;
  const test = (text: string, spend = spendingUpTo(mostSteps)) => {
    const { length } = text;
    start ??= link(endNode);
    isPlain ??= isDeterministic(start);
    const steps = isPlain ? length * (isAnchored ? 1 : Math.min(longest, length)) : Infinity;
    if (steps > 1_000 + nativeSpeed * length)
      return search(text, 0, { start, isAnchored, isUnicode: expression.unicode, spend });
    spend(Math.floor(steps / nativeSpeed));
    return expression.test(text);
  };
  return { source: expression.source, test };
}

/** Returns whether texts can be compared with a regular expression in limited time. */
export function canLimitSteps(expression: RegExp): boolean {
  if (isSimple(expression.source)) return true;
  try {
    readPatternParts(expression).link(endNode);
    return true;
  } catch {
    return false;
  }
}

function spendingUpTo(most: number): Spend {
  let left = most;
  return (steps) => {
    left -= steps;
    if (left < 0) throw new RangeError("comparing the text with the pattern takes too long");
  };
}

/**
 * Returns whether each character leaves at most one way to go on, so that JavaScript never has to go back and try
 * another one.
 */
function isDeterministic(start: PatternNode): boolean {
  const nodes = new Set([start]);
  // Nodes added during the iterations are visited too.
  for (const { next } of nodes) {
    const reached: PatternNode[] = [];
    const ways = [...next];
    for (const node of ways) {
      if (node.ahead || reached.includes(node) || reached.some((other) => overlap(node, other))) return false;
      reached.push(node);
      if (node.character) nodes.add(node);
      else ways.push(...node.next);
    }
  }
  return true;
}

/** Returns whether two nodes may accept the same character. */
function overlap({ character: one }: PatternNode, { character: other }: PatternNode): boolean {
  if (!one || !other) return false;
  return (one.isWide && other.isWide) || one.ascii.some((isAccepted, code) => isAccepted && other.ascii[code]);
}

interface Search {
  readonly start: PatternNode;
  readonly isAnchored: boolean;
  readonly isUnicode: boolean;
  readonly spend: Spend;
}

/** Follows all ways through the nodes at the same time, character by character. */
function search(text: string, from: number, options: Search): boolean {
  const { start, isAnchored, isUnicode, spend } = options;
  let active = new Set([start]);
  for (let at = from; active.size > 0; at += 1) {
    const following = new Set<PatternNode>();
    for (const node of active) {
      if (node === endNode) return true;
      const { character, place, ahead, next } = node;
      if (place && !matchesAt(place, text, at)) continue;
      if (ahead && search(text, at, { ...options, start: ahead.start, isAnchored: true }) !== ahead.isWanted) continue;
      if (character && !accepts(character, text, at)) continue;
      for (const one of next) (character ? following : active).add(one);
    }
    spend(active.size);
    if (at >= text.length) return false;
    if (isUnicode && (text.codePointAt(at) ?? 0) > 0xffff) at += 1;
    if (!isAnchored) following.add(start);
    active = following;
  }
  return false;
}

function accepts({ ascii, expression }: CharacterTest, text: string, at: number): boolean {
  return ascii[text.charCodeAt(at)] ?? matchesAt(expression, text, at);
}
