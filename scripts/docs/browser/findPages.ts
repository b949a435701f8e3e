import MiniSearch, { type SearchResult } from "minisearch";
import { methods } from "../../spec/openapi.ts";
import { separateWords } from "../model/addresses.ts";

/** What the search knows of a site. */
export interface SearchIndex {
  /** The names of the generations, the oldest version first. */
  readonly generations: readonly string[];
  /** The names of fields, parameters and headers, each once: entries have their positions. */
  readonly names: readonly string[];
  readonly entries: readonly SearchEntry[];
}

/** A page that can be found. */
export interface SearchEntry {
  readonly kind: SearchKind;
  readonly title: string;
  /** Relative to the site's root. */
  readonly path: string;
  /** What else is said on the page, in a sentence or two. */
  readonly text: string;
  readonly generation?: string | undefined;
  /** The title of the group that it belongs to. */
  readonly group?: string | undefined;
  /** An operation's method and path: `GET /teams/{teamId}`. */
  readonly endpoint?: string | undefined;
  readonly operationId?: string | undefined;
  /** Positions of the names that the page has of itself. */
  readonly names?: readonly number[];
  /** Positions of the entries of the schemas that an operation uses: it has their names, too. */
  readonly schemas?: readonly number[];
}

export type SearchKind = "generation" | "group" | "guide" | "operation" | "page" | "schema" | "webhook";

/** An index with its words counted. */
export interface PageFinder {
  readonly index: SearchIndex;
  /** Of positions of entries. */
  readonly words: MiniSearch<number>;
}

interface Query {
  readonly method: string | undefined;
  /** The path of a request, in which there may be values in place of variables. */
  readonly path: string | undefined;
  readonly words: string;
  /** The generation that it is limited to. */
  readonly generation: string | undefined;
  /** What it may name as a whole, in the form that {@link compact} gives. */
  readonly wholes: readonly string[];
}

interface FoundEntry {
  readonly entry: SearchEntry;
  /** One of {@link relevances}. */
  readonly relevance: number;
  readonly score: number;
}

/** What is counted of an entry, and how much a word weighs there. */
const weights = { title: 6, operationId: 6, endpoint: 4, names: 2, group: 2, text: 1 } as const;
type EntryPart = keyof typeof weights;

const ownParts: readonly EntryPart[] = ["title", "operationId", "endpoint"];
const namedParts: readonly EntryPart[] = [...ownParts, "names", "group"];

/** Words that say nothing by themselves. They count only in a query that has no others. */
const commonWords = new Set(
  "a an and are as at by can do for from how i in is it of on or the to what with".split(" "),
);

/** How directly a query names a page: what is higher comes first, whatever the scores are. */
const relevances = {
  /** Its words are only in what is said of the page. */
  mentioned: 0,
  /** Its words are in the title of a page that is no operation. */
  pageWords: 1,
  /** Its words are in the names of an operation's fields and so on, or are the beginning of its path. */
  nameWords: 2,
  /** It is the name of one of an operation's fields, parameters, headers or schemas, or of its group. */
  wholeName: 3,
  /** Its words are in an operation's title, path or operationId. */
  operationWords: 4,
  /** It is the title of a page that is no operation. */
  wholePage: 5,
  /** It is an operation's title or operationId. */
  wholeOperation: 6,
} as const;

/** Counts the words of an index, in small portions, so that the page goes on answering to its reader. */
export async function prepareFinder(index: SearchIndex): Promise<PageFinder> {
  const words = new MiniSearch<number>({
    fields: Object.keys(weights),
    extractField: (position, part) => (part === "id" ? String(position) : partOf(index, position, part)),
    tokenize: indexedWords,
    processTerm: wordForm,
  });
  await words.addAllAsync([...index.entries.keys()], { chunkSize: 10 });
  return { index, words };
}

/**
 * The pages that a query asks for, the best first: a request's method and path (`POST /teams/7`) finds its operation, and
 * words find the pages that have all of them. An operation comes before other pages, and what the query names as a whole
 * before what has its words. Misspelt words are forgiven only if there is nothing else to find. Of two pages alike, the
 * one of the preferred generation comes first, and else the one of the newer.
 */
