import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { TextFile } from "../command/files.ts";
import type { Generation } from "../contract/generation.ts";
import { formatJson, formatYaml } from "../pipeline/buildGenerated.ts";
import { commonTitle } from "./introduction.ts";
import { markdownFiles } from "./markdown.ts";
import type { SiteContext } from "./page.ts";
import { coveragePage } from "./pages/coverage.ts";
import { indexPage } from "./pages/index.ts";
import { notFoundPage } from "./pages/notFound.ts";
import { referencePage, referenceScript } from "./pages/reference.ts";
import { applyColorMode } from "./pageScripts.ts";
import { annotate, prepareForRenderer, rendererSamples } from "./prepare.ts";
import { prerender, rendererScript, type RedocOptions } from "./redoc.ts";

export interface SiteOptions {
  readonly generations: readonly Generation[];
  /** The npm package whose client the samples use. */
  readonly packageName: string;
  /** Where the site will be, with a slash at its end. */
  readonly url?: string | undefined;
}

/** Makes every file of the site, which works under any path of any host. The same bundles give the same files. */
export async function renderSite({ generations, packageName, url }: SiteOptions): Promise<readonly TextFile[]> {
  const styles = hashedFile("assets/site", "css", await readFile(new URL("site.css", import.meta.url), "utf8"));
  const icon = hashedFile("assets/favicon", "svg", await readFile(new URL("favicon.svg", import.meta.url), "utf8"));
  const colorMode = hashedFile("assets/color-mode", "js", `(${applyColorMode.toString()})();\n`);
  const site: SiteContext = {
    title: commonTitle(generations),
    navigation: [
      ...generations.map(({ name }) => ({ title: name, path: `${name}/` })),
      { title: "Coverage", path: "coverage/" },
    ],
    url,
    styles: styles.path,
    icon: icon.path,
    colorModeScript: colorMode.path,
  };
  const annotated = generations.map(annotate);
  return [
    styles,
    colorMode,
    icon,
    { path: "index.html", content: indexPage(site, generations, packageName) },
    { path: "coverage/index.html", content: coveragePage(site, generations) },
    { path: "404.html", content: notFoundPage(site) },
    ...(await references(site, annotated, packageName)),
    ...generations.flatMap(({ name, document }) => [
      { path: `${name}/openapi.yaml`, content: formatYaml(document) },
      { path: `${name}/openapi.json`, content: formatJson(document) },
    ]),
    ...markdownFiles(annotated, packageName),
    ...(url === undefined ? [] : sitemap(url, ["", ...site.navigation.map(({ path }) => path)])),
  ];
}

/** The reference page of each generation, and what all of them load. */
async function references(site: SiteContext, generations: readonly Generation[], packageName: string) {
  const script = hashedFile("assets/redoc", "js", await rendererScript());
  const files = await Promise.all(
    generations.map(async (generation) => {
      const module = `${packageName}/${generation.name}`;
      const document = prepareForRenderer(generation, module);
      const options = redocOptions(generation, module);
      const { markup, style } = await prerender(document, options);
      // Generations mostly have the same styles, and then share one file.
      const styles = hashedFile("assets/redoc", "css", style);
      const page = { markup, rendererScript: script.path, rendererStyles: styles.path };
      return [
        styles,
        { path: `${generation.name}/index.html`, content: referencePage(site, generation, page) },
        { path: `${generation.name}/reference.js`, content: referenceScript(generation, document, options) },
      ];
    }),
  );
  return [...new Map([script, ...files.flat()].map((file) => [file.path, file])).values()];
}

function redocOptions({ operations }: Generation, module: string): RedocOptions {
  const samples = operations.flatMap((operation) => rendererSamples(operation, module));
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

/** For crawlers (sitemaps.org, protocol 0.9). */
function sitemap(url: string, paths: readonly string[]): readonly TextFile[] {
  const locations = paths.map((path) => `  <url><loc>${url}${path}</loc></url>`);
  return [
    {
      path: "sitemap.xml",
      content: `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${locations.join("\n")}
</urlset>
`,
    },
    { path: "robots.txt", content: `User-agent: *\nAllow: /\n\nSitemap: ${url}sitemap.xml\n` },
  ];
}

/** A file whose name changes with its content, so that browsers may keep it for ever. */
function hashedFile(name: string, extension: string, content: string): TextFile {
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 12);
  return { path: `${name}-${digest}.${extension}`, content };
}
