import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compareText } from "../contract/text.ts";
import { parseJson, stringOf, valueAt } from "../spec/json.ts";

/** A package of which a bundle contains modules, as its package.json describes it. */
export interface BundledPackage {
  /** Where it is installed. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly author: string | undefined;
  /** An SPDX expression. */
  readonly license: string | undefined;
}

/** Reads of which packages some modules are, by their paths; sorted by name, then by version. */
export async function readBundledPackages(moduleIds: readonly string[]): Promise<readonly BundledPackage[]> {
  const folders = new Set(moduleIds.flatMap((id) => folderOf(id) ?? []));
  const packages = await Promise.all([...folders].map(readPackage));
  return packages.sort((a, b) => compareText(a.name, b.name) || compareText(a.version, b.version));
}

/** The folder of the package that a module in a bundle is from; `undefined` for the project's own. */
function folderOf(id: string): string | undefined {
  // Modules that do not exist as files are rolldown's own helpers.
  if (id.startsWith("\0")) return dirname(dirname(fileURLToPath(import.meta.resolve("rolldown"))));
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(id)?.[0];
}

async function readPackage(folder: string): Promise<BundledPackage> {
  const manifest = parseJson(await readFile(join(folder, "package.json"), "utf8"));
  return {
    folder,
    name: String(valueAt(manifest, ["name"])),
    version: String(valueAt(manifest, ["version"])),
    author: stringOf(valueAt(manifest, ["author"])),
    license: stringOf(valueAt(manifest, ["license"])),
  };
}
