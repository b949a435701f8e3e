import MiniSearch, { type Query as MiniSearchQuery, type SearchOptions } from "minisearch";
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
  readonly pages: MiniSearch;
}

interface Query {
  readonly method: string | undefined;
  /** The path of a request, in which there may be values in place of variables. */
  readonly path: string | undefined;
  readonly words: string;
  /** The generation that it is limited to. */
  readonly generation: string | undefined;
}

/** Weights of the words of a query by the part of an entry that has them. */
const wordBoosts = { title: 12, operationId: 12, endpoint: 8, names: 2, group: 2, text: 1 };

/** Weights of a query that is a title or a name as a whole: more than any words can have. */
const wholeBoosts = { title: 400, operationId: 400, endpoint: 400, names: 40, group: 40 };

/** Weights of pages: of those that have the same words, operations come first. */
const kindBoosts = { generation: 4, operation: 3, webhook: 3, group: 1, guide: 1, page: 1, schema: 1 };

/** Words that say nothing by themselves. They count only in a query that has no others. */
const commonWords = new Set(
  "a an and are as at by can do for from how i in is it of on or the to what with".split(" "),
);

/** Counts the words of an index, in small portions, so that the page goes on answering to its reader. */
export async function prepareFinder(index: SearchIndex): Promise<PageFinder> {
  const pages = new MiniSearch({
    fields: Object.keys(wordBoosts),
    tokenize: (text) => text.split("\n").flatMap((value) => [wholeOf(value), ...indexedWords(value)]),
    processTerm: wordForm,
  });
  const documents = index.entries.map((entry, id) => ({
    ...entry,
    id,
    names: [...namesOf(index, entry)].join("\n"),
    // Whoever looks for a guide or a webhook may say so.
    text: `${entry.text} ${entry.kind}`,
  }));
  await pages.addAllAsync(documents, { chunkSize: 10 });
  return { index, pages };
}

/**
 * The pages that a query asks for, the best first: a request's method and path (`POST /teams/7`) finds its operation, and
 * words find the pages that have all of them. Misspelt words are forgiven only if there is nothing else to find.
 */
export function findPages(finder: PageFinder, text: string, preferredGeneration?: string): readonly SearchEntry[] {
  const query = readQuery(text, finder.index.generations);
  const found = findByWords(finder, query, preferredGeneration);
  if (query.path !== undefined) return findByPath(found, query, query.path);
  // The operation that has a schema or is in a group comes before the page about that.
  const leader = found[0]?.kind === "schema" || found[0]?.kind === "group" ? found.find(isOperation) : undefined;
  return leader === undefined ? found : [leader, ...found.filter((entry) => entry !== leader)];
}

/** A request's URL, or its path, and its method if that is before it. */
const requestPattern = new RegExp(String.raw`(?:^|\s)(?:(${methods.join("|")})\s+)?((?:https?:/)?/[^\s/]\S*)`, "i");

