import { load } from "js-yaml";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readBundles, selectByName } from "../contract/bundles.ts";
import { messageOf, UserError } from "../contract/failures.ts";
import type { Generation } from "../contract/generation.ts";
import { isObject } from "../spec/json.ts";

/**
 * Reads the bundles in generated/ of the generations in redocly.yaml, or of only one of them, the oldest version first.
 * Redocly's own reader of that file is not used: loading it takes longer than the mock takes to start.
 * Throws {@link UserError} if the file or a bundle is missing or cannot be used, and for an unknown generation.
 */
export async function readBuiltGenerations(only?: string): Promise<readonly Generation[]> {
  const names = await readNames(resolve("redocly.yaml"));
  const selected = selectByName(
    names.map((name) => ({ name })),
    only,
  );
  return readBundles(
    resolve("generated"),
    selected.map(({ name }) => name),
  );
}

async function readNames(file: string): Promise<readonly string[]> {
  let configuration: unknown;
  try {
    configuration = load(await readFile(file, "utf8"));
  } catch (error) {
    const [reason = ""] = messageOf(error).split("\n");
    throw new UserError(`${file} cannot be read: ${reason}`);
  }
  const names = isObject(configuration) && isObject(configuration["apis"]) ? Object.keys(configuration["apis"]) : [];
  if (names.length === 0) throw new UserError(`${file} lists no generation: add one under "apis:"`);
  return names;
}
