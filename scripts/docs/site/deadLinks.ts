import { changelogFile } from "../../contract/changelog.ts";
import { groupBy } from "../../values/collections.ts";
import { jsonPointer } from "../../values/json.ts";
import { percentDecode } from "../../values/percentEncoding.ts";
import { keysTo, walk } from "../../spec/walk.ts";
import { siteScheme } from "../model/guides.ts";
import { firstLevel, guidePath, type Site } from "../model/site.ts";
import { html } from "../../values/html.ts";
import type { Page } from "../parts/page.ts";
import { readDescription } from "../parts/readDescription.ts";
import { nodesIn, rootMark } from "../parts/pageNodes.ts";

/** A link or a picture in a text whose address leads to nothing in the site. */
export interface DeadLink {
  readonly place: TextPlace;
  /** The address as it is written. */
  readonly href: string;
}

/** Where a text is: in the bundle of a generation, or in a file. */
type TextPlace = { readonly generation: string; readonly pointer: string } | { readonly file: string };

/** A text in Markdown, and the pages that may show it. */
interface SourceText {
  readonly place: TextPlace;
  readonly markdown: string;
  readonly pages: readonly string[];
  /** How its links are written, by their targets. */
  readonly links?: ReadonlyMap<string, string>;
}

interface Target {
  /** Relative to the site's root. */
  readonly path: string;
  readonly anchor: string;
}

/**
 * Checks the links and pictures of texts that lead into the site, but not those to other hosts. `look` gets each rendered
 * page. `dead` returns the links that lead to nothing from any page that may show them, when all pages are known.
 */
export function createLinkCheck(site: Site, pages: readonly Page[], files: ReadonlySet<string>) {
  const paths = new Set(pages.map(({ path }) => path));
  const links = [...descriptionsOf(site, pages), ...otherTexts(site)].flatMap(linksOf);
  const wanted = groupBy(
    links.flatMap(({ targets }) => targets),
    ({ path }) => path,
  );
  const found = new Set<string>();
  const keyOf = ({ path, anchor }: Target) => `${path}#${anchor}`;
  const isAlive = (target: Target) => {
    const { path, anchor } = target;
    if (anchor === "") return paths.has(path) || paths.has(`${path}/`) || files.has(path);
    return found.has(keyOf(target));
  };
  return {
    look: (path: string, content: string) => {
      for (const target of wanted.get(path) ?? []) {
        if (target.anchor !== "" && content.includes(html`id="${target.anchor}"`.toString())) found.add(keyOf(target));
      }
    },
    dead: (): readonly DeadLink[] =>
      links.filter(({ targets }) => !targets.some(isAlive)).map(({ place, href }) => ({ place, href })),
  };
}

/** The descriptions with links, each of which may be on any page of its generation. */
function descriptionsOf({ generations }: Site, pages: readonly Page[]): readonly SourceText[] {
  return generations.flatMap((generation) => {
    const own = pages.filter((page) => page.generation?.name === generation.name).map(({ path }) => path);
    return Array.from(walk(generation.document)).flatMap((walked) => {
      const { key, value: markdown } = walked;
      if (key !== "description" || typeof markdown !== "string" || !/[\]<]/.test(markdown)) return [];
      const keys = keysTo(walked);
      // The tags of a bundle are in another order than those of its source.
      const place = { generation: generation.name, pointer: jsonPointer(keys[0] === "tags" ? ["tags"] : keys) };
      return [{ place, markdown, pages: own }];
    });
  });
}

function otherTexts({ guides, workflows, changelog }: Site): readonly SourceText[] {
  const written = guides.map(({ file, markdown, path, links }) => {
    return { place: { file }, markdown, pages: [path], ...(links && { links }) };
  });
  const described = workflows.map(({ file, id, description, steps, inputs }) => {
    const markdown = [description, ...[...steps, ...inputs].map((one) => one.description)].join("\n\n");
    return { place: { file }, markdown, pages: [guidePath(id)] };
  });
  const entries = (changelog?.entries ?? []).map(({ text: markdown }) => {
    return { place: { file: changelogFile }, markdown, pages: [firstLevel.changelog.path] };
  });
  return [...written, ...described, ...entries];
}

/** The links of a text that lead into the site. */
function linksOf({ place, markdown, pages, links }: SourceText) {
  return nodesIn(readDescription(markdown, 1)).flatMap((node) => {
    if (node.kind !== "link") return [];
    const { href: address } = node;
    const href = links?.get(address.replace(rootMark, siteScheme)) ?? address.replace(rootMark, "/");
    const isOutside = URL.canParse(address) || address.startsWith("//");
    return isOutside ? [] : [{ place, href, targets: pages.map((page) => targetOf(address, page)) }];
  });
}

const host = "https://docs.example/";

/** The page or file of the site that an address leads to from a page. */
function targetOf(address: string, page: string): Target {
  const base = address.startsWith(rootMark) ? host : host + page;
  const { pathname = "/", hash = "" } = URL.parse(address.replace(rootMark, ""), base) ?? {};
  const path = percentDecode(pathname.slice(1)) ?? "";
  return { path: path.replace(/(?:^|(?<=\/))index\.html$/, ""), anchor: percentDecode(hash.slice(1)) ?? "" };
}
