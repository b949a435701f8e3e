import { load } from "js-yaml";
import { hash } from "node:crypto";
import { mkdir, mkdtempDisposable, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCode, ifAbsent, messageOf, UserError } from "../contract/failures.ts";
import { compareText, splitOnce } from "../values/text.ts";
import { parseJson } from "../values/json.ts";
import { unreadable } from "./unreadable.ts";

/** A file to write: its path relative to a folder, with slashes, and its whole text. */
export interface TextFile {
  readonly path: string;
  readonly content: string;
  /** The encoding of binary content. */
  readonly encoding?: "base64";
}

export type FolderChanges = Readonly<Awaited<ReturnType<typeof compareFolder>>>;

/** Compares a folder, or some of its subfolders, with the files that belong there. */
export async function compareFolder(folder: string, files: readonly TextFile[], subfolders: readonly string[] = [""]) {
  const current = new Map<string, string>();
  for (const subfolder of subfolders) {
    for (const { path, content } of await readFolder(join(folder, subfolder))) {
      current.set(posix.join(subfolder, path), content);
    }
  }
  const expected = new Set(files.map(({ path }) => path));
  return {
    written: files.filter(({ path, content }) => current.get(path) !== content),
    removed: [...current.keys()].filter((path) => !expected.has(path)).sort(compareText),
  };
}

/** Reads a file of text that a person has named. Throws {@link UserError} if it cannot be read. */
export async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

/** Reads a YAML or JSON file that a person has named. Throws {@link UserError} if it is neither. */
export async function readYaml(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    // A YAML alias may contain itself, which JSON rejects.
    return parseJson(JSON.stringify(load(text)));
  } catch (error) {
    const [reason] = splitOnce(messageOf(error), "\n");
    throw new UserError(`${file} is neither YAML nor JSON: ${reason}`);
  }
}

/** Reads all files in a folder and its subfolders. Resolves to an empty list if the folder doesn't exist. */
export async function readFolder(folder: string): Promise<readonly TextFile[]> {
  const paths = await listFiles(folder);
  const files = paths.map(async (path) => ({ path, content: await readFile(join(folder, path), "utf8") }));
  return (await Promise.all(files)).sort((a, b) => compareText(a.path, b.path));
}

/** The paths of all files in a folder and its subfolders, relative to the folder, with slashes. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifAbsent([]));
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, "/"));
}

/**
 * Changes a folder. Writes all files to temporary ones first, so that a full disk leaves the folder
 * unchanged.
 */
export async function changeFolder(folder: string, { written, removed }: FolderChanges): Promise<void> {
  if (written.length === 0 && removed.length === 0) return;
  await changeTogether(folder, async (write) => {
    await write(written);
    return removed;
  });
}

/** The files that {@link replaceFolder} compares and writes at the same time. */
const batchSize = 50;

/**
 * Replaces the content of a folder, as {@link changeFolder} does. Few of the files are in memory at any time. Resolves
 * to their number.
 */
export async function replaceFolder(folder: string, files: AsyncIterable<TextFile>): Promise<number> {
  const former = new Set(await listFiles(folder));
  let count = 0;
  await changeTogether(folder, async (write) => {
    for await (const batch of batchesOf(files)) {
      count += batch.length;
      const isChanged = await Promise.all(batch.map((file) => differs(folder, file)));
      await write(batch.filter((_, index) => isChanged[index]));
      for (const { path } of batch) former.delete(path);
    }
    return [...former];
  });
  return count;
}

async function* batchesOf(files: AsyncIterable<TextFile>): AsyncGenerator<readonly TextFile[]> {
  let batch: TextFile[] = [];
  for await (const file of files) {
    batch.push(file);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function differs(folder: string, { path, content, encoding }: TextFile): Promise<boolean> {
  return (await readFile(join(folder, path), encoding ?? "utf8").catch(() => undefined)) !== content;
}

/**
 * Writes files to temporary ones as `change` passes them on, and moves them to their places when it resolves. Then
 * removes the files whose paths it resolves to. Throws {@link UserError} if that fails, or the error of `change`.
 */
async function changeTogether(
  folder: string,
  change: (write: (files: readonly TextFile[]) => Promise<void>) => Promise<readonly string[]>,
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    // Inside the folder, because files can't be renamed across file systems.
    await using aside = await mkdtempDisposable(join(folder, ".new-"));
    const asideOf = (index: number) => join(aside.path, String(index));
    const paths: string[] = [];
    const removed = await change(async (files) => {
      const begin = paths.length;
      paths.push(...files.map(({ path }) => path));
      const writing = files.map(({ content, encoding }, index) => writeFile(asideOf(begin + index), content, encoding));
      await Promise.all(writing);
    });
    const parents = new Set(paths.map((path) => dirname(join(folder, path))));
    await Promise.all([...parents].map((parent) => mkdir(parent, { recursive: true })));
    for (const [index, path] of paths.entries()) await rename(asideOf(index), join(folder, path));
    for (const path of removed) await removeFile(folder, path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new UserError(`${folder} cannot be written: ${messageOf(error)}`);
  }
}

/** Removes a file, and parent folders that become empty. */
async function removeFile(folder: string, path: string): Promise<void> {
  await rm(join(folder, path));
  try {
    for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) await rmdir(join(folder, parent));
  } catch (error) {
    if (errorCode(error) !== "ENOTEMPTY") throw error;
  }
}

/** A digest of a build's inputs: data that can be stored as JSON, these scripts, and the installed packages. */
export async function digestOf(data: unknown): Promise<string> {
  const project = fileURLToPath(new URL("../..", import.meta.url));
  const scripts = await readFolder(join(project, "scripts"));
  const lock = await readFile(join(project, "package-lock.json"), "utf8");
  return hash("sha256", JSON.stringify([data, scripts, lock]));
}
