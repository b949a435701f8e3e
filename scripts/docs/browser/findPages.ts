import MiniSearch, { type Query as MiniSearchQuery } from "minisearch";
import { methods } from "../../spec/openapi.ts";
import { escapeRegExp, isDigits } from "../../contract/text.ts";
import { separateWords, splitIdentifier } from "../model/addresses.ts";
import type { Synonym } from "../model/guides.ts";

/** The search's index of a site, or a part of it. */
export interface SearchIndex {
  /** The names of the generations, the newest first. */
  readonly generations: readonly string[];
  readonly synonyms: readonly Synonym[];
  readonly entries: readonly SearchEntry[];
}

/** A page, or a section of one. */
export interface SearchEntry {
  readonly kind: keyof typeof kindBoosts;
  readonly title: string;
  /** Of a section, the titles around it. */
  readonly within?: string | undefined;
  /** Relative to the site's root. */
  readonly path: string;
  /** What is said there, each paragraph, field or row on its own. */
  readonly blocks: readonly string[];
  readonly generation?: string | undefined;
  readonly group?: string | undefined;
  /** An operation's method and path: `GET /teams/{teamId}`. */
  readonly endpoint?: string | undefined;
  readonly operationId?: string | undefined;
  /** The names of all fields and schemas on a page, each on a line. */
  readonly names?: string | undefined;
  /** The ids of the places that have these names, each on a line, which is empty for a name that has none. */
  readonly ids?: string | undefined;
}

/** An entry that was found, and which of its words were asked for. */
export type FoundPage = SearchEntry & { readonly terms: readonly string[] };

export type PageFinder = Awaited<ReturnType<typeof prepareFinder>>;

/** Weights of the words of a query by the part of an entry that has them. */
const wordBoosts = { title: 12, operationId: 12, endpoint: 8, names: 1, group: 2, within: 1, text: 1 };

/** Weights of a query that is a title or a name as a whole: more than any words can have. */
const wholeBoosts = { title: 400, operationId: 400, endpoint: 400, names: 40, group: 40 };

/** Weights of a query that a title begins with, and of words that are all in a title. */
const [beginningBoost, titleBoost] = [{ title: 100 }, { title: 20 }];

/** Weights of pages: of those that have the same words, operations come first. */
const kindBoosts = { generation: 4, operation: 3, webhook: 3, group: 1, guide: 1, page: 1, schema: 1 };

/** Long pages are not worse than short ones. */
const bm25 = { k: 1.2, b: 0.3, d: 0.5 };

/** Words that say nothing by themselves. They count only in a query that has no others. */
const commonWords = new Set(
  "a an and are as at by can do for from how i in is it of on or the to what with".split(" "),
);

/** Counts the words of an index, or of its first part, in small portions, so that the page goes on answering to its reader. */
export async function prepareFinder(index: SearchIndex) {
  const pages = new MiniSearch({
    fields: Object.keys(wordBoosts),
    // Of identifiers, each part (`teamId`: `team`, `Id`) and the whole.
    tokenize: (text, field) => [
      ...(field === "text" ? [] : text.split("\n").flatMap(wholesOf)),
      ...wordsOf(text).flatMap((word) => [...new Set([word, ...splitIdentifier(word)])]),
    ],
    processTerm: termOf,
  });
  const entries: SearchEntry[] = [];
  const add = async (more: readonly SearchEntry[]) => {
    const start = entries.length;
    entries.push(...more);
    // Whoever looks for a guide or a webhook may say so.
    const documents = more.map((one, at) => ({ ...one, id: start + at, text: `${one.blocks.join(" ")} ${one.kind}` }));
    await pages.addAllAsync(documents, { chunkSize: 20 });
  };
  await add(index.entries);
  return { ...index, entries, pages, add };
}

/** A word as it is indexed: in lower case, and without the `s` of a plural. */
export function termOf(word: string): string {
  return word.toLowerCase().replace(/(?<=\p{L}{2}[^sui])s$/u, "");
}

const requestPattern = new RegExp(String.raw`(?:^|\s)(?:(${methods.join("|")})\s+)?((?:https?:/)?/[^\s/]\S*)`, "i");

