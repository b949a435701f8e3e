import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { ifAbsent, UserError } from "../../contract/failures.ts";

/** Words that readers type, and those that the pages have for the same. */
export type Synonym = readonly [typed: string, meant: string];

/**
 * Reads the synonyms beside the guides: a line such as `vacation, holiday: out of office` for each. None if there is no
 * such file. Throws {@link UserError} with the file and the line where one is written in any other way, or twice.
 */
export async function readSynonyms(folder: string): Promise<readonly Synonym[]> {
  const file = join(folder, "search-synonyms.yaml");
  const text = await readFile(file, "utf8").catch(ifAbsent(""));
  const known = new Set<string>();
  return text.split(/\r?\n/).flatMap((line, index) => {
    const fail = (advice: string) => new UserError(`${relative(process.cwd(), file)}:${index + 1}: ${advice}`);
    if (/^\s*(?:#|$)/.test(line)) return [];
    const [, left = "", meant = ""] = /^([\p{L}\p{N}, -]+): +([\p{L}\p{N} -]+)$/u.exec(line.trimEnd()) ?? [];
    const words = left.split(",").map((one) => one.trim());
    if (meant === "" || words.includes("")) {
      throw fail('write what readers type, a colon and what the docs call it: "vacation, holiday: out of office"');
    }
    return words.map((typed) => {
      if (known.size === known.add(typed.toLowerCase()).size) throw fail(`"${typed}" is there twice: remove one`);
      return [typed, meant];
    });
  });
}
