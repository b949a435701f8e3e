import MiniSearch, { type Query as MiniSearchQuery, type SearchResult } from "minisearch";
import { methods } from "../../spec/openapi.ts";
import { escapeRegExp, isDigits, splitIdentifier, splitOnce, wordsIn } from "../../values/text.ts";
import { separateWords } from "../model/addresses.ts";
import type { Synonym } from "../model/guides.ts";

/** The search index of a site, or a part of it. */
export interface SearchIndex {
  /** The names of the generations, newest first. */
  readonly generations: readonly string[];
  readonly synonyms: readonly Synonym[];
  readonly entries: readonly SearchEntry[];
}

/** A page, or a section of one. */
export interface SearchEntry {
  readonly kind: keyof typeof kindBoosts;
  readonly title: string;
  /** The titles above a section. */
  readonly within?: string | undefined;
  /** Relative to the site's root. */
  readonly path: string;
  /** The text, with each paragraph, field or row on a separate line. */
  readonly blocks: readonly string[];
  readonly generation?: string | undefined;
  readonly group?: string | undefined;
  /** An operation's method and path: `GET /teams/{teamId}`. */
  readonly endpoint?: string | undefined;
  readonly operationId?: string | undefined;
  /** The names of all fields and schemas on a page, one on each line. */
  readonly names?: string | undefined;
  /** The ids of these names' places, one on each line. The line is empty for a name without a place. */
  readonly ids?: string | undefined;
}

/** An entry that matches a query. */
export type FoundPage = SearchEntry & {
  /** The words of the entry that match. */
  readonly terms: readonly string[];
  /** The words of the query that only the text of an operation mentions, but not its name. */
  readonly mentioned: readonly string[];
  /** True if it matches only some words of the query. */
  readonly isPartial: boolean;
};

export type PageFinder = Awaited<ReturnType<typeof prepareFinder>>;

/** The weights of matches, by the field of an entry. */
const wordBoosts = { title: 12, operationId: 12, endpoint: 8, names: 1, group: 2, within: 0.5, lead: 2, text: 1 };

/** The text of a page: its first paragraph, and all others. */
const textFields: ReadonlySet<string> = new Set(["lead", "text"]);

/** The weights of a title or name that equals the query: higher than any match of words. */
const wholeBoosts = { title: 400, operationId: 400, endpoint: 400, names: 40, group: 40 };

/** The weights of a title that begins with the query, and of a title that contains all its words. */
const [beginningBoost, titleBoost] = [{ title: 40 }, { title: 20 }];

/** The weights of pages: with equal matches, operations come first. */
const kindBoosts = { generation: 4, operation: 3, webhook: 3, group: 1, guide: 1, page: 1, schema: 1 };

/** The weights of operations by their methods: with equal matches, what reads comes before what deletes. */
const methodBoosts: Readonly<Record<string, number>> = { GET: 1.25, HEAD: 1.25, DELETE: 0.8 };

/** The weight of a title with all words of the query, above titles that only have words that begin like them. */
const wholeWordsBoost = 5;

/** The weights of sections: below those of pages. The boosts of a page don't apply to its sections. */
const sectionBoost = 0.7;

/** Long pages aren't ranked lower than short ones. */
const bm25 = { k: 1.2, b: 0.3, d: 0.5 };

/** Stop words. They count only in a query that has no other words. */
const commonWords = new Set(
  "a all an and are as at by can do for from how http i in is it my of on or the to what with".split(" "),
);

/** If fewer pages match all words of a query, those that match some words follow. */
const minimumFound = 4;

const articles = new Set(["a", "an", "the"]);

/** Indexes entries in small portions, so that the page stays responsive. */
export async function prepareFinder(index: SearchIndex) {
  const pages = new MiniSearch({
    fields: Object.keys(wordBoosts),
    // An identifier is indexed by its parts and as a whole (`teamId`: `team`, `Id`).
    tokenize: (text, field) => [
      ...(textFields.has(field ?? "") ? [] : text.split("\n").flatMap(wholesOf)),
      ...wordsIn(text).flatMap((word) => [...new Set([word, ...splitIdentifier(word)])]),
    ],
    processTerm: termOf,
  });
  const entries: SearchEntry[] = [];
  const add = async (more: readonly SearchEntry[]) => {
    const start = entries.length;
    entries.push(...more);
    // Readers may type the kind of page, such as guide or webhook.
    const documents = more.map((one, at) => {
      const [lead, ...blocks] = one.blocks;
      return { ...one, id: start + at, lead, text: `${blocks.join(" ")} ${one.kind}` };
    });
    await pages.addAllAsync(documents, { chunkSize: 20 });
  };
  await add(index.entries);
  return { ...index, entries, pages, add };
}

/** The term of a word in the index: in lower case, and without the `s` of a plural. */
export function termOf(word: string): string {
  return word.toLowerCase().replace(/(?<=\p{L}{2}[^sui])s$/u, "");
}

const requestPattern = new RegExp(String.raw`(?:^|\s)(?:(${methods.join("|")})\s+)?((?:https?:/)?/[^\s/]\S*)`, "i");

