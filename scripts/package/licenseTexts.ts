import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../contract/failures.ts";
import { compareText } from "../values/text.ts";
import type { BundledPackage } from "./bundledPackages.ts";

/**
 * The licenses of packages, which must be distributed with them, below each package's name, version and
 * author. Throws {@link UserError} for a package without a known license.
 */
export async function formatLicenses(packages: readonly BundledPackage[]): Promise<string> {
  const licenses = await Promise.all(packages.map(formatLicense));
  return licenses.join(`\n${"-".repeat(80)}\n\n`);
}

async function formatLicense({ folder, name, version, author, license }: BundledPackage): Promise<string> {
  const texts = await readTexts(folder, /^(?:licen[cs]e|copying|(?:copyright)?notice)(?:\.|$)/i);
  if (texts.length === 0) {
    if (license !== "MIT") {
      throw new UserError(`${name} cannot be bundled: it has no license file, and its license is not MIT`);
    }
    // Some authors are named only at the end of the README.
    const readmes = await readTexts(folder, /^readme\b/i);
    const mit = await readFile(new URL("MIT.txt", import.meta.url), "utf8");
    texts.push(...readmes.flatMap((readme) => /^\W*licen[cs]e\b[^]*/im.exec(readme) ?? []), mit);
  }
  const lines = [
    `${name} ${version}`,
    ...(author === undefined ? [] : [`Author: ${author}`]),
    ...texts.map((text) => `\n${text.trim()}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** The files in a folder with matching names. */
async function readTexts(folder: string, pattern: RegExp): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const files = entries.map(({ name }) => name).filter((name) => pattern.test(name));
  return Promise.all(files.sort(compareText).map((file) => readFile(join(folder, file), "utf8")));
}
