import { UserError } from "../contract/failures.ts";
import type { Generation } from "../contract/generation.ts";
import { splitOnce, withoutEnd, wordsIn } from "../values/text.ts";
import { withoutLinks } from "../values/markdown.ts";
import { excerptOf, fitText } from "../docs/browser/excerpts.ts";
import { findPages, prepareFinder, type FoundPage, type SearchEntry } from "../docs/browser/findPages.ts";
import type { Synonym } from "../docs/model/guides.ts";
import { indexDocs } from "./docsIndex.ts";
import { linesBelow } from "./markdownSections.ts";

/** The docs as Markdown. */
export interface DocsSource {
  /** The files by their paths, relative to the root of the docs. */
  readonly files: ReadonlyMap<string, string>;
  readonly synonyms: readonly Synonym[];
}

const maxResults = 8;

/** Makes functions that search and read the docs. The docs are loaded and indexed on the first call. */
export function createDocsReader(generations: readonly Generation[], load: () => Promise<DocsSource>) {
  const prepare = async () => {
    const { files, synonyms } = await load();
    const newestFirst = generations.toReversed();
    const entries = indexDocs(files, newestFirst);
    return {
      finder: await prepareFinder({ generations: newestFirst.map(({ name }) => name), synonyms, entries }),
      files,
    };
  };
  let preparing: ReturnType<typeof prepare> | undefined;
  const find = async (query: string) => findPages((await (preparing ??= prepare())).finder, query);
  return {
    search: async (query: string): Promise<string> => {
      const found = await find(query);
      const more = found.length - maxResults;
      if (found.length === 0) return "No results. Try other words or the name of a field.";
      return [...found.slice(0, maxResults).map(describeFound), ...(more > 0 ? [`${more} more`] : [])].join("\n\n");
    },
    /** Reads a page or section by its address, or the page of an operation or schema by its name. */
    read: async (name: string): Promise<string> => {
      const { finder, files } = await (preparing ??= prepare());
      const [entry, ...others] = findEntries(finder.entries, name);
      if (entry === undefined || others.length > 0) {
        const paths = (entry === undefined ? await find(name) : [entry, ...others]).slice(0, maxResults);
        const what = entry === undefined ? "have no" : "have more than one";
        const nearest = paths.map(({ path }) => path).join(", ");
        throw new UserError(`The docs ${what} page ${JSON.stringify(name)}. Pages to read: ${nearest || "index"}`);
      }
      const [path, anchor] = splitOnce(entry.path, "#");
      const text = files.get(`${path}index.md`) ?? "";
      return anchor === undefined ? text : linesBelow(text, (title) => wordsOf(title) === wordsOf(entry.title));
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
  const [file, anchor] = splitOnce(name.replace(/^(?:\.{0,2}\/)*/, ""), "#");
  const folder = withoutEnd(withoutEnd(file, "index.md"), "index");
  const path = anchor === undefined ? folder : `${folder}#${anchor}`;
  const addressed = entries.filter((one) => one.path === path || one.path === `${path}/`).slice(0, 1);
  const named = entries.filter(
    ({ operationId, endpoint, title, kind, within }) =>
      within === undefined && [operationId, endpoint, kind === "schema" ? title : undefined].includes(name),
  );
  return addressed.length > 0 ? addressed : named;
}

/** The words of a heading, without the addresses of links in it. */
function wordsOf(heading: string): string {
  return wordsIn(withoutLinks(heading)).join(" ");
}