function readQuery(text: string, generations: readonly string[]): Query {
  const [request = "", method, url] = requestPattern.exec(text) ?? [];
  const words = text.replace(request, " ").split(/\s+/);
  const generation = generations.find((name) => words.some((word) => isSame(word, name)));
  return {
    method,
    path: url?.replaceAll(/^https?:\/\/[^/]+|[?#].*/gi, ""),
    words: words.filter((word) => generation === undefined || !isSame(word, generation)).join(" "),
    generation,
  };
}

/** The entries that have all words of a query, the best first. Without words, it is all of the query's generation. */
function findByWords({ index, pages }: PageFinder, query: Query, preferredGeneration?: string): readonly SearchEntry[] {
  const { words, generation, path } = query;
  const entryOf = ({ id }: { readonly id: unknown }) => index.entries[Number(id)];
  const options: SearchOptions = {
    boostDocument: (id: unknown) => boostOf(entryOf({ id }), index, preferredGeneration),
    filter: (result) => isOfGeneration(entryOf(result), generation),
  };
  const search = (asked: MiniSearchQuery) => pages.search(asked, options).flatMap((result) => entryOf(result) ?? []);
  if (wordsOf(words).length === 0) {
    return generation === undefined && path === undefined ? [] : search(MiniSearch.wildcard);
  }
  const exact = search(wordsQuery(words, 0));
  return exact.length > 0 ? exact : search(wordsQuery(words, 0.15));
}

/** Asks for what has all words, and puts first what has the whole as a title or a name. */
function wordsQuery(text: string, fuzzy: number): MiniSearchQuery {
  const queries = [text];
  return {
    queries: [
      { queries, boost: wholeBoosts, tokenize: (whole) => [wholeOf(whole)] },
      {
        queries,
        boost: wordBoosts,
        tokenize: queryWords,
        combineWith: "AND",
        prefix: true,
        fuzzy,
      },
    ],
  };
}

/** Of two pages alike, the one of the preferred generation comes first, and else the one of the newer. */
function boostOf(entry: SearchEntry | undefined, { generations }: SearchIndex, preferredGeneration?: string): number {
  if (entry === undefined) return 1;
  const { kind, generation = "" } = entry;
  const newness = (generations.indexOf(generation) + 1) / generations.length;
  return kindBoosts[kind] * (generation === preferredGeneration ? 2 : 1 + newness / 5);
}

/** The operations whose path is, begins with or contains the one that is asked for, the closest first. */
function findByPath(entries: readonly SearchEntry[], { method }: Query, path: string): readonly SearchEntry[] {
  return entries
    .flatMap((entry) => {
      const [ownMethod = "", ownPath = ""] = entry.endpoint?.split(" ") ?? [];
      const isMeant = entry.kind === "operation" && (method === undefined || isSame(ownMethod, method));
      const score = isMeant ? comparePaths(path, ownPath) : undefined;
      return score === undefined ? [] : { entry, score };
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

/**
 * How close an operation's path is to the one that is asked for: it may go on after it, or begin before it, and have
 * variables where the other has values. `undefined` if it is another path.
 */
function comparePaths(asked: string, path: string): number | undefined {
  const [wanted = [], own = []] = [asked, path].map((text) => text.toLowerCase().split("/").filter(Boolean));
  const isLike = (part: string, at: number, offset: number) => {
    const other = own[offset + at] ?? "";
    const isVariable = other.includes("{") && (offset === 0 || at > 0);
    return other === part || isVariable || (at === wanted.length - 1 && other.startsWith(part));
  };
  const rest = own.length - wanted.length;
  const offset = own.findIndex((_, start) => start <= rest && wanted.every((part, at) => isLike(part, at, start)));
  if (offset === -1) return undefined;
  const equal = wanted.filter((part, at) => own[offset + at] === part).length;
  // Whole paths first, then those that go on, then those that begin before.
  return (rest === 0 ? 2000 : offset === 0 ? 1000 : 0) + 10 * equal - rest;
}

/** The names that a page has, those of its schemas, and their titles. */
function namesOf(index: SearchIndex, entry: SearchEntry): ReadonlySet<string> {
  const schemas = (entry.schemas ?? []).flatMap((position) => index.entries[position] ?? []);
  const names = [entry, ...schemas].flatMap(({ names = [] }) =>
    names.flatMap((position) => index.names[position] ?? []),
  );
  return new Set([...names, ...schemas.map(({ title }) => title)]);
}

/** Whether an entry is of a generation, if there must be one. A page of none may still speak of it. */
function isOfGeneration(entry: SearchEntry | undefined, generation: string | undefined): boolean {
  if (entry === undefined || generation === undefined) return entry !== undefined;
  if (entry.generation !== undefined) return entry.generation === generation;
  return wordsOf(`${entry.title} ${entry.text}`).some((word) => isSame(word, generation));
}

function isOperation({ kind }: SearchEntry): boolean {
  return kind === "operation" || kind === "webhook";
}

/** The words of a text, in identifiers each part (`teamId`: `team`, `Id`) and the whole. */
function indexedWords(text: string): string[] {
  return wordsOf(text).flatMap((word) => [...new Set([word, ...separateWords(word).split(" ")])]);
}

/** The words to look for; in identifiers, those that say nothing alone do say something: `isManaged`. */
function queryWords(text: string): string[] {
  const words = text.split(/\s+/);
  const telling = words.filter((word) => !commonWords.has(word.toLowerCase().replace(/[.,?!]$/, "")));
  return wordsOf(separateWords((telling.length === 0 ? words : telling).join(" ")));
}

/** What stands for a title or a name as a whole, however it is written: `teamId`, `team-id` and `Team ID` are the same. */
function wholeOf(text: string): string {
  return `<${wordsOf(text).join("")}>`;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A word in lower case, and without the `s` of a plural. */
function wordForm(word: string): string {
  return word.toLowerCase().replace(/(?<=\p{L}{2}[^sui])s$/u, "");
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
