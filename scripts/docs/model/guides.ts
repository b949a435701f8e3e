import { load } from "js-yaml";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { attempt, ifAbsent } from "../../contract/failures.ts";
import { byVersion } from "../../contract/generation.ts";
import { firstParagraph, slugOf } from "../../contract/text.ts";
import { isObject } from "../../spec/json.ts";
import { fileError } from "../../workflows/arazzoFiles.ts";
import { defaultMockUrl } from "../../contract/defaultAddress.ts";
import { guidePath, guideSections, type GuideSectionName, type SampleServer } from "./site.ts";

/** A text that explains something, written by people. */
export interface Guide {
  /** The name of its file without the number that gives its place, as a part of a URL. */
  readonly slug: string;
  /** The page of the first level that it is in. */
  readonly section: GuideSectionName;
  /** Relative to the site's root, with a slash at its end. */
  readonly path: string;
  readonly title: string;
  /** Its first paragraph in plain text. */
  readonly summary: string;
  /** All below the title. Links within the site have the scheme {@link siteScheme}. */
  readonly markdown: string;
}

/** Of the links of guides to pages, by their paths from the site's root. */
export const siteScheme = "site:";

/** Words that readers type into the search, and those that the pages have for the same. */
export type Synonym = readonly [typed: string, meant: string];

/**
 * Reads the guides in a folder and its folders `typescript` and `testing`, `*.md`, in the order of the numbers that their
 * names begin with; none if there is no such folder. The first line of a guide is its title (`# …`), and a paragraph
 * follows. A link may lead to the file of another guide, or to a page by its address in the site (`/v2/`). Throws
 * `UserError` with the file if a title is missing, two guides have the same name, or a link leads to no guide.
 */
export async function readGuides(folder: string): Promise<readonly Guide[]> {
  const sections = Object.keys(guideSections).filter((name): name is GuideSectionName => name in guideSections);
  const files = (await Promise.all(sections.map((section) => listFiles(folder, section)))).flat();
  const guides = new Map<string, Guide>();
  const paths = new Set<string>();
  for (const { section, file } of files) {
    const guide = await readGuide(section, file);
    if (paths.has(guide.path)) throw fileError(file, "another guide has this name: rename it");
    paths.add(guide.path);
    guides.set(file, guide);
  }
  return [...guides].map(([file, guide]) => ({ ...guide, markdown: resolveLinks(guide.markdown, file, guides) }));
}

/** The files of a section: those of guides in general are in the folder itself. */
async function listFiles(folder: string, section: GuideSectionName) {
  const own = section === "guides" ? folder : join(folder, section);
  const entries = await readdir(own).catch(ifAbsent([]));
  const names = entries
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ name, section, file: join(own, name) }));
  return names.sort(byVersion);
}

/** The target of a link to a Markdown file, and its fragment. */
const guideLink = /\]\(([^\s():]+\.md)(?:#([^\s()]*))?\)/g;

/** Lets links to the files of guides, and those to addresses of the site, lead to pages. */
function resolveLinks(markdown: string, file: string, guides: ReadonlyMap<string, Guide>): string {
  return markdown.replaceAll("](/", `](${siteScheme}`).replaceAll(guideLink, (_, linked: string, fragment?: string) => {
    const guide = guides.get(join(dirname(file), linked));
    if (guide === undefined) throw fileError(file, `there is no guide at ${linked}, to which a link leads`);
    const anchor = fragment === undefined ? "" : `#${headingAnchor(fragment)}`;
    return `](${siteScheme}${guide.path}${anchor})`;
  });
}

/** A guide as it is where its requests go to certain servers. */
export interface AddressedGuide extends Guide {
  /** The servers that its requests go to instead of the mock. */
  readonly servers: readonly string[];
}

/** A part of a guide that is about the mock that the requests below go to. */
const mockPart = /<!-- with the mock -->[^]*?<!-- end -->\n*/g;

const codeBlock = /^```[^]*?^```/gm;

/**
 * Lets the requests of a guide go to the servers of their generations, and leaves out what it says of the mock if none of
 * them goes there. Guides to the mock itself are about nothing else: `mockUrl` is where it is.
 */
export function addressGuide(
  guide: Guide,
  servers: ReadonlyMap<string, SampleServer>,
  mockUrl: string,
): AddressedGuide {
  if (guide.section === "testing") {
    return { ...guide, markdown: guide.markdown.replaceAll(defaultMockUrl, mockUrl), servers: [] };
  }
  const used = new Set<string>();
  const hasMock = [...servers.values()].some(({ isMock }) => isMock);
  const shown = hasMock ? guide.markdown : guide.markdown.replaceAll(mockPart, "");
  const addressed = shown.replaceAll(codeBlock, (block) => {
    const [, server] = [...servers].find(([name]) => block.includes(`/${name}/`) || block.includes(`/${name}"`)) ?? [];
    if (server === undefined || server.isMock || !block.includes(defaultMockUrl)) return block;
    used.add(server.url);
    return block.replaceAll(defaultMockUrl, server.url);
  });
  return { ...guide, markdown: addressed.replaceAll(defaultMockUrl, mockUrl), servers: [...used] };
}

/** The address of a heading of a guide or of another description on its page. */
export function headingAnchor(heading: string): string {
  return `section/${slugOf(heading)}`;
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
async function readGuide(section: GuideSectionName, file: string): Promise<Guide> {
  const [firstLine = "", ...lines] = (await readFile(file, "utf8")).replaceAll("\r\n", "\n").split("\n");
  const markdown = lines.join("\n").trim();
  const summary = firstParagraph(markdown);
  const isText = !["#", ">", "|", "-", "```"].some((mark) => markdown.startsWith(mark));
  if (!firstLine.startsWith("# ") || summary === "" || !isText) {
    throw fileError(file, 'a guide begins with its title ("# Title") and a paragraph that says what it is for');
  }
  const slug = slugOf(basename(file, ".md").replace(/^\d+-/, ""));
  return {
    slug,
    section,
    path: guidePath(slug, section),
    title: firstLine.slice("# ".length).trim(),
    summary,
    markdown,
  };
}
