import { readFile, writeFile } from "node:fs/promises";
import { join, normalize, resolve } from "node:path";
import { listGenerations } from "../command/builtGenerations.ts";
import { digestOf, readFolder } from "../command/files.ts";

// In a module apart from the build, which takes long to load and isn't needed if nothing has changed.

/** The file with a digest of a folder's sources and its content at the time of the build. */
const stampName = ".built-from";

/**
 * Returns whether a folder and its sources are unchanged since {@link markBuilt}. The sources must be in
 * openapi/.
 */
export async function isBuilt(directory: string): Promise<boolean> {
  const stamp = await readFile(join(directory, stampName), "utf8").catch(() => undefined);
  return stamp !== undefined && stamp === (await stampOf(directory));
}

/** Records that a folder was just built from the sources in the current folder. */
export async function markBuilt(directory: string): Promise<void> {
  const stamp = await stampOf(directory);
  if (stamp !== undefined) await writeFile(join(directory, stampName), stamp);
}

/** Resolves to `undefined` if redocly.yaml can't be read, or a generation isn't in openapi/. */
async function stampOf(directory: string): Promise<string | undefined> {
  const file = resolve("redocly.yaml");
  const generations = await listGenerations(file).catch(() => undefined);
  if (generations?.every(({ root }) => normalize(root).startsWith(join("openapi", "/"))) !== true) return undefined;
  const folders = [
    "openapi",
    ...["editor", "workflows", ...generations.map(({ name }) => name)].map((name) => join(directory, name)),
  ];
  const contents = await Promise.all(folders.map((folder) => readFolder(resolve(folder))));
  return digestOf([await readFile(file, "utf8"), contents]);
}
