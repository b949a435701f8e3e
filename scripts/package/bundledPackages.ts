import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compareText } from "../values/text.ts";
import { parseJson, stringOf, valueAt } from "../values/json.ts";

/** A package with modules in a bundle, as its package.json describes it. */
export interface BundledPackage {
  /** The folder where it is installed. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly author: string | undefined;
  /** An SPDX expression. */
  readonly license: string | undefined;
}

/** Reads the packages of some modules, given the modules' paths. Sorted by name, then by version. */
export async function readBundledPackages(moduleIds: readonly string[]): Promise<readonly BundledPackage[]> {
  const folders = new Set(moduleIds.flatMap((id) => folderOf(id) ?? []));
  const packages = await Promise.all([...folders].map(readPackage));
  return packages.sort((a, b) => compareText(a.name, b.name) || compareText(a.version, b.version));
}

/** The folder of a bundled module's package. `undefined` for the project's own modules. */
function folderOf(id: string): string | undefined {
  // Modules that don't exist as files are rolldown's helpers.
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
