import { readFile, writeFile } from "node:fs/promises";
import { join, normalize, resolve } from "node:path";
import { load } from "js-yaml";
import { digestOf } from "../command/digest.ts";
import { readFolder } from "../command/files.ts";
import { membersOf } from "../spec/json.ts";
import { valueAt } from "../spec/jsonPointer.ts";
import { compareText } from "../contract/text.ts";

// Apart from what builds, which takes long to load, and is not needed where nothing has changed.

/** The file with a digest of the sources that a folder was built from, and of its content at that time. */
const stampName = ".built-from";

/**
 * Tells whether a folder contains what the sources in the current folder would give, because neither has changed since
 * {@link markBuilt}. Of sources outside of openapi/ it cannot tell, and resolves to `false`.
 */
export async function isBuilt(directory: string): Promise<boolean> {
  const stamp = await readFile(join(directory, stampName), "utf8").catch(() => undefined);
  return stamp !== undefined && stamp === (await stampOf(directory));
}

/** Notes that a folder has just been built from the sources in the current folder. */
export async function markBuilt(directory: string): Promise<void> {
  const stamp = await stampOf(directory);
  if (stamp !== undefined) await writeFile(join(directory, stampName), stamp);
}

async function stampOf(directory: string): Promise<string | undefined> {
  const text = await readFile(resolve("redocly.yaml"), "utf8").catch(() => "");
  const names = generationNames(text);
  if (names === undefined) return undefined;
  const folders = ["openapi", join(directory, "workflows"), ...names.map((name) => join(directory, name))];
  const contents = await Promise.all(folders.map((folder) => readFolder(resolve(folder))));
  const sorted = contents.map((files) => files.toSorted((a, b) => compareText(a.path, b.path)));
  return digestOf([text, sorted]);
}

/** The names of the generations in a redocly.yaml; `undefined` if it cannot be read, or one is not in openapi/. */
function generationNames(text: string): readonly string[] | undefined {
  try {
    const apis = membersOf(valueAt(load(text), ["apis"]));
    const isOurs = (root: unknown) => typeof root === "string" && /^openapi[\\/]/.test(normalize(root));
    return apis.every(([, api]) => isOurs(valueAt(api, ["root"]))) ? apis.map(([name]) => name) : undefined;
  } catch {
    return undefined;
  }
}
