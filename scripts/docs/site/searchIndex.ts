import type { TextFile } from "../../command/files.ts";
import type { Generation } from "../../contract/generation.ts";
import type { SearchEntry, SearchIndex } from "../browser/findPages.ts";
import { firstLevel, type Site } from "../model/site.ts";
import { ownTitle } from "../model/generationModel.ts";
import type { Shared } from "../parts/pageNodes.ts";
import { pageKind, sectionOf, type Page } from "../parts/page.ts";
import { namesIn, readSections, type PageSection } from "./pageSections.ts";
import { hashedFile } from "./assets.ts";

/** Entries in a file of the index. Compressed, it has about 40 kB. */
const maximumEntries = 500;

/**
 * The search index of the site's pages, and then of their sections. The files are scripts, because browsers
 * load those from `file://`. A site of usual size has one file.
 */
export function searchIndexFiles(site: Site, pages: readonly Page[]): readonly TextFile[] {
  const { generations, synonyms = [] } = site;
  const entries = readSearchEntries(site, pages);
  const index: Omit<SearchIndex, "entries"> = { generations: generations.map(({ name }) => name), synonyms };
  const count = Math.ceil(entries.length / maximumEntries);
  return Array.from({ length: count }, (_, at) => {
    const part = { ...index, entries: entries.slice(at * maximumEntries, (at + 1) * maximumEntries) };
    return hashedFile("assets/search-index", "js", `window.docsSearchIndex=${JSON.stringify(part)};\n`);
  });
}

/** Creates the search entries for the pages of a site, and then for their sections. */
function readSearchEntries({ generations }: Site, pages: readonly Page[]): readonly SearchEntry[] {
  const said: IndexedText = { lines: new Set(), shared: new Set() };
  // Text about a schema's fields is found on the schema's page.
  const schemas = pages.filter((page) => pageKind(page) === "schema");
  const others = pages.filter((page) => pageKind(page) !== "schema");
  const entries = [...schemas, ...others].flatMap((page) => readEntries(page, generations, said));
  return [...entries.filter(({ within }) => within === undefined), ...entries.filter(({ within }) => within)];
}

/** What the entries of earlier pages have. */
interface IndexedText {
  /** Lines of text, each after the name of its generation. */
  readonly lines: Set<string>;
  readonly shared: Set<Shared>;
}

/** The entries of a page and its sections, without text that is repeated within a generation. */
function readEntries(page: Page, generations: readonly Generation[], said: IndexedText): readonly SearchEntry[] {
  const entries: SearchEntry[] = [];
  for (const section of readSections(page, said.shared)) {
    const { titles, anchor, lines } = section;
    const { name: generation } =
      page.generation ??
      generations.find((one) => titles.includes(ownTitle(one, generations)) || titles.includes(one.name)) ??
      {};
    const blocks = lines.filter((line) => said.lines.size < said.lines.add(`${generation ?? ""} ${line}`).size);
    const group = page.operation === undefined ? guideSection(page) : page.group?.title;
    const own = { kind: pageKind(page), generation, group, blocks };
    if (anchor === "") entries.push({ ...own, ...pageFacts(page, section) });
    else if (blocks.length > 0) {
      const within = titles.slice(0, -1).join(" / ");
      entries.push({ ...own, title: titles.at(-1) ?? "", within, path: `${page.path}#${anchor}` });
    }
  }
  return entries;
}

/** The top-level page of a guide, if its name says more than "guide". */
function guideSection({ path }: Page): string | undefined {
  const section = sectionOf(path)?.title;
  return section === firstLevel.guides.title ? undefined : section;
}

/** Additional fields for the entry of a whole page. */
function pageFacts(page: Page, { titles }: PageSection) {
  const { path, operation, overview = [], children } = page;
  const anchors = new Map<string, string>();
  for (const { name, parameter } of operation?.security.flat() ?? []) anchors.set(name, "").set(parameter, "");
  for (const [name, anchor] of namesIn([...overview, ...children])) anchors.set(name, anchor);
  return {
    title: operation?.title ?? titles.join(" "),
    path,
    endpoint: operation?.name,
    operationId: operation?.operationId,
    names: [...anchors.keys()].join("\n"),
    ids: [...anchors.values()].join("\n"),
  };
}
