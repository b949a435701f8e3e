import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../contract/failures.ts";
import { isObject, parseJson } from "../spec/json.ts";
import type { SearchIndex } from "../docs/browser/findPages.ts";
import type { DocsSource } from "./readDocs.ts";

/** Reads the docs of the package. The bundle with this module is in the package's `mock/`. */
export async function readPackagedDocs(): Promise<DocsSource> {
  const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "docs");
  const index = parseJson(await readFile(join(folder, "search-index.json"), "utf8"));
  if (!isSearchIndex(index))
    throw new UserError("docs/search-index.json in the package is damaged. Install the package again");
  return { index, readFile: (path) => readFile(join(folder, path), "utf8") };
}

function isSearchIndex(value: unknown): value is SearchIndex {
  return isObject(value) && Array.isArray(value["entries"]);
}
