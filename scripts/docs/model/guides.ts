import { load } from "js-yaml";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { attempt, ifAbsent } from "../../contract/failures.ts";
import { byVersion } from "../../contract/generation.ts";
import { firstParagraph } from "../../values/markdown.ts";
import { slugOf } from "../../values/text.ts";
import { isObject } from "../../values/json.ts";
import { fileError } from "../../workflows/arazzoFiles.ts";
import { defaultMockUrl } from "../../contract/defaultAddress.ts";
import { guidePath, guideSections, type GuideSectionName, type SampleServer } from "./site.ts";

/** A hand-written guide. */
export interface Guide {
  /** Relative to the current folder. */
  readonly file: string;
  /** The name of its file without the leading number, as a part of a URL. */
  readonly slug: string;
  /** The top-level page that lists it. */
  readonly section: GuideSectionName;
  /** Relative to the site's root, with a trailing slash. */
  readonly path: string;
  readonly title: string;
  /** Its first paragraph in plain text. */
  readonly summary: string;
  /** The text below the title. Links within the site have the scheme {@link siteScheme}. */
  readonly markdown: string;
  /** How its links are written in its file, by their addresses in `markdown`. */
  readonly links?: ReadonlyMap<string, string>;
}

/** The scheme of links to pages by their paths from the site's root. */
export const siteScheme = "site:";

/** A search term of readers, and the term in the docs. */
export type Synonym = readonly [typed: string, meant: string];

/**
 * Reads the guides in a folder and its subfolders `typescript` and `testing`, from `*.md` files sorted by the
 * numbers in their names. There are none if there is no such folder. The first line of a guide is its title
 * (`# …`), followed by a paragraph. A link may lead to the file of another guide, or to a page by its address
 * in the site (`/v2/`). Throws `UserError` with the file's name if a title is missing, if two guides have the
 * same name, or if the target of a link doesn't exist.
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
  return [...guides].map(([file, guide]) => {
    const resolved = (text: string) => resolveLinks(text, file, guides);
    const written = Array.from(guide.markdown.matchAll(writtenLink), ([text]) => text);
    const addressOf = (text: string) => text.slice("](".length, -1);
    const links = new Map(written.map((text) => [addressOf(resolved(text)), addressOf(text)]));
    return { ...guide, markdown: resolved(guide.markdown), links };
  });
}

/** The address of a link or a picture. */
const writtenLink = /\]\([^\s()]+\)/g;

/** The files of a section. General guides are in the folder itself. */
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

/** Turns links to files of guides, and to addresses in the site, into links to pages. */
function resolveLinks(markdown: string, file: string, guides: ReadonlyMap<string, Guide>): string {
  return markdown.replaceAll("](/", `](${siteScheme}`).replaceAll(guideLink, (_, linked: string, fragment?: string) => {
    const guide = guides.get(join(dirname(file), linked));
    if (guide === undefined) throw fileError(file, `there is no guide at ${linked}, the target of a link`);
    const anchor = fragment === undefined ? "" : `#${headingAnchor(fragment)}`;
    return `](${siteScheme}${guide.path}${anchor})`;
  });
}

/** A guide with requests to certain servers. */
export interface AddressedGuide extends Guide {
  /** The servers that its requests go to, instead of the mock. */
  readonly servers: readonly string[];
}

/** A part of a guide about the mock that receives the requests below. */
const mockPart = /<!-- with the mock -->[^]*?<!-- end -->\n*/g;

const codeBlock = /^```[^]*?^```/gm;

/**
 * Sends the requests of a guide to its generations' servers. Removes its parts about the mock if no requests
 * go there. Guides to the mock always use `mockUrl`.
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

/** The address of a guide's or a description's heading on its page. */
export function headingAnchor(heading: string): string {
  return `section/${slugOf(heading)}`;
}

/**
 * Reads the synonyms beside the guides. Each line is like `vacation, holiday: out of office`. There are none
 * if there is no such file. Throws `UserError` with the file's name if the format is wrong.
 */
export async function readSynonyms(folder: string): Promise<readonly Synonym[]> {
  const file = join(folder, "search-synonyms.yaml");
  const text = await readFile(file, "utf8").catch(ifAbsent("{}"));
  const lines = attempt(() => load(text));
  const advice = 'write lines with search terms and the term in the docs: "vacation, holiday: out of office"';
  if (!isObject(lines)) throw fileError(file, advice);
  return Object.entries(lines).flatMap(([typed, meant]) =>
    typed
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean)
      .map((one): Synonym => [one, String(meant)]),
  );
}

/** Reads a file such as `2-authentication.md`, whose slug is `authentication`. */
async function readGuide(section: GuideSectionName, file: string): Promise<Guide> {
  const [firstLine = "", ...lines] = (await readFile(file, "utf8")).replaceAll("\r\n", "\n").split("\n");
  const markdown = lines.join("\n").trim();
  const summary = firstParagraph(markdown);
  const isText = !["#", ">", "|", "-", "```"].some((mark) => markdown.startsWith(mark));
  if (!firstLine.startsWith("# ") || summary === "" || !isText) {
    throw fileError(file, 'a guide begins with its title ("# Title") and a paragraph about its purpose');
  }
  const slug = slugOf(basename(file, ".md").replace(/^\d+-/, ""));
  return {
    file: relative(process.cwd(), file),
    slug,
    section,
    path: guidePath(slug, section),
    title: firstLine.slice("# ".length).trim(),
    summary,
    markdown,
  };
}
