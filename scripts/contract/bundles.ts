import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { errorCode, messageOf, UserError } from "./failures.ts";
import { byVersion, readGeneration, type Generation } from "./generation.ts";
import { jsonPointer, parseJson } from "../values/json.ts";
import { isDocument, isReference, referencedValue, resolve } from "../spec/openapi.ts";
import { findTooDeep, maxLevels } from "../spec/referenceDepth.ts";
import { keysTo, walk } from "../spec/walk.ts";

/** The folder with the bundles of the last release, one file for each generation. */
export const releasedFolder = "openapi/released";

/**
 * Reads `<directory>/<name>/openapi.json` for each name, the oldest version first. Throws {@link UserError}
 * for an unusable one.
 */
export async function readBundles(directory: string, names: readonly string[]): Promise<readonly Generation[]> {
  const generations = await Promise.all(names.map((name) => readBundle(name, join(directory, name, "openapi.json"))));
  return generations.sort(byVersion);
}

/** The names of the folders that contain a bundle. */
export async function listBundles(directory: string): Promise<readonly string[]> {
  const paths = await readdir(directory, { recursive: true }).catch(() => []);
  return paths.flatMap((path) => {
    const [folder = "", file, ...inside] = path.split(sep);
    return file === "openapi.json" && inside.length === 0 ? folder : [];
  });
}

async function readBundle(name: string, file: string): Promise<Generation> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") throw new UserError(`${file} does not exist: run npm run build first`);
    throw new UserError(`${file} cannot be read: ${messageOf(error)}`);
  });
  const document = parseJson(text);
  if (!isDocument(document)) throw new UserError(`${file} is not an OpenAPI 3.1 bundle: run npm run build again`);
  const error = findBundleError(document);
  if (error !== undefined) throw new UserError(`${file} cannot be used, ${error}: run npm run build again`);
  return readGeneration(name, document);
}

/** Why a bundle can't be read, with the place. A bundle that passed lint has no such errors. */
export function findBundleError(document: object): string | undefined {
  // Comes first, because long chains of references take long to follow.
  const targetOf = (object: object) => (isReference(object) ? referencedValue(document, object.$ref) : undefined);
  const tooDeep = findTooDeep(document, targetOf);
  for (const place of walk(document)) {
    const { value, depth } = place;
    try {
      if (value === null) throw new Error("null where a part of the description should be");
      if (depth > maxLevels) throw new Error(tooManyLevels);
      if (depth > 0 && value === tooDeep?.value) throw new Error(`${tooManyLevels}, counted through references`);
      if (tooDeep === undefined && isReference(value)) resolve(document, value);
    } catch (error) {
      return `at #${jsonPointer(keysTo(place).slice(0, 20))}: ${messageOf(error)}`;
    }
  }
  return tooDeep && `${tooManyLevels}, counted through references`;
}

const tooManyLevels = `nested more than ${maxLevels} levels deep`;
