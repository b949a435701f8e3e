import type { TextFile } from "../../command/files.ts";
import type { Generation } from "../../contract/generation.ts";
import type { SearchEntry, SearchIndex } from "../browser/findPages.ts";
import type { Site } from "../model/site.ts";
import { pageKind, type PageText } from "../text/convertPage.ts";
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
export function readSearchEntries({ generations }: Site, texts: readonly PageText[]): readonly SearchEntry[] {
  const said = new Set<string>();
  // What operations say of a schema's fields is found on its own page.
  const rank = ({ page }: PageText) => (pageKind(page) === "schema" ? 0 : 1);
  const ranked = texts.toSorted((a, b) => rank(a) - rank(b));
  const entries = ranked.flatMap((text) => readEntries(text, generations, said));
  return [...entries.filter(({ within }) => within === undefined), ...entries.filter(({ within }) => within)];
}

/** The entries of a page and of its sections, without what has been said already in their generation. */
function readEntries(text: PageText, generations: readonly Generation[], said: Set<string>): readonly SearchEntry[] {
  const { page, sections, names } = text;
  const { path, group, operation } = page;
  const kind = pageKind(page);
  const credentials = operation?.security.flat().flatMap(({ name, parameter }) => [name, parameter]) ?? [];
  return sections.flatMap(({ titles, id, blocks: all }): readonly SearchEntry[] => {
    const { name: generation } = page.generation ?? generations.find(({ title }) => titles.includes(title)) ?? {};
    const blocks = all.filter((block) => said.size < said.add(`${generation ?? ""} ${block}`).size);
    const own = { kind, generation, group: operation && group?.title, blocks };
    const title = titles.at(-1) ?? "";
    const within = titles.slice(0, -1).join(" / ");
    if (id !== "") return blocks.length === 0 ? [] : [{ ...own, title, within, path: `${path}#${id}` }];
    const { title: ownTitle = title, name: endpoint, operationId } = operation ?? {};
    const anchors = new Map([...credentials.map((name): [string, string] => [name, ""]), ...names]);
    const [allNames, ids] = [anchors.keys(), anchors.values()].map((all) => [...all].join("\n"));
    return [{ ...own, title: ownTitle, path, endpoint, operationId, names: allNames, ids }];
  });
}
