import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../contract/failures.ts";
import { parseJson, stringsOf } from "../values/json.ts";
import type { DocsSource } from "./readDocs.ts";

/** Reads the docs of the package. The bundle with this module is in the package's `mock/`. */
export async function readPackagedDocs(): Promise<DocsSource> {
  const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "docs");
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const texts = paths.map(
      async (path) => [relative(folder, path).replaceAll(sep, "/"), await readFile(path, "utf8")] as const,
    );
    const files = new Map(await Promise.all(texts));
    const synonyms: unknown = parseJson(files.get("search-synonyms.json") ?? "");
    if (!Array.isArray(synonyms)) throw new TypeError("search-synonyms.json holds no list");
    const pairs = synonyms.map((pair): readonly [string, string] => {
      const [typed = "", meant = ""] = stringsOf(pair);
      return [typed, meant];
    });
    return { files, synonyms: pairs };
  } catch {
    throw new UserError("docs/ in the package is damaged. Install the package again");
  }
}
