import { join } from "node:path";
import type { HtmlPage } from "./htmlPage.ts";

/** The links of a site's pages that lead to no file of the site, or to no place in a page: `page: link`. */
export function brokenLinks(
  files: ReadonlyMap<string, string>,
  pages: ReadonlyMap<string, HtmlPage>,
  siteUrl = "https://docs.example/",
): readonly string[] {
  return [...pages].flatMap(([path, { elements }]) => {
    const links = elements.flatMap(({ attributes: { href, src } }) => [href, src].filter((link) => link !== undefined));
    return links
      .filter((link) => !leadsSomewhere(files, pages, new URL(link, siteUrl + path), siteUrl))
      .map((link) => `${path}: ${link}`);
  });
}

function leadsSomewhere(
  files: ReadonlyMap<string, string>,
  pages: ReadonlyMap<string, HtmlPage>,
  url: URL,
  siteUrl: string,
): boolean {
  const { href, hash } = url;
  // Descriptions may lead anywhere.
  if (!href.startsWith(siteUrl)) return url.origin !== new URL(siteUrl).origin;
  const path = decodeURI(href.replace(hash, "").replace(/\?.*/, "").slice(siteUrl.length));
  const page = pages.get(path);
  if (page === undefined) return files.has(path) || files.has(join(path, "index.html"));
  return hash === "" || page.byId.has(decodeURIComponent(hash.slice(1)));
}
