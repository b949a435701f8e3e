import { resolve } from "node:path";
import type { TextFile } from "../command/files.ts";
import { readBundles } from "../contract/bundles.ts";
import { readTexts } from "../docs/site/writeSite.ts";

/** Makes the docs in the package from the bundles in the current folder: Markdown, `llms.txt`, and an index to search them. */
export async function makeDocsFiles(generations: readonly string[]): Promise<readonly TextFile[]> {
  const { files, index } = await readTexts(await readBundles(resolve("generated"), generations));
  return [
    ...files.map(({ path, content }) => ({ path: `docs/${path}`, content: leadIntoPackage(content, generations) })),
    { path: "docs/search-index.json", content: JSON.stringify(index) },
  ];
}

/**
 * Leads the links to OpenAPI descriptions out of docs/, as these are beside it. Leaves out the lines about the file with all
 * pages, which the package lacks.
 */
function leadIntoPackage(content: string, generations: readonly string[]): string {
  const kept = content.split("\n").filter((line) => !line.includes("llms-full.txt"));
  return generations.reduce(
    (text, name) => text.replaceAll(`./${name}/openapi.`, `./../${name}/openapi.`),
    kept.join("\n"),
  );
}