export function findPages(finder: PageFinder, text: string, preferredGeneration?: string): readonly SearchEntry[] {
  const { index } = finder;
  const query = readQuery(text, index.generations);
  const found = query.path === undefined ? findByWords(finder, query) : findByPath(finder, query, query.path);
  const age = ({ generation = "" }: SearchEntry) =>
    generation === preferredGeneration ? index.generations.length : index.generations.indexOf(generation);
  const sorted = found.toSorted(
    (a, b) => b.relevance - a.relevance || b.score - a.score || age(b.entry) - age(a.entry),
  );
  // The operation that has a field or a schema by name comes before the schema's own page.
  const best = sorted.find(({ entry, relevance }) => isOperation(entry) && relevance >= relevances.wholeName);
  return (best === undefined ? sorted : [best, ...sorted.filter((one) => one !== best)]).map(({ entry }) => entry);
}

function readQuery(text: string, generations: readonly string[]): Query {
  const parts = text.split(/\s+/).filter((part) => part !== "");
  const pathAt = parts.findIndex((part) => /^(?:https?:\/)?\/[^\s/]/i.test(part));
  const [path] = parts.slice(pathAt).slice(0, pathAt === -1 ? 0 : 1);
  const before = parts[pathAt - 1]?.toLowerCase();
  const method = methods.find((name) => name === before);
  const rest = parts.filter((_, at) => pathAt === -1 || (at !== pathAt && (method === undefined || at !== pathAt - 1)));
  const generation = generations.find((name) => rest.some((part) => isSame(part, name)));
  const words = rest.filter((part) => generation === undefined || !isSame(part, generation)).join(" ");
  return {
    method,
    path: path === undefined ? undefined : pathOf(path),
    words,
    generation,
    wholes: [compact(text), compact(words)],
  };
}

