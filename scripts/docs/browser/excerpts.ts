/* Excerpts of search results, for the search dialog and for agents. */
import { splitIdentifier } from "../../values/text.ts";
import { termOf, type FoundPage } from "./findPages.ts";

/** The maximum number of characters before the first mark of an excerpt. */
const maximumLead = 60;

/** The words of a text, and the text between them. */
export const pieces = /[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu;

/** Says why a result may not fit: words are missing, or an operation about something else only mentions them. */
export function fitText({ mentioned, isPartial }: FoundPage): string {
  if (isPartial) return "some of the words";
  return mentioned.length === 0 ? "" : `only mentions ${mentioned.map((word) => `“${word}”`).join(", ")}`;
}

/** The text with the most words that aren't `shown`. Without any, the beginning, unless there is a method and path. */
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

function termsIn(text: string, terms: readonly string[]): readonly string[] {
  const words = (text.match(pieces) ?? []).flatMap((word) => [word, ...splitIdentifier(word)]).map(termOf);
  return terms.filter((term) => words.includes(term));
}
