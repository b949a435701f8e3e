import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CommandError, errorCode } from "../command.ts";
import type { SiteFile } from "./siteFile.ts";

/** Marks a folder as one that the docs were written to, and says from what. */
export const stampName = ".made-from";

/** Throws {@link CommandError} where a folder holds something else than an earlier site: that is not ours to remove. */
export async function requireReplaceable(folder: string): Promise<void> {
  const present = await list(folder);
  if (present === undefined || present.length === 0 || present.includes(stampName)) return;
  throw new CommandError(`${folder} holds other files: empty it, or name another folder with --out`);
}

/** Puts files in the place of a folder: they are written aside first, so that it is as it was where that fails. */
export async function replaceFolder(folder: string, files: readonly SiteFile[], stamp: string): Promise<void> {
  await requireReplaceable(folder);
  await mkdir(dirname(folder), { recursive: true });
  const aside = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const next = join(aside, "new");
    for (const { path, content } of [...files, { path: stampName, content: stamp }]) {
      const target = join(next, ...path.split("/"));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    }
    if ((await list(folder)) !== undefined) await rename(folder, join(aside, "old"));
    await rename(next, folder);
  } finally {
    await rm(aside, { recursive: true });
  }
}

async function list(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "ENOTDIR") throw new CommandError(`${folder} is a file: name a folder with --out`);
    throw error;
  }
}
