import { isDeepStrictEqual } from "node:util";
import { parseYaml } from "@redocly/openapi-core";
import { readFolder } from "../command/files.ts";
import { releasedFolder } from "../contract/bundles.ts";
import type { Generation } from "../contract/generation.ts";

/** Returns whether the bundles of the last release are equal to those of some generations. */
export async function isAsReleased(generations: readonly Generation[]): Promise<boolean> {
  const bundles = (await readFolder(releasedFolder)).filter(({ path }) => path.endsWith(".yaml"));
  const released = bundles.map(({ path, content }): [string, unknown] => [path, parseYaml(content)]);
  const current = generations.map(({ name, document }): [string, unknown] => [`${name}.yaml`, document]);
  return isDeepStrictEqual(Object.fromEntries(released), Object.fromEntries(current));
}

/** A version above that of a release, and below all later releases: `0.1.1-preview` after `0.1.0` (Semantic Versioning 2.0.0). */
export function previewVersion(released: string): string {
  const [major = "0", minor = "0", patch = "0"] = released.split(".");
  return `${major}.${minor}.${Number(patch) + 1}-preview`;
}
