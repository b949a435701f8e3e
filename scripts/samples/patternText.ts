import { isMatching } from "../spec/patterns.ts";

/** Longer texts are of no use as samples. */
const maxLength = 1_000;
/** Parts of a pattern: a repetition, the beginning of a group, an escape, a class, or one character. */
const parts =
  /(?<repetition>(?:[?*+]|\{(?<least>\d+)(?<open>,)?(?<most>\d*)\})\??)|\((?:\?(?:<?[=!]|<[^>]*>|[-ims]*:))?|\\[pP]\{[^}]*\}|\\(?:u\{\w+\}|u\w{4}|x\w\w|.)|\[(?:\\.|[^\]\\])*\]|./gsu;
const assertions = ["^", "$", "\\b", "\\B"];

/**
 * A short text that matches a pattern: of the first alternatives, and with as few repetitions as the length allows. `undefined`
 * if that doesn't match, as with most assertions.
 */
export function patternText(pattern: string, minLength = 0): string | undefined {
  for (let more = 0; more <= Math.min(minLength, maxLength); more += 1) {
    const text = writeText(pattern, more);
    if (text === undefined) return undefined;
    if (text.length >= minLength) return isMatching(pattern, text) ? text : undefined;
  }
  return undefined;
}

/** A group that is being read. */
interface Group {
  readonly isAssertion: boolean;
  /** The text of its first alternative, once that is read. */
  first?: string;
  text: string;
  /** The text of its last part, which may be repeated. */
  last: string;
}

/** The text of a pattern, with some more repetitions where there is no limit. `undefined` if it's long. */
function writeText(pattern: string, more: number): string | undefined {
  const groups: Group[] = [{ isAssertion: false, text: "", last: "" }];
  for (const { 0: part, groups: { repetition, least, open, most } = {} } of pattern.matchAll(parts)) {
    const group = groups.at(-1);
    if (group === undefined || group.text.length > maxLength) return undefined;
    if (repetition !== undefined) {
      const isOptional = part.startsWith("?") || part.startsWith("*");
      const isOpen = least === undefined ? !part.startsWith("?") : open !== undefined && most === "";
      const times = (isOptional ? 0 : Number(least ?? 1)) + (isOpen ? more : 0);
      if (group.last.length * times > maxLength) return undefined;
      const before = group.text.slice(0, group.text.length - group.last.length);
      group.text = before + group.last.repeat(times);
      group.last = "";
    } else if (part === "|") {
      group.first ??= group.text;
      group.text = "";
    } else if (part.startsWith("(")) {
      groups.push({ isAssertion: /^\(\?<?[=!]/.test(part), text: "", last: "" });
    } else if (part === ")") {
      groups.pop();
      const outer = groups.at(-1);
      if (outer === undefined) return undefined;
      outer.last = group.isAssertion ? "" : (group.first ?? group.text);
      outer.text += outer.last;
    } else {
      group.last = assertions.includes(part) ? "" : characterOf(part);
      group.text += group.last;
    }
  }
  const [whole] = groups;
  return whole?.first ?? whole?.text;
}

/** Characters in most classes, before the others that samples may have. */
const characters = ["1", "a", "A", ...Array.from(" -_.:/@+#%&=?!~,;*'é")];

/** A character that a part of a pattern matches. */
function characterOf(part: string): string {
  const isPlain = part.length === 1 && part !== ".";
  if (isPlain) return part;
  const inside = part.startsWith("[") ? Array.from(part) : [part.slice(1)];
  return [...characters, ...inside].find((one) => isMatching(`^${part}$`, one)) ?? "";
}
