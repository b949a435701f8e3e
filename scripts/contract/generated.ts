import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { CommandError, errorCode } from "../command.ts";
import type { Output } from "./outputs.ts";
import { compareText } from "./problems.ts";

/** What has to happen to a folder of generated files before it is what the sources give. */
export interface Changes {
  readonly written: readonly Output[];
  /** Paths of files that nothing makes any more, relative to the folder. */
  readonly removed: readonly string[];
}

/**
 * Compares a folder with the outputs that belong there. Within the given subfolders every file has to be an output;
 * whatever else is in the folder is none of our business.
 */
export async function findChanges(
  directory: string,
  subfolders: readonly string[],
  outputs: readonly Output[],
): Promise<Changes> {
  const current = new Map<string, string>();
  for (const subfolder of subfolders) {
    for (const path of await listFiles(join(directory, subfolder))) {
      current.set(relative(directory, path).replaceAll(sep, "/"), await readFile(path, "utf8"));
    }
  }
  const expected = new Set(outputs.map(({ path }) => path));
  return {
    written: outputs.filter(({ path, content }) => current.get(path) !== content),
    removed: [...current.keys()].filter((path) => !expected.has(path)).sort(compareText),
  };
}

/**
 * Makes the changes: all files are written aside first, so that a full disk or the like leaves the folder as it was,
 * and then take their places. Throws {@link CommandError} where the file system refuses.
 */
export async function applyChanges(directory: string, changes: Changes): Promise<void> {
  if (changes.written.length === 0 && changes.removed.length === 0) return;
  try {
    await replaceFiles(directory, changes);
  } catch (error) {
    if (!(error instanceof Error) || errorCode(error) === undefined) throw error;
    throw new CommandError(`${directory} cannot be written: ${error.message}`);
  }
}

async function replaceFiles(directory: string, { written, removed }: Changes): Promise<void> {
  await mkdir(directory, { recursive: true });
  const aside = await mkdtemp(join(directory, ".new-"));
  try {
    for (const [index, { content }] of written.entries()) await writeFile(join(aside, String(index)), content);
    for (const { path } of written) await mkdir(dirname(join(directory, path)), { recursive: true });
    for (const [index, { path }] of written.entries()) await rename(join(aside, String(index)), join(directory, path));
    for (const path of removed) await rm(join(directory, path));
  } finally {
    await rm(aside, { recursive: true });
  }
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
