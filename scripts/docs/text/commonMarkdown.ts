import type { Generation } from "../../contract/generation.ts";
import { groupBy } from "../../contract/text.ts";
import { unspecifiedText } from "../model/fields.ts";
import type { Download } from "../pages/downloadsPage.ts";
import { addressesOf, downloadsPath, guidesPath, unspecifiedPath, type Site } from "../model/site.ts";
import { listUnspecified, type GenerationContent, type UnspecifiedEntry } from "../model/unspecifiedEntries.ts";
import type { Links, MarkdownPage } from "./markdownPage.ts";
import { bulletList, escapeMarkdown, joinBlocks, linkTo } from "./markdownText.ts";

/** What the guides have in common: the list of them. */
export function guidesMarkdown(guides: readonly MarkdownPage[]): MarkdownPage {
  return {
    path: guidesPath,
    title: "Guides",
    summary: "What people do with the service, step by step.",
    level: 2,
    content: () => "",
    index: (links) => bulletList(guides.map((page) => pageItem(page, links))),
  };
}

/** Everything that is not specified, with links to the pages that say so. */
export function unspecifiedMarkdown(site: Site, contents: readonly GenerationContent[]): MarkdownPage {
  return {
    path: unspecifiedPath,
    title: "Not specified",
    summary: "Everything that the API's description leaves open.",
    level: 2,
    content: () => "",
    index: (links) =>
      joinBlocks([
        "Everything that the description leaves open. The same marks are at the operations, fields and credentials that they concern.",
        ...contents.flatMap((content) => [
          `## ${escapeMarkdown(content.generation.title)}`,
          ...[...groupBy(listUnspecified(site, content), ({ section }) => section)].flatMap(([section, entries]) => [
            `### ${section}`,
            bulletList(entries.map((entry) => entryItem(site, content.generation, entry, links))),
          ]),
        ]),
      ]),
  };
}

function entryItem(site: Site, generation: Generation, { place, phrase, path, uses }: UnspecifiedEntry, links: Links) {
  const { operations } = addressesOf(site, generation);
  const [folder] = path?.split("#") ?? [];
  const head = folder === undefined ? escapeMarkdown(place) : linkTo(place, links(folder));
  // A place of the operation's own needs no link to it.
  const others = uses.map(({ operation }) => operation).filter((operation) => operations.get(operation) !== folder);
  const using = others.map((operation) => linkTo(operation.title, links(operations.get(operation) ?? "")));
  return `${head}: ${escapeMarkdown(unspecifiedText(phrase))}${using.length === 0 ? "" : ` (${using.join(", ")})`}`;
}

/** The files that tools and programs read. */
export function downloadsMarkdown({ generations }: Site, downloads: readonly Download[]): MarkdownPage {
  const item = ({ file: { path }, about }: Download, links: Links) => `${linkTo(path, links(path))}: ${about}`;
  return {
    path: downloadsPath,
    title: "Downloads",
    summary: "What these pages say, as files for tools, programs and language models.",
    level: 2,
    content: (links) =>
      joinBlocks([
        "What these pages say, as files for tools, programs and language models.",
        ...generations.flatMap(({ name, title }) => [
          `## ${escapeMarkdown(title)}`,
          bulletList(
            downloads.filter(({ generation }) => generation === name).map((download) => item(download, links)),
          ),
        ]),
      ]),
  };
}

/** A link to a page, what follows its title, and a sentence. */
export function pageItem({ title, path, subtitle, summary }: MarkdownPage, links: Links): string {
  const sentence = summary === "" || summary === title ? undefined : escapeMarkdown(summary);
  const note = [subtitle, sentence].filter((part) => part !== undefined).join(". ");
  return `${linkTo(title, links(path))}${note === "" ? "" : `: ${note}`}`;
}
