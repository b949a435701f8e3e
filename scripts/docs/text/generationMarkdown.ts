import { firstSentence } from "../../contract/text.ts";
import type { Generation, Group } from "../../contract/generation.ts";
import { unspecifiedText } from "../model/fields.ts";
import { addressesOf, unspecifiedPath, type Site } from "../model/site.ts";
import type { GenerationContent } from "../model/unspecifiedEntries.ts";
import type { Links, MarkdownPage } from "./markdownPage.ts";
import { bulletList, escapeMarkdown, joinBlocks, linkTo, placeHeadings } from "./markdownText.ts";
import { operationList } from "./operationList.ts";

/** The page of a generation: what is said of it as a whole, and lists of what it has. */
export function generationMarkdown(site: Site, { generation, schemas }: GenerationContent): MarkdownPage {
  const addresses = addressesOf(site, generation);
  const { title, summary, description, unspecified, webhooks, sections } = generation;
  return {
    path: addresses.generation,
    title,
    summary,
    level: 2,
    content: (links) =>
      joinBlocks([
        placeHeadings(description, 2),
        unspecified.length === 0 ? undefined : "## Not specified",
        unspecified.length === 0
          ? undefined
          : `Of ${escapeMarkdown(title)} as a whole. For single operations and fields, see [everything that is not specified](${links(unspecifiedPath)}).`,
        bulletList(unspecified.map((phrase) => escapeMarkdown(unspecifiedText(phrase)))),
      ]),
    index: (links) =>
      joinBlocks([
        "## Operations",
        ...sections.map(({ name, groups }) =>
          joinBlocks([
            name === "" ? undefined : `### ${escapeMarkdown(name)}`,
            ...groups.map((group) => groupSection(site, generation, group, links, name === "" ? 3 : 4)),
            emptyGroups(site, generation, groups, links),
          ]),
        ),
        webhooks.length === 0 ? undefined : "## Webhooks\n\nRequests that the service sends.",
        operationList(addresses, links, webhooks),
        schemas.size === 0 ? undefined : "## Schemas",
        bulletList(
          [...schemas.values()].map(({ name, field }) => {
            const mark = field.isDeprecated ? " · deprecated" : "";
            return `${linkTo(name, links(addresses.schemas.get(name) ?? ""))}${mark}`;
          }),
        ),
      ]),
  };
}

function groupSection(site: Site, generation: Generation, group: Group, links: Links, level: number): string {
  if (group.operations.length === 0) return "";
  const addresses = addressesOf(site, generation);
  return joinBlocks([
    `${"#".repeat(level)} ${linkTo(group.title, links(addresses.groups.get(group) ?? ""))}`,
    operationList(addresses, links, group.operations),
  ]);
}

/** The groups without operations of their own, in a sentence. */
function emptyGroups(site: Site, generation: Generation, groups: readonly Group[], links: Links): string {
  const addresses = addressesOf(site, generation);
  const listed = groups
    .filter(({ operations }) => operations.length === 0)
    .map((group) => linkTo(group.title, links(addresses.groups.get(group) ?? "")));
  return listed.length === 0 ? "" : `No operations of their own: ${listed.join(", ")}.`;
}

/** The page of a group: what is said of it, and its operations. */
export function groupMarkdown(site: Site, generation: Generation, group: Group): MarkdownPage {
  const addresses = addressesOf(site, generation);
  const { title, description, unspecified, operations, alsoTagged } = group;
  const described = { described: true };
  return {
    path: addresses.groups.get(group) ?? "",
    title,
    summary: firstSentence(description),
    level: 3,
    content: () =>
      joinBlocks([
        placeHeadings(description, 2),
        unspecified.map((phrase) => escapeMarkdown(unspecifiedText(phrase))).join(" · "),
      ]),
    index: (links) =>
      joinBlocks([
        `Part of: ${linkTo(generation.name, links(addresses.generation))}`,
        operations.length === 0 ? undefined : "## Operations",
        operationList(addresses, links, operations, described),
        alsoTagged.length === 0 ? undefined : "## Of other groups",
        operationList(addresses, links, alsoTagged, described),
      ]),
  };
}
