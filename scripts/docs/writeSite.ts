import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { changeFolder, compareFolder } from "../command/files.ts";
import { errorCode, UserError } from "../contract/failures.ts";
import type { Generation } from "../contract/generation.ts";
import { isObject } from "../contract/openapi.ts";
import { renderSite } from "./renderSite.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** Marks a folder as one that the docs were written to, and says from what. */
const stampName = ".made-from";

export interface WriteOptions {
  readonly generations: readonly Generation[];
  /** The folder that the site is written to. */
  readonly folder: string;
  /** Where the site will be, with a slash at its end. */
  readonly url?: string | undefined;
  /** The mock that all samples are sent to, without a slash at its end; by default, they go to the contract's servers. */
  readonly mockUrl?: string | undefined;
}

/**
 * Renders the site into a folder, in the place of an earlier one. Resolves to the number of files.
 * Throws {@link UserError} if the folder contains anything else: that is not ours to remove.
 */
export async function writeSite(options: WriteOptions): Promise<number> {
  const { generations, folder, url, mockUrl } = options;
  await requireReplaceable(folder);
  const files = await renderSite({ generations, packageName: await readPackageName(), url, mockUrl });
  const stamp = { path: stampName, content: await stampOf(options) };
  await changeFolder(folder, await compareFolder(folder, [...files, stamp]));
  return files.length;
}

/** Tells whether the folder contains the site that the bundles and the scripts, as they are now, would make. */
export async function isUpToDate(options: WriteOptions): Promise<boolean> {
  const stamp = await readFile(join(options.folder, stampName), "utf8").catch(() => undefined);
  return stamp === (await stampOf(options));
}

async function requireReplaceable(folder: string): Promise<void> {
  const present = await readdir(folder).catch((error: unknown): string[] => {
    if (errorCode(error) === "ENOENT") return [];
    if (errorCode(error) === "ENOTDIR") throw new UserError(`${folder} is a file: name a folder with --out`);
    throw error;
  });
  if (present.length === 0 || present.includes(stampName)) return;
  throw new UserError(`${folder} contains other files: empty it, or name another folder with --out`);
}

/** A digest of all that the site is made from: the bundles, these scripts, and the installed packages. */
async function stampOf({ generations, url = "", mockUrl = "" }: WriteOptions): Promise<string> {
  const documents = generations.map(({ name, document }) => [name, document]);
  const hash = createHash("sha256").update(JSON.stringify([documents, url, mockUrl]));
  const scripts = await readdir(join(project, "scripts"), { recursive: true, withFileTypes: true });
  const sources = scripts.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of [join(project, "package-lock.json"), ...sources.sort()]) hash.update(await readFile(file));
  return hash.digest("hex");
}

async function readPackageName(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  if (!isObject(manifest) || typeof manifest["name"] !== "string") throw new UserError("package.json has no name");
  return manifest["name"];
}