/** The path of a URL, or a path without what may follow it. */
function pathOf(text: string): string {
  const path = text.replace(/^https?:\/\/[^/]+/i, "").replace(/[?#].*/s, "");
  return path === "" ? "/" : path;
}

function findByPath(finder: PageFinder, query: Query, path: string): readonly FoundEntry[] {
  const named = isBlank(query.words) ? undefined : new Set(search(finder, query).map(({ id }) => Number(id)));
  return finder.index.entries.flatMap((entry, position) => {
    const [method = "", own = ""] = entry.endpoint?.split(" ") ?? [];
    if (entry.kind !== "operation" || !isOfGeneration(entry, query)) return [];
    if (named?.has(position) === false || (query.method !== undefined && !isSame(method, query.method))) return [];
    const score = comparePaths(path, own);
    return score === undefined ? [] : [{ entry, relevance: relevances.nameWords, score }];
  });
}

/**
 * How close an operation's path is to the one that is asked for: it may go on after it, or begin before it, and have
 * variables where the other has values. `undefined` if it is another path.
 */
function comparePaths(asked: string, path: string): number | undefined {
  const [wanted, given] = [asked, path].map((text) =>
    text
      .toLowerCase()
      .split("/")
      .filter((part) => part !== ""),
  );
  if (wanted === undefined || given === undefined) return undefined;
  const isLike = (part: string | undefined, at: number, offset: number) => {
    const own = given[offset + at] ?? "";
    const isVariable = own.includes("{") && (offset === 0 || at > 0);
    return own === part || isVariable || (at === wanted.length - 1 && own.startsWith(part ?? ""));
  };
  for (let offset = 0; offset + wanted.length <= given.length; offset += 1) {
    if (!wanted.every((part, at) => isLike(part, at, offset))) continue;
    const equal = wanted.filter((part, at) => given[offset + at] === part).length;
    const rest = given.length - wanted.length;
    // Whole paths first, then those that go on, then those that begin before.
    return (rest === 0 ? 2000 : offset === 0 ? 1000 : 0) + 10 * equal - rest;
  }
  return undefined;
}

function findByWords(finder: PageFinder, query: Query): readonly FoundEntry[] {
  const { index } = finder;
  if (isBlank(query.words)) {
    if (query.generation === undefined) return [];
    const inGeneration = index.entries.filter((entry) => isOfGeneration(entry, query));
    return inGeneration.map((entry) => {
      const { wholePage, nameWords, mentioned } = relevances;
      const relevance = entry.kind === "generation" ? wholePage : isOperation(entry) ? nameWords : mentioned;
      return { entry, relevance, score: 0 };
    });
  }
  const exact = search(finder, query);
  const relevanceOf = relevanceFor(index, query, exact.length === 0);
  return (exact.length > 0 ? exact : search(finder, query, 0.2)).flatMap((result) => {
    const entry = index.entries[Number(result.id)];
    if (entry === undefined) return [];
    const relevance = relevanceOf(entry, result);
    // Of two that have just the name, none has it more than the other.
    return [{ entry, relevance, score: relevance >= relevances.wholePage ? 0 : result.score }];
  });
}

function relevanceFor(
  index: SearchIndex,
  { wholes }: Query,
  isMisspelt: boolean,
): (entry: SearchEntry, result: SearchResult) => number {
  const isWhole = (text: string | undefined) => text !== undefined && wholes.includes(compact(text));
  const names = new Set(index.names.flatMap((name, position) => (isWhole(name) ? position : [])));
  const hasName = (entry: SearchEntry) => entry.names?.some((position) => names.has(position)) === true;
  const schemas = new Set(
    index.entries.flatMap((entry, position) =>
      entry.kind === "schema" && (hasName(entry) || isWhole(entry.title)) ? position : [],
    ),
  );
  return (entry, { match, queryTerms }) => {
    const matches = Object.entries(match);
    // It is not said which misspelt word has been taken for which.
    const isIn = (parts: readonly string[]) =>
      queryTerms.every((word) =>
        matches.some(([term, at]) => (isMisspelt || term.startsWith(word)) && at.some((part) => parts.includes(part))),
      );
    if (!isOperation(entry))
      return isWhole(entry.title) ? relevances.wholePage : isIn(ownParts) ? relevances.pageWords : relevances.mentioned;
    if (isWhole(entry.title) || isWhole(entry.operationId) || isWhole(entry.endpoint)) return relevances.wholeOperation;
    if (isIn(ownParts)) return relevances.operationWords;
    const hasWhole = isWhole(entry.group) || hasName(entry) || entry.schemas?.some((position) => schemas.has(position));
    if (hasWhole === true) return relevances.wholeName;
    return isIn(namedParts) ? relevances.nameWords : relevances.mentioned;
  };
}

/** The entries that have all words. */
function search({ index, words }: PageFinder, query: Query, fuzzy = 0): readonly SearchResult[] {
  return words.search(query.words, {
    boost: weights,
    combineWith: "AND",
    prefix: true,
    fuzzy: (word) => word.length > 3 && fuzzy,
    tokenize: queryWords,
    filter: ({ id }) => {
      const entry = index.entries[Number(id)];
      return entry !== undefined && isOfGeneration(entry, query);
    },
  });
}

function partOf(index: SearchIndex, position: number, part: string): string {
  const entry = index.entries[position];
  if (entry === undefined) return "";
  if (part === "names") {
    return [...new Set([...namesOf(index, entry), ...schemasOf(index, entry).map(({ title }) => title)])].join(" ");
  }
  if (part === "text") return `${entry.text} ${entry.kind}`;
  return (
    (part === "title" || part === "operationId" || part === "endpoint" || part === "group" ? entry[part] : "") ?? ""
  );
}

function schemasOf({ entries }: SearchIndex, { schemas = [] }: SearchEntry): readonly SearchEntry[] {
  return schemas.flatMap((position) => entries[position] ?? []);
}

function namesOf(index: SearchIndex, entry: SearchEntry): readonly string[] {
  return [entry, ...schemasOf(index, entry)].flatMap(({ names = [] }) => names.flatMap((at) => index.names[at] ?? []));
}

function isOperation({ kind }: SearchEntry): boolean {
  return kind === "operation" || kind === "webhook";
}

/** Whether an entry is of the generation that a query is limited to. A page of none may still speak of it. */
function isOfGeneration(entry: SearchEntry, { generation }: Query): boolean {
  if (generation === undefined) return true;
  if (entry.generation !== undefined) return entry.generation === generation;
  return `${entry.title} ${entry.text}`.split(/[^\p{L}\p{N}]+/u).some((word) => isSame(word, generation));
}

/** The words of a text, in identifiers each part (`teamId`: `team`, `Id`) and the whole. */
function indexedWords(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    const parts = separateWords(word).split(" ");
    return parts.length === 1 ? parts : [word, ...parts];
  });
}

/** The words to look for; in identifiers, those that say nothing alone do say something: `isManaged`. */
function queryWords(text: string): string[] {
  const words = text.split(/\s+/);
  const telling = words.filter((word) => !commonWords.has(word.toLowerCase().replace(/[.,?!]$/, "")));
  return wordsOf(separateWords((telling.length === 0 ? words : telling).join(" ")));
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A word in lower case, and without the `s` of a plural. */
function wordForm(word: string): string {
  return word.toLowerCase().replace(/(?<=\p{L}{2}[^sui])s$/u, "");
}

/** Letters and digits alone, in lower case: `teamId`, `team-id` and `Team ID` are the same. */
function compact(text: string): string {
  return wordsOf(text.toLowerCase()).join("");
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function isBlank(words: string): boolean {
  return wordsOf(words).length === 0;
}
