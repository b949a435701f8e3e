import { UserError } from "../contract/failures.ts";
import { splitOnce, withoutEnd, withoutLinks, wordsIn } from "../contract/text.ts";
import { excerptOf, fitText } from "../docs/browser/excerpts.ts";
import {
  findPages,
  prepareFinder,
  type FoundPage,
  type SearchEntry,
  type SearchIndex,
} from "../docs/browser/findPages.ts";

/** The Markdown files of the docs, and their search index. */
export interface DocsSource {
  readonly index: SearchIndex;
  /** Reads a file by its path, relative to the root of the docs. */
  readonly readFile: (path: string) => string | Promise<string>;
}

const mostResults = 8;

/** Makes functions that search and read the docs. The docs are loaded on the first call. */
export function createDocsReader(load: () => Promise<DocsSource>) {
  const prepare = async () => {
    const { index, readFile } = await load();
    return { finder: await prepareFinder(index), readFile };
  };
  let preparing: ReturnType<typeof prepare> | undefined;
  const find = async (query: string) => findPages((await (preparing ??= prepare())).finder, query);
  return {
    search: async (query: string): Promise<string> => {
      const found = await find(query);
      const more = found.length - mostResults;
      if (found.length === 0) return "No results. Try other words or the name of a field.";
      return [...found.slice(0, mostResults).map(describeFound), ...(more > 0 ? [`${more} more`] : [])].join("\n\n");
    },
    /** Reads a page or section by its address, an operation by its operationId or name, or a schema by its name. */
    read: async (name: string): Promise<string> => {
      const { finder, readFile } = await (preparing ??= prepare());
      const [entry, ...others] = findEntries(finder.entries, name);
      if (entry === undefined || others.length > 0) {
        const paths = (entry === undefined ? await find(name) : [entry, ...others]).slice(0, mostResults);
        const what = entry === undefined ? "have no" : "have more than one";
        const nearest = paths.map(({ path }) => path).join(", ");
        throw new UserError(`The docs ${what} page ${JSON.stringify(name)}. Pages to read: ${nearest || "index"}`);
      }
      const text = await readFile(`${splitOnce(entry.path, "#")[0]}index.md`);
      return entry.within === undefined ? text : sectionOf(text, entry.title);
    },
    /** The operations that are most similar to some words, each with its method and path. */
    nearestOperations: async (words: string): Promise<readonly string[]> => {
      const found = (await find(words)).filter(({ kind, within }) => kind === "operation" && within === undefined);
      return found.slice(0, 3).map(({ operationId = "", endpoint = "" }) => `${operationId} (${endpoint})`);
    },
  };
}

function describeFound(found: FoundPage): string {
  const { title, within, path, kind, generation, endpoint = "", operationId } = found;
  const facts = [kind, generation, operationId, endpoint, fitText(found)].filter(Boolean).join(", ");
  const heading = `${within === undefined ? "" : `${within} / `}${title} (${facts})`;
  return `${heading}\npage: ${path || "index"}\n${excerptOf(found, `${title} ${endpoint}`)}`.trimEnd();
}

/** The page or section at an address, or else all pages with a name. */
function findEntries(entries: readonly SearchEntry[], name: string): readonly SearchEntry[] {
  // Addresses from links are allowed: `../../v2/index.md`.
  const absolute = name.replace(/^(?:\.{0,2}\/)*/, "");
  const path = withoutEnd(withoutEnd(absolute, "index.md"), "index");
  const addressed = entries.filter((one) => one.path === path || one.path === `${path}/`).slice(0, 1);
  const named = entries.filter(
    ({ operationId, endpoint, title, kind, within }) =>
      within === undefined && [operationId, endpoint, kind === "schema" ? title : undefined].includes(name),
  );
  return addressed.length > 0 ? addressed : named;
}

/** The section below a heading in a Markdown text, with its subsections. The whole text if there is no such heading. */
function sectionOf(text: string, title: string): string {
  const lines = text.split("\n");
  let isCode = false;
  // A comment in code may look like a heading.
  const levels = lines.map((line) => {
    if (line.startsWith("```")) isCode = !isCode;
    return isCode ? 0 : (/^#+(?= )/.exec(line)?.[0].length ?? 0);
  });
  const start = levels.findIndex((level, at) => level > 0 && wordsOf(lines[at] ?? "") === wordsOf(title));
  const end = levels.findIndex((level, at) => at > start && level > 0 && level <= (levels[start] ?? 0));
  return start === -1 ? text : lines.slice(start, end === -1 ? undefined : end).join("\n");
}

/** The words of a heading, without the addresses of links in it. */
function wordsOf(heading: string): string {
  return wordsIn(withoutLinks(heading)).join(" ");
}
