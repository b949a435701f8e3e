import { load } from "js-yaml";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { attempt, ifAbsent } from "../../contract/failures.ts";
import { byVersion } from "../../contract/generation.ts";
import { firstParagraph, slugOf } from "../../contract/text.ts";
import { isObject } from "../../spec/json.ts";
import { fileError } from "../../workflows/arazzoFiles.ts";

/** A text that explains something, written by people. */
export interface Guide {
  /** The name of its file without the number that gives its place, as a part of a URL. */
  readonly slug: string;
  readonly title: string;
  /** Its first paragraph in plain text. */
  readonly summary: string;
  /** All below the title. */
  readonly markdown: string;
}

/** Words that readers type into the search, and those that the pages have for the same. */
export type Synonym = readonly [typed: string, meant: string];

/**
 * Reads the guides in a folder, `*.md`, in the order of the numbers that their names begin with; none if there is no such
 * folder. The first line of a guide is its title (`# …`), and a paragraph follows. Throws `UserError` with the file
 * if that is missing, or if two guides have the same name.
 */
export async function readGuides(folder: string): Promise<readonly Guide[]> {
  const entries = await readdir(folder).catch(ifAbsent([]));
  const files = entries.filter((name) => name.endsWith(".md")).map((name) => ({ name, file: join(folder, name) }));
  const guides = await Promise.all(files.sort(byVersion).map(({ name, file }) => readGuide(name, file)));
  const repeated = guides.findIndex(({ slug }, index) => guides.findIndex((other) => other.slug === slug) !== index);
  const { file } = files[repeated] ?? {};
  if (file !== undefined) throw fileError(file, "another guide has this name: rename it");
  return guides;
}

/**
 * Reads the synonyms beside the guides: a line such as `vacation, holiday: out of office` for each. None if there is no
 * such file. Throws `UserError` with the file if it has anything else.
 */
export async function readSynonyms(folder: string): Promise<readonly Synonym[]> {
  const file = join(folder, "search-synonyms.yaml");
  const text = await readFile(file, "utf8").catch(ifAbsent("{}"));
  const lines = attempt(() => load(text));
  const advice = 'write lines with what readers type and what the docs call it: "vacation, holiday: out of office"';
  if (!isObject(lines)) throw fileError(file, advice);
  return Object.entries(lines).flatMap(([typed, meant]) =>
    typed
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean)
      .map((one): Synonym => [one, String(meant)]),
  );
}

/** Reads `2-authentication.md`, whose slug is `authentication`. */
async function readGuide(name: string, file: string): Promise<Guide> {
  const [firstLine = "", ...lines] = (await readFile(file, "utf8")).replaceAll("\r\n", "\n").split("\n");
  const markdown = lines.join("\n").trim();
  const summary = firstParagraph(markdown);
  const isText = !["#", ">", "|", "-", "```"].some((mark) => markdown.startsWith(mark));
  if (!firstLine.startsWith("# ") || summary === "" || !isText) {
    throw fileError(file, 'a guide begins with its title ("# Title") and a paragraph that says what it is for');
  }
  const slug = slugOf(basename(name, ".md").replace(/^\d+-/, ""));
  return { slug, title: firstLine.slice("# ".length).trim(), summary, markdown };
}
