import { separateWords } from "../model/addresses.ts";
import { element } from "./elements.ts";
import { termOf, type FoundPage } from "./findPages.ts";

/** An excerpt begins as many characters before its first mark, at most. */
const maximumLead = 60;

/** Words, and what is between them. */
const pieces = /[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu;

/** Text in which the words that were asked for are marked; of an identifier, only the parts that were. */
export function markTerms(text: string, terms: readonly string[]): readonly (Node | string)[] {
  return (text.match(pieces) ?? [])
    .flatMap((word) => (terms.includes(termOf(word)) ? word : separateWords(word).split(/(?<=\S) (?=\S)/)))
    .map((piece) => (terms.includes(termOf(piece)) ? element("mark", {}, piece) : piece));
}

/**
 * What of a page has most of the words that were asked for and that are not `shown` already. If none
 * has any, it is the beginning of what has no method and path to show.
 */
export function excerptOf({ blocks, names = "", endpoint, terms }: FoundPage, shown: string): string {
  const known = termsIn(shown, terms);
  const asked = terms.filter((term) => !known.includes(term));
  const ownNames = names.split("\n").filter((name) => termsIn(name, asked).length > 0);
  const candidates = [...blocks, ownNames.join(", ")].map((text) => ({ text, count: termsIn(text, asked).length }));
  const [best = { text: "", count: 0 }] = candidates.toSorted((a, b) => b.count - a.count);
  if (best.count === 0) return endpoint === undefined ? (blocks[0] ?? "") : "";
  const first = best.text.search(new RegExp(asked.join("|"), "i"));
  const start = best.text.lastIndexOf(" ", Math.max(0, first - maximumLead)) + 1;
  return first <= maximumLead ? best.text : `… ${best.text.slice(start)}`;
}

/** Those of some terms that a text has. */
function termsIn(text: string, terms: readonly string[]): readonly string[] {
  const words = (text.match(pieces) ?? []).flatMap((word) => [word, ...separateWords(word).split(" ")]).map(termOf);
  return terms.filter((term) => words.includes(term));
}
