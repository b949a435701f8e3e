import MiniSearch, { type Query as MiniSearchQuery } from "minisearch";
import { methods } from "../../spec/openapi.ts";
import { separateWords } from "../model/addresses.ts";

/** The search's index of a site. */
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
  /** A sentence or two from the page. */
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
export type PageFinder = Awaited<ReturnType<typeof prepareFinder>>;

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
export async function prepareFinder(index: SearchIndex) {
  const pages = new MiniSearch({
    fields: Object.keys(wordBoosts),
    // Of identifiers, each part (`teamId`: `team`, `Id`) and the whole.
    tokenize: (text) => [
      ...text.split("\n").map(wholeOf),
      ...wordsOf(text).flatMap((word) => [...new Set([word, ...separateWords(word).split(" ")])]),
    ],
    // In lower case, and without the `s` of a plural.
    processTerm: (word) => word.toLowerCase().replace(/(?<=\p{L}{2}[^sui])s$/u, ""),
  });
  const documents = index.entries.map((entry, id) => {
    const schemas = (entry.schemas ?? []).flatMap((position) => index.entries[position] ?? []);
    const names = [entry, ...schemas].flatMap((one) => one.names ?? []).map((position) => index.names[position]);
    return {
      ...entry,
      id,
      names: [...new Set([...names, ...schemas.map(({ title }) => title)])].join("\n"),
      // Whoever looks for a guide or a webhook may say so.
      text: `${entry.text} ${entry.kind}`,
    };
  });
  await pages.addAllAsync(documents, { chunkSize: 10 });
  return { index, pages };
}

/** A request's URL, or its path, and its method if that is before it. */
const requestPattern = new RegExp(String.raw`(?:^|\s)(?:(${methods.join("|")})\s+)?((?:https?:/)?/[^\s/]\S*)`, "i");

/**
 * The pages that a query asks for, the best first: a request's method and path (`POST /teams/7`) finds its operation, and
 * words find the pages that have all of them. Misspelt words are forgiven only if there is nothing else to find.
 */
export function findPages(finder: PageFinder, query: string, preferredGeneration?: string): readonly SearchEntry[] {
  const { entries, generations } = finder.index;
  const [request = "", method, url] = requestPattern.exec(query) ?? [];
  const allWords = query.replace(request, " ").split(/\s+/);
  const generation = generations.find((name) => allWords.some((word) => isSame(word, name)));
  const words = allWords.filter((word) => generation === undefined || !isSame(word, generation)).join(" ");
  const isEmpty = wordsOf(words).length === 0;
  if (isEmpty && generation === undefined && url === undefined) return [];

  // Of two pages alike, the one of the preferred generation comes first, and else the one of the newer.
  const boostDocument = (id: unknown) => {
    const { kind = "page", generation: own = "" } = entries[Number(id)] ?? {};
    const newness = (generations.indexOf(own) + 1) / generations.length;
    return kindBoosts[kind] * (own === preferredGeneration ? 2 : 1 + newness / 5);
  };
  const search = (asked: MiniSearchQuery) => {
    const found = finder.pages.search(asked, { boostDocument }).flatMap(({ id }) => entries[Number(id)] ?? []);
    return generation === undefined ? found : found.filter((entry) => isOfGeneration(entry, generation));
  };
  const exact = search(isEmpty ? MiniSearch.wildcard : wordsQuery(words, 0));
  const found = exact.length > 0 ? exact : search(wordsQuery(words, 0.15));
  if (url !== undefined) return findByPath(found, method, url.replaceAll(/^https?:\/\/[^/]+|[?#].*/gi, ""));
  // The operation that has a schema or is in a group comes before the page about that.
  const isPart = found[0]?.kind === "schema" || found[0]?.kind === "group";
  const leaders = isPart ? found.filter(({ kind }) => kind === "operation" || kind === "webhook").slice(0, 1) : [];
  return [...new Set([...leaders, ...found])];
}

/** A page of no generation may still speak of one. */
function isOfGeneration({ generation, title, text }: SearchEntry, name: string): boolean {
  if (generation !== undefined) return generation === name;
  return wordsOf(`${title} ${text}`).some((word) => isSame(word, name));
}

/** Asks for what has all words, and puts first what has the whole as a title or a name. */
function wordsQuery(text: string, fuzzy: number): MiniSearchQuery {
  const queries = [text];
  const tokenize = queryWords;
  return {
    queries: [
      { queries, boost: wholeBoosts, tokenize: (whole) => [wholeOf(whole)] },
      { queries, boost: wordBoosts, tokenize, combineWith: "AND", prefix: true, fuzzy },
    ],
  };
}

/** The operations whose path is, begins with or contains the one that is asked for, the closest first. */
function findByPath(entries: readonly SearchEntry[], method: string | undefined, path: string): readonly SearchEntry[] {
  return entries
    .flatMap((entry) => {
      const [ownMethod = "", ownPath = ""] = entry.endpoint?.split(" ") ?? [];
      const isMeant = entry.kind === "operation" && (method === undefined || isSame(ownMethod, method));
      const closeness = isMeant ? comparePaths(path, ownPath) : undefined;
      return closeness === undefined ? [] : { entry, closeness };
    })
    .toSorted((a, b) => b.closeness - a.closeness)
    .map(({ entry }) => entry);
}

/**
 * How close an operation's path is to the one that is asked for: the fewer segments it has beside, and then the more that
 * are the same and no variable, the closer. `undefined` if it is another path.
 */
function comparePaths(asked: string, path: string): number | undefined {
  const [wanted = [], own = []] = [asked, path].map((text) => text.toLowerCase().split("/").filter(Boolean));
  const isLike = (segment: string, at: number, start: number) => {
    const other = own[start + at] ?? "";
    const isVariable = other.includes("{") && (start === 0 || at > 0);
    return other === segment || isVariable || (at === wanted.length - 1 && other.startsWith(segment));
  };
  const start = own.findIndex((_, index) => wanted.every((segment, at) => isLike(segment, at, index)));
  const same = wanted.filter((segment, at) => own[start + at] === segment).length;
  return start === -1 ? undefined : same - 100 * (own.length - wanted.length);
}

/** The words to look for; in identifiers, those that say nothing alone do say something: `isManaged`. */
function queryWords(text: string): string[] {
  const words = text.split(/\s+/);
  const telling = words.filter((word) => !commonWords.has(word.toLowerCase().replace(/[.,?!]$/, "")));
  return wordsOf(separateWords((telling.length === 0 ? words : telling).join(" ")));
}

/** Key of a title or a name as a whole, however it is written: `teamId`, `team-id` and `Team ID` are the same. */
function wholeOf(text: string): string {
  return `<${wordsOf(text).join("")}>`;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
