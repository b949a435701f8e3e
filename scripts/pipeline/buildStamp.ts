import { readFile, writeFile } from "node:fs/promises";
import { join, normalize, resolve } from "node:path";
import { listGenerations } from "../command/builtGenerations.ts";
import { digestOf, readFolder } from "../command/files.ts";

// Apart from what builds, which takes long to load, and is not needed where nothing has changed.

/** The file with a digest of the sources that a folder was built from, and of its content at that time. */
const stampName = ".built-from";

/** Tells whether neither a folder nor its sources, which have to be in openapi/, have changed since {@link markBuilt}. */
export async function isBuilt(directory: string): Promise<boolean> {
  const stamp = await readFile(join(directory, stampName), "utf8").catch(() => undefined);
  return stamp !== undefined && stamp === (await stampOf(directory));
}

/** Notes that a folder has just been built from the sources in the current folder. */
export async function markBuilt(directory: string): Promise<void> {
  const stamp = await stampOf(directory);
  if (stamp !== undefined) await writeFile(join(directory, stampName), stamp);
}

/** `undefined` if redocly.yaml cannot be read, or a generation is not in openapi/. */
async function stampOf(directory: string): Promise<string | undefined> {
  const file = resolve("redocly.yaml");
  const generations = await listGenerations(file).catch(() => undefined);
  if (generations?.every(({ root }) => normalize(root).startsWith(join("openapi", "/"))) !== true) return undefined;
  const folders = [
    "openapi",
    ...["workflows", ...generations.map(({ name }) => name)].map((name) => join(directory, name)),
  ];
  const contents = await Promise.all(folders.map((folder) => readFolder(resolve(folder))));
  return digestOf([await readFile(file, "utf8"), contents]);
}
