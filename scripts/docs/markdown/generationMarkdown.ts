import type { Generation, Group } from "../../contract/generation.ts";
import { unspecifiedOf } from "../../contract/openapi.ts";
import { addressesOf, type Site } from "../site.ts";
import { markdownMarks } from "./markdownFields.ts";
import type { MarkdownPage } from "./markdownPage.ts";
import { bulletList, escapeMarkdown, firstSentence, joinBlocks, linkTo, placeHeadings } from "./markdownText.ts";
import { operationList } from "./operationList.ts";

/** The page of a generation: what is said of it as a whole, and its operations. */
export function generationMarkdown(site: Site, generation: Generation): MarkdownPage {
  const addresses = addressesOf(site, generation);
  const groups = generation.groups.filter(({ operations }) => operations.length > 0);
  const phrases = unspecifiedOf(generation.document.info ?? {});
  return {
    path: addresses.generation,
    title: generation.title,
    summary: generation.summary,
    level: 2,
    content: () =>
      joinBlocks([
        placeHeadings(generation.description, 2),
        phrases.length === 0 ? undefined : "## Not specified",
        bulletList(phrases.map(escapeMarkdown)),
      ]),
    index: (links) =>
      joinBlocks([
        "## Operations",
        ...groups.map((group) =>
          joinBlocks([
            `### ${linkTo(group.title, links(addresses.groups.get(group) ?? ""))}`,
            operationList(addresses, links, group.operations),
          ]),
        ),
        generation.webhooks.length === 0 ? undefined : "## Webhooks",
        operationList(addresses, links, generation.webhooks),
        addresses.schemas.size === 0 ? undefined : "## Schemas",
        bulletList([...addresses.schemas].map(([name, path]) => linkTo(name, links(path)))),
      ]),
  };
}

/** The page of a group: what is said of it, and its operations. */
export function groupMarkdown(site: Site, generation: Generation, group: Group): MarkdownPage {
  const addresses = addressesOf(site, generation);
  const operations = [...group.operations, ...group.alsoTagged];
  return {
    path: addresses.groups.get(group) ?? "",
    title: group.title,
    summary: firstSentence(group.description),
    level: 3,
    content: () =>
      joinBlocks([placeHeadings(group.description, 3), markdownMarks(group.unspecified).slice(" · ".length)]),
    index: (links) =>
      joinBlocks([
        `Part of: ${linkTo(generation.name, links(addresses.generation))}`,
        operations.length === 0 ? undefined : "## Operations",
        operationList(addresses, links, operations),
      ]),
  };
}
