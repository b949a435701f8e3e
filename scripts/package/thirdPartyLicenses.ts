import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../contract/failures.ts";
import { isObject } from "../spec/json.ts";
import { compareText } from "../contract/text.ts";

/**
 * Describes the packages in some folders, for distribution with a bundle that contains them: name, version, author and
 * the text of the license. Throws {@link UserError} if that text is not known for a package.
 */
export async function describeLicenses(folders: readonly string[]): Promise<string> {
  const sections = await Promise.all(folders.map(describePackage));
  return sections.sort(compareText).join(`\n${"-".repeat(80)}\n\n`);
}

async function describePackage(folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const { name, version, author, license } = isObject(manifest) ? manifest : {};
  const readTexts = async (pattern: RegExp) => {
    const files = (await readdir(folder, { withFileTypes: true })).filter((file) => file.isFile());
    const found = files.map((file) => file.name).filter((file) => pattern.test(file));
    return Promise.all(found.sort(compareText).map((file) => readFile(join(folder, file), "utf8")));
  };
  const texts = await readTexts(/^(?:licen[cs]e|copying|(?:copyright)?notice)(?:\.|$)/i);
  if (texts.length === 0) {
    if (license !== "MIT") {
      throw new UserError(`${String(name)} cannot be bundled: it has no license file, and its license is not MIT`);
    }
    // Some authors name themselves only at the end of the README.
    const readmes = await readTexts(/^readme\b/i);
    const mit = await readFile(new URL("MIT.txt", import.meta.url), "utf8");
    texts.push(...readmes.flatMap((readme) => /^\W*licen[cs]e\b[^]*/im.exec(readme) ?? []), mit);
  }
  const lines = [
    `${String(name)} ${String(version)}`,
    ...(typeof author === "string" ? [`Author: ${author}`] : []),
    ...texts.map((text) => `\n${text.trim()}`),
  ];
  return `${lines.join("\n")}\n`;
}
