import { stringifyYaml } from "@redocly/openapi-core";
import { readFile } from "node:fs/promises";
import { listOperations, type Document } from "../contract/document.ts";
import { applyColorMode } from "./browser.ts";
import { commonTitle, documentGeneration, type DocumentedGeneration } from "./generation.ts";
import { markdownFiles } from "./markdown.ts";
import type { SiteContext } from "./page.ts";
import { coveragePage } from "./pages/coverage.ts";
import { indexPage } from "./pages/index.ts";
import { notFoundPage } from "./pages/notFound.ts";
import { referencePage, referenceScript } from "./pages/reference.ts";
import { hashedName, prerender, rendererScript, type RedocOptions } from "./redoc.ts";
import { samplesOf } from "./samples/samples.ts";
import type { SiteFile } from "./siteFile.ts";

export interface SiteOptions {
  /** The bundles, by generation. */
  readonly generations: Readonly<Record<string, Document>>;
  /** The npm package whose client the samples use. */
  readonly packageName: string;
  /** Where the site will be, with a slash at its end. */
  readonly url?: string | undefined;
}

/** Makes every file of the site, which works under any path of any host. The same bundles give the same files. */
export async function makeSite({ generations, packageName, url }: SiteOptions): Promise<readonly SiteFile[]> {
  const documented = Object.entries(generations).map(([name, document]) =>
    documentGeneration(name, document, packageName),
  );
  const styles = hashedFile("assets/site", "css", await readFile(new URL("site.css", import.meta.url), "utf8"));
  const icon = hashedFile("assets/favicon", "svg", await readFile(new URL("favicon.svg", import.meta.url), "utf8"));
  const colorMode = hashedFile("assets/color-mode", "js", `(${applyColorMode.toString()})();\n`);
  const site: SiteContext = {
    title: commonTitle(documented),
    navigation: [
      ...documented.map(({ name }) => ({ title: name, path: `${name}/` })),
      { title: "Coverage", path: "coverage/" },
    ],
    url,
    styles: styles.path,
    icon: icon.path,
    colorModeScript: colorMode.path,
  };
  return [
    styles,
    colorMode,
    icon,
    { path: "index.html", content: indexPage(site, documented, packageName) },
    { path: "coverage/index.html", content: coveragePage(site, documented) },
    { path: "404.html", content: notFoundPage(site) },
    ...(await references(site, documented, packageName)),
    ...documented.flatMap(downloads),
    ...markdownFiles(documented, packageName),
    ...(url === undefined ? [] : sitemap(url, ["", ...site.navigation.map(({ path }) => path)])),
  ];
}

/** The reference page of each generation, and what all of them load. */
async function references(
  site: SiteContext,
  generations: readonly DocumentedGeneration[],
  packageName: string,
): Promise<readonly SiteFile[]> {
  const renderer = await rendererScript();
  const script = hashedFile("assets/redoc", "js", renderer);
  const files = await Promise.all(
    generations.map(async (generation) => {
      const options = redocOptions(generation, packageName);
      const { markup, style } = await prerender(generation.prepared, options);
      // Generations mostly have the same styles, and then share one file.
      const styles = hashedFile("assets/redoc", "css", style);
      const page = { markup, rendererScript: script.path, rendererStyles: styles.path };
      return [
        styles,
        { path: `${generation.name}/index.html`, content: referencePage(site, generation, page) },
        { path: `${generation.name}/reference.js`, content: referenceScript(generation, options) },
      ];
    }),
  );
  return [...new Map([script, ...files.flat()].map((file) => [file.path, file])).values()];
}

function redocOptions({ name, document }: DocumentedGeneration, packageName: string): RedocOptions {
  const samples = listOperations(document).flatMap((entry) => samplesOf(document, entry, `${packageName}/${name}`));
  // The renderer shows an operation's samples only of languages that are listed here, in this order.
  const languages = new Map(samples.map(({ lang, label }) => [label, { lang, label }]));
  return {
    skipBundle: true,
    disableTelemetry: true,
    downloadUrls: ["openapi.yaml", "openapi.json"].map((file) => ({ title: file, url: file })),
    codeSamples: { languages: [...languages.values(), { lang: "payload", label: "Payload" }] },
    jsonSamplesExpandLevel: "all",
  };
}

function downloads({ name, document }: DocumentedGeneration): readonly SiteFile[] {
  return [
    { path: `${name}/openapi.yaml`, content: stringifyYaml(document, { noRefs: true, lineWidth: -1 }) },
    { path: `${name}/openapi.json`, content: `${JSON.stringify(document, null, 2)}\n` },
  ];
}

/** For crawlers (sitemaps.org, protocol 0.9). */
function sitemap(url: string, paths: readonly string[]): readonly SiteFile[] {
  const locations = paths.map((path) => `  <url><loc>${url}${path}</loc></url>`);
  return [
    {
      path: "sitemap.xml",
      content: [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        ...locations,
        "</urlset>",
        "",
      ].join("\n"),
    },
    { path: "robots.txt", content: `User-agent: *\nAllow: /\n\nSitemap: ${url}sitemap.xml\n` },
  ];
}

function hashedFile(name: string, extension: string, content: string): SiteFile {
  return { path: hashedName(name, extension, content), content };
}
