import type { TextFile } from "../../command/files.ts";
import type { Generation } from "../../contract/generation.ts";
import type { SearchEntry, SearchIndex } from "../browser/findPages.ts";
import { firstLevel, type Site } from "../model/site.ts";
import { ownTitle } from "../model/generationModel.ts";
import { pageKind, sectionOf, type Page } from "../parts/page.ts";
import { namesIn, readSections, type PageSection } from "../text/pageSections.ts";
import { hashedFile } from "./assets.ts";

/** In a file of the index; compressed, they have about 40 kB. */
const maximumEntries = 500;

/**
 * The files in which the search finds the site's pages, and then their sections: scripts, which browsers load from `file://`
 * too. A site of usual size has one.
 */
export function searchIndexFiles({ entries, ...index }: SearchIndex): readonly TextFile[] {
  const count = Math.ceil(entries.length / maximumEntries);
  return Array.from({ length: count }, (_, at) => {
    const part = { ...index, entries: entries.slice(at * maximumEntries, (at + 1) * maximumEntries) };
    return hashedFile("assets/search-index", "js", `window.docsSearchIndex=${JSON.stringify(part)};\n`);
  });
}

/** Reads what the pages of a site say: entries for the pages, and then for their sections. */
export function readSearchEntries({ generations }: Site, pages: readonly Page[]): readonly SearchEntry[] {
  const said = new Set<string>();
  // What operations say of a schema's fields is found on its own page.
  const schemas = pages.filter((page) => pageKind(page) === "schema");
  const others = pages.filter((page) => pageKind(page) !== "schema");
  const entries = [...schemas, ...others].flatMap((page) => readEntries(page, generations, said));
  return [...entries.filter(({ within }) => within === undefined), ...entries.filter(({ within }) => within)];
}

/** The entries of a page and of its sections, without what has been said already in their generation. */
function readEntries(page: Page, generations: readonly Generation[], said: Set<string>): readonly SearchEntry[] {
  const entries: SearchEntry[] = [];
  for (const section of readSections(page)) {
    const { titles, anchor, lines } = section;
    const { name: generation } =
      page.generation ??
      generations.find((one) => titles.includes(ownTitle(one, generations)) || titles.includes(one.name)) ??
      {};
    const blocks = lines.filter((line) => said.size < said.add(`${generation ?? ""} ${line}`).size);
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

/** The page of the first level that a guide is in, if its name says more than that this is a guide. */
function guideSection({ path }: Page): string | undefined {
  const section = sectionOf(path)?.title;
  return section === firstLevel.guides.title ? undefined : section;
}

/** What the entry of a whole page has besides. */
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
