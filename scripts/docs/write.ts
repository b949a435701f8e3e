import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "../command.ts";
import { isObject, type Document } from "../contract/document.ts";
import { replaceFolder, requireReplaceable, stampName } from "./replaceFolder.ts";
import { makeSite } from "./site.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

export interface WriteOptions {
  /** The bundles, by generation. */
  readonly generations: Readonly<Record<string, Document>>;
  /** The folder that the site is written to. */
  readonly folder: string;
  /** Where the site will be, with a slash at its end. */
  readonly url?: string | undefined;
}

/** Makes the site and puts it in the place of the folder. Resolves to the number of files. */
export async function writeSite(options: WriteOptions): Promise<number> {
  const { generations, folder, url } = options;
  await requireReplaceable(folder);
  const files = await makeSite({ generations, packageName: await readPackageName(), url });
  await replaceFolder(folder, files, await stampOf(options));
  return files.length;
}

/** Tells whether the folder holds the site that the bundles and the scripts, as they are now, would make. */
export async function isUpToDate(options: WriteOptions): Promise<boolean> {
  const stamp = await readFile(join(options.folder, stampName), "utf8").catch(() => undefined);
  return stamp === (await stampOf(options));
}

/** A digest of all that the site is made from: the bundles, these scripts, and the installed packages. */
async function stampOf({ generations, url = "" }: WriteOptions): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([generations, url]));
  const scripts = await readdir(join(project, "scripts"), { recursive: true, withFileTypes: true });
  const sources = scripts.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of [join(project, "package-lock.json"), ...sources.sort()]) hash.update(await readFile(file));
  return hash.digest("hex");
}

async function readPackageName(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  if (!isObject(manifest) || typeof manifest["name"] !== "string") throw new CommandError("package.json has no name");
  return manifest["name"];
}
