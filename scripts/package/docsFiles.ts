import { resolve } from "node:path";
import type { TextFile } from "../command/files.ts";
import { readBundles } from "../contract/bundles.ts";
import { readTexts } from "../docs/site/writeSite.ts";

/** Makes the docs in the package from the bundles in the current folder: Markdown, `llms.txt`, and words for the search. */
export async function makeDocsFiles(generations: readonly string[]): Promise<readonly TextFile[]> {
  const { files, synonyms } = await readTexts(await readBundles(resolve("generated"), generations));
  return [
    ...[...files].map(([path, content]) => ({ path: `docs/${path}`, content: leadIntoPackage(content, generations) })),
    { path: "docs/search-synonyms.json", content: JSON.stringify(synonyms) },
  ];
}

/**
 * Leads the links to OpenAPI descriptions out of docs/, as these are beside it. Leaves out the lines about files that the
 * package lacks: the one with all pages, and the descriptions in YAML.
 */
function leadIntoPackage(content: string, generations: readonly string[]): string {
  const lacks = (line: string) => line.includes("llms-full.txt") || line.includes("/openapi.yaml)");
  const kept = content.split("\n").filter((line) => !lacks(line));
  return generations.reduce(
    (text, name) => text.replaceAll(`./${name}/openapi.`, `./../${name}/openapi.`),
    kept.join("\n"),
  );
}
