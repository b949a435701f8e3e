import { readFile } from "node:fs/promises";
import { readFolder } from "../../scripts/command/files.ts";

/** A code block in a Markdown text. */
export interface CodeBlock {
  /** As it is written behind the fence: `ts`. */
  readonly language: string;
  readonly code: string;
  /** What its comments say that it prints: one behind `console.log(…);` or, in Python, `print(…)`. */
  readonly prints: readonly string[];
}

/** The fenced code blocks of a Markdown text. */
export function readBlocks(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = "", code = ""]) => ({
    language,
    code,
    prints: [...code.matchAll(/(?:console\.log\(.*\); \/\/|^print\(.*\) {2}#) (.*)$/gm)].map(([, line = ""]) => line),
  }));
}

/** The texts whose programs need the package: its README, this project's, and the guides to what is in it, by their files. */
export async function readPackageTexts(): Promise<ReadonlyMap<string, string>> {
  const folders = ["openapi/guides/typescript", "openapi/guides/testing"];
  const guides = folders.map(async (folder) =>
    (await readFolder(folder)).map(({ path, content }) => [`${folder}/${path}`, content] as const),
  );
  const readmes = ["scripts/package/README.md", "README.md"].map(
    async (file) => [file, await readFile(file, "utf8")] as const,
  );
  return new Map([...(await Promise.all(readmes)), ...(await Promise.all(guides)).flat()]);
}
