import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { ifAbsent, UserError } from "../../contract/failures.ts";
import { byVersion } from "../../contract/generation.ts";
import { firstParagraph, slugOf } from "../../contract/text.ts";

/** A text that explains something, written by people. */
export type Guide = Awaited<ReturnType<typeof readGuide>>;

/**
 * Reads the guides in a folder, `*.md`, in the order of the numbers that their names begin with; none if there is no such
 * folder. The first line of a guide is its title (`# …`), and a paragraph follows. Throws {@link UserError} with the file
 * if that is missing, or if two guides have the same name.
 */
export async function readGuides(folder: string): Promise<readonly Guide[]> {
  const entries = await readdir(folder).catch(ifAbsent([]));
  const files = entries.filter((name) => name.endsWith(".md")).map((name) => ({ name, file: join(folder, name) }));
  const guides = await Promise.all(files.sort(byVersion).map(({ name, file }) => readGuide(name, file)));
  const repeated = guides.findIndex(({ slug }, index) => guides.findIndex((other) => other.slug === slug) !== index);
  const { file = "" } = files[repeated] ?? {};
  if (repeated !== -1) throw new UserError(`${relative(process.cwd(), file)}: another guide has this name: rename it`);
  return guides;
}

/** The slug is the name without the number that gives its place: `authentication` of `2-authentication.md`. */
async function readGuide(name: string, file: string) {
  const [, title, text = ""] = /^# (.+)\n([^]*)$/.exec((await readFile(file, "utf8")).replaceAll("\r\n", "\n")) ?? [];
  const markdown = text.trim();
  const summary = firstParagraph(markdown);
  if (title !== undefined && summary !== "" && !/^(?:[#>|-]|```)/.test(markdown)) {
    return { slug: slugOf(name.replace(/^\d+-/, "").replace(/\.md$/, "")), title: title.trim(), summary, markdown };
  }
  throw new UserError(
    `${relative(process.cwd(), file)}: a guide begins with its title ("# Title") and a paragraph that says what it is for`,
  );
}