/** The pages that have a request's method and path (`POST /teams/7`), or all words, the best first; else some words. */
export function findPages(finder: PageFinder, query: string, preferredGeneration?: string): readonly FoundPage[] {
  const { entries, generations, synonyms } = finder;
  const [request = "", method, url] = requestPattern.exec(query) ?? [];
  const allWords = query.replace(request, " ").split(/\s+/);
  const generation = generations.find((name) => allWords.some((word) => isSame(word, name)));
  const words = allWords.filter((word) => !isSame(word, generation)).join(" ");
  const isEmpty = wordsOf(words).length === 0;
  if (isEmpty && generation === undefined && url === undefined) return [];

  // Of two pages alike, the one of the preferred generation comes first, and else the one of the newer.
  const boostDocument = (id: unknown) => {
    const { kind = "page", generation: own = "", within } = entries[Number(id)] ?? {};
    const age = Math.max(0, generations.indexOf(own)) / generations.length;
    const boost = within === undefined ? kindBoosts[kind] : 0.7;
    return boost * (own === preferredGeneration ? 2 : 1 / (1 + age));
  };
  const search = (asked: MiniSearchQuery): readonly FoundPage[] =>
    finder.pages.search(asked, { boostDocument, bm25 }).flatMap(({ id, terms, match }) => {
      const entry = entries[Number(id)];
      if (entry === undefined || (entry.generation ?? generation) !== (generation ?? entry.generation)) return [];
      // A section must say something of its own.
      const fields = new Set(Object.values(match).flat());
      return entry.within === undefined || fields.has("title") || fields.has("text") ? { ...entry, terms } : [];
    });
  const ask = (fuzzy: number, combineWith: "AND" | "OR", isBegun = false) => {
    const asked = [words, ...synonyms.flatMap((synonym) => replaceSynonym(words, synonym, isBegun))];
    return search({ queries: asked.flatMap((text) => wordsQueries(text, fuzzy, combineWith)) });
  };
  let found = isEmpty ? search(MiniSearch.wildcard) : ask(0, "AND");
  if (found.length === 0) found = ask(0, "AND", true);
  if (found.length === 0) found = ask(0.15, "AND");
  if (url !== undefined) return findByPath(found, method, url.replaceAll(/^https?:\/\/[^/]+|[?#].*/gi, ""));
  if (found.length === 0) found = ask(0.15, "OR");
  // The operation that has a schema or is in a group comes before the page about that.
  const [{ kind, title, within, generation: own } = { title: "" }] = found;
  const leader = found.find(({ endpoint, ...one }) => {
    const isPart = kind === "group" ? one.group === title : one.names?.split("\n").includes(title);
    return isPart === true && endpoint !== undefined && within === undefined && one.generation === own;
  });
  return leader === undefined ? found : [...new Set([leader, ...found])];
}

/** A query in the words of the docs; nothing if it does not have what is typed for them, or, if wanted, is the beginning of it. */
function replaceSynonym(query: string, [typed, meant]: Synonym, isBegun: boolean): readonly string[] {
  const [text = "", phrase = ""] = [query, typed].map((one) => ` ${wordsOf(one).map(termOf).join(" ")} `);
  if (isBegun) return phrase.startsWith(text.trimEnd()) ? [meant] : [];
  return text.includes(phrase) ? [text.replace(phrase, ` ${meant} `)] : [];
}

/** Asks for what has all words, or any of them, and puts first what has the whole as a title or a name, or begins with it. */
function wordsQueries(text: string, fuzzy: number, combineWith: "AND" | "OR"): readonly MiniSearchQuery[] {
  const queries = [text];
  const fields = ["title"];
  const wholes = wholesOf(text);
  const beginnings = wholes.map((whole) => whole.slice(0, -1));
  const tokenize = () => queryWords(text).filter((word) => combineWith === "AND" || word.length > 2);
  // A number is asked for as it is.
  const words = { queries, tokenize, prefix: (term: string) => !isDigits(term), fuzzy };
  return [
    { queries, boost: wholeBoosts, tokenize: () => wholes },
    { queries, fields, boost: beginningBoost, tokenize: () => beginnings, prefix: true },
    { ...words, fields, boost: titleBoost, combineWith: "AND" },
    { ...words, boost: wordBoosts, combineWith },
  ];
}

/**
 * The operations whose path is, begins with or contains the one that is asked for. Values stand for variables, but not for the
 * first of a part. Those come first that have fewer segments beside, and then those of which more segments are the same.
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

/** The words to look for; in identifiers, those that say nothing alone do say something: `isManaged`. */
function queryWords(text: string): string[] {
  const words = text.split(/\s+/);
  const telling = words.filter((word) => !commonWords.has(word.toLowerCase().replace(/[.,?!]$/, "")));
  return wordsOf(separateWords((telling.length === 0 ? words : telling).join(" ")));
}

/** Keys of a name however it is written, `teamId` or `Team ID`; the second is that of `Team IDs`, too. */
export function wholesOf(text: string): string[] {
  const words = wordsOf(text);
  return [words, words.map(termOf)].map((some) => `<${some.join("")}>`);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isSame(a: string, b = ""): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
