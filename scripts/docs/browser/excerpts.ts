/* What a result of the search says, for the dialog of the site and for agents. */
import { splitIdentifier } from "../model/addresses.ts";
import { termOf, type FoundPage } from "./findPages.ts";

/** An excerpt begins as many characters before its first mark, at most. */
const maximumLead = 60;

/** The words of a text, and what is between them. */
export const pieces = /[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu;

/** Says what does not fit: words that are missing, or that an operation only mentions because it is about something else. */
export function fitText({ mentioned, isPartial }: FoundPage): string {
  if (isPartial) return "some of the words";
  return mentioned.length === 0 ? "" : `only mentions ${mentioned.map((word) => `“${word}”`).join(", ")}`;
}

/** What has most of the asked words that are not `shown`; else the beginning, if there is no method and path. */
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