/**
 * The pages that match a request's method and path (`POST /teams/7`), or all words, best first. If there are few, pages
 * that match some words follow.
 */
export function findPages(finder: PageFinder, query: string, preferredGeneration?: string): readonly FoundPage[] {
  const { generations, synonyms } = finder;
  const [request = "", method, url] = requestPattern.exec(query) ?? [];
  const allWords = query.replace(request, " ").split(/\s+/);
  const named = generations.filter((name) => allWords.some((word) => isSame(word, name)));
  const generation = named.length === 1 ? named[0] : undefined;
  const words = allWords.filter((word) => !isSame(word, generation)).join(" ");
  const isEmpty = wordsIn(words).length === 0;
  if (isEmpty && generation === undefined && url === undefined) return [];

  const place = { generation, preferredGeneration };
  const ask = (fuzzy: number, combineWith: "AND" | "OR", isBegun = false) => {
    const asked = [words, ...synonyms.flatMap((synonym) => replaceSynonym(words, synonym, isBegun))];
    const queries = asked.flatMap((text) => wordsQueries(text, fuzzy, combineWith));
    // A misspelled word has no exact match.
    const wordLists = fuzzy === 0 ? asked.map(queryWords) : [];
    return search(finder, place, { queries }, { isPartial: combineWith === "OR", wordLists });
  };
  let found = isEmpty ? search(finder, place, MiniSearch.wildcard) : ask(0, "AND");
  // A query that names several generations searches all of them.
  if (found.length === 0 && named.length > 1) {
    return findPages(finder, allWords.filter((word) => !named.some((name) => isSame(word, name))).join(" "));
  }
  if (found.length === 0) found = ask(0, "AND", true);
  if (found.length === 0) found = ask(0.15, "AND");
  if (url !== undefined) return findByPath(found, method, url.replaceAll(/^https?:\/\/[^/]+|[?#].*/gi, ""));
  if (found.length < minimumFound && words.trim().includes(" ")) {
    const known = new Set(found.map(({ path }) => path));
    found = [...found, ...ask(0.15, "OR").filter(({ path }) => !known.has(path))];
  }
  return putOperationFirst(found);
}

/** The entries that MiniSearch finds in one generation or in all, best first. */
function search(
  { entries, generations, pages }: PageFinder,
  { generation, preferredGeneration }: Readonly<Record<"generation" | "preferredGeneration", string | undefined>>,
  query: MiniSearchQuery,
  { isPartial, wordLists }: { isPartial: boolean; wordLists: readonly (readonly string[])[] } = {
    isPartial: false,
    wordLists: [],
  },
): readonly FoundPage[] {
  // Of two equal matches, the one of the preferred generation comes first, then that of the newer one.
  const boostOf = ({ kind, generation: own = "", within, mentioned, endpoint }: FoundPage) => {
    const age = Math.max(0, generations.indexOf(own)) / generations.length;
    const pageBoost = isPartial || mentioned.length > 0 ? 1 : kindBoosts[kind];
    const boost = within === undefined ? pageBoost * methodBoost(endpoint) : sectionBoost / kindBoosts[kind];
    return boost * (own === preferredGeneration ? 2 : 1 / (1 + age));
  };
  const found = pages.search(query, { bm25 }).flatMap((result) => {
    const entry = entries[Number(result.id)];
    if (entry === undefined || (entry.generation ?? generation) !== (generation ?? entry.generation)) return [];
    // A section must match by its own text.
    const fields = Object.values(result.match).flat();
    if (entry.within !== undefined && !fields.some((field) => field === "title" || textFields.has(field))) return [];
    const mentioned = entry.endpoint === undefined ? [] : wordsOnlyMentioned(entry, result, wordLists);
    const page = { ...entry, terms: result.terms, mentioned, isPartial };
    const isPage = !isPartial && entry.within === undefined;
    const isWhole = isPage && wordsOf(result).every((word) => result.match[word]?.includes("title"));
    return [{ page, score: result.score * boostOf(page) * (isWhole ? wholeWordsBoost : 1) }];
  });
  return found.toSorted((a, b) => b.score - a.score).map(({ page }) => page);
}

function methodBoost(endpoint = ""): number {
  return methodBoosts[splitOnce(endpoint, " ")[0]] ?? 1;
}

/** The words of a query that an entry matches, without the keys of whole names. */
function wordsOf({ queryTerms }: SearchResult): readonly string[] {
  return queryTerms.filter((term) => !term.startsWith("<"));
}

/** Puts the operation that has a schema, or is in a group, before the page of that schema or group. */
function putOperationFirst(found: readonly FoundPage[]): readonly FoundPage[] {
  const [{ kind, title, within, generation, isPartial } = { title: "" }] = found;
  const leader = found.find(({ endpoint, ...one }) => {
    const isPart = kind === "group" ? one.group === title : one.names?.split("\n").includes(title);
    const isAlike = one.generation === generation && one.isPartial === isPartial;
    return isPart === true && endpoint !== undefined && within === undefined && isAlike;
  });
  return leader === undefined ? found : [...new Set([leader, ...found])];
}

/**
 * The words that an operation mentions somewhere, but neither as a field's name nor at the beginning of a word of its
 * title, path, group or first paragraph. If a query has several alternative lists of words, the best match counts.
 * Returns none if that list has a single word.
 */
function wordsOnlyMentioned(
  { names = "" }: SearchEntry,
  { match, queryTerms }: SearchResult,
  wordLists: readonly (readonly string[])[],
): readonly string[] {
  const named = Object.entries(match).filter(([, fields]) => fields.some((one) => one !== "text" && one !== "names"));
  const lists = wordLists.filter((words) => words.every((word) => queryTerms.includes(termOf(word))));
  const loose = lists.map((words) => {
    const others = words.filter((word) => !named.some(([term]) => term.startsWith(termOf(word))));
    return words.length === 1 ? [] : others.filter((word) => !hasName(names, word, words));
  });
  return loose.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** Checks whether a word is part of a name whose other words are in the query, too. */
function hasName(names: string, word: string, words: readonly string[]): boolean {
  const asked = new Set(words.map(termOf));
  const candidates = names.split("\n").filter((name) => name.toLowerCase().includes(termOf(word)));
  const parts = candidates.map((name) => wordsIn(separateWords(name)).map(termOf));
  return parts.some((own) => own.includes(termOf(word)) && own.every((one) => asked.has(one) || commonWords.has(one)));
}

/** Rewrites a query in the words of the docs. Empty if it doesn't contain the phrase, or, if allowed, its beginning. */
function replaceSynonym(query: string, [typed, meant]: Synonym, isBegun: boolean): readonly string[] {
  const [text = "", phrase = ""] = [query, typed].map((one) => ` ${wordsWithoutArticles(one).map(termOf).join(" ")} `);
  if (isBegun) return phrase.startsWith(text.trimEnd()) ? [meant] : [];
  return text.includes(phrase) ? [text.replace(phrase, ` ${meant} `)] : [];
}

/** Searches for all words, or any of them. Titles and names that equal the query or begin with it come first. */
function wordsQueries(text: string, fuzzy: number, combineWith: "AND" | "OR"): readonly MiniSearchQuery[] {
  const queries = [text];
  const fields = ["title"];
  const wholes = wholesOf(text);
  const beginnings = wholes.map((whole) => whole.slice(0, -1));
  const tokenize = () => queryWords(text).filter((word) => combineWith === "AND" || word.length > 2);
  // Numbers are matched exactly.
  const words = { queries, tokenize, prefix: (term: string) => !isDigits(term), fuzzy };
  return [
    { queries, boost: wholeBoosts, tokenize: () => wholes },
    { queries, fields, boost: beginningBoost, tokenize: () => beginnings, prefix: true },
    { ...words, fields, boost: titleBoost, combineWith: "AND" },
    { ...words, boost: wordBoosts, combineWith },
  ];
}

/**
 * The operations whose path equals, begins with or contains the path of a query. Values match parameters, except for
 * the first segment of a part. Paths with fewer other segments come first, then those with more equal segments.
 */
function findByPath(entries: readonly FoundPage[], method = "[a-z]+", path = ""): readonly FoundPage[] {
  const segments = path.toLowerCase().split("/").filter(Boolean);
  const patterns = segments.map((segment, at) => {
    const end = at === segments.length - 1 ? "" : "(?=/)";
    return `(?:/${escapeRegExp(segment)}${end}|${at === 0 ? "(?<= )" : ""}/\\{[^/]*)`;
  });
  const pattern = new RegExp(`^${method} .*${patterns.join("")}`, "i");
  const closeness = ({ endpoint = "" }: FoundPage) => {
    const own = endpoint.toLowerCase().split("/");
    return segments.filter((segment) => own.includes(segment)).length - 100 * own.length;
  };
  const meant = entries.filter(({ kind, endpoint = "" }) => kind === "operation" && pattern.test(endpoint));
  return meant.toSorted((a, b) => closeness(b) - closeness(a));
}

/** The words to search for. Stop words count within an identifier: `isManaged`. */
function queryWords(text: string): readonly string[] {
  const words = text.split(/\s+/);
  const telling = words.filter((word) => !commonWords.has(word.toLowerCase().replace(/[.,?!]$/, "")));
  return wordsIn(separateWords((telling.length === 0 ? words : telling).join(" ")));
}

/** The keys of a name in any spelling, `teamId` or `a Team ID`. The second one also matches `Team IDs`. */
export function wholesOf(text: string): string[] {
  const words = wordsWithoutArticles(text);
  return [words, words.map(termOf)].map((some) => `<${some.join("")}>`);
}

function wordsWithoutArticles(text: string): readonly string[] {
  const words = wordsIn(text);
  const others = words.filter((word) => !articles.has(word.toLowerCase()));
  return others.length === 0 ? words : others;
}

function isSame(a: string, b = ""): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
