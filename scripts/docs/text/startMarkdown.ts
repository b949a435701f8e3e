import type { Generation } from "../../contract/generation.ts";
import { countOf } from "../../contract/text.ts";
import { commonIntroduction } from "../model/introduction.ts";
import { maximumListed, readDifferences, readFirstCall } from "../pages/startPage.ts";
import { addressesOf, type Site } from "../model/site.ts";
import { pageItem } from "./commonMarkdown.ts";
import type { Links, MarkdownPage } from "./markdownPage.ts";
import { bulletList, codeSpan, escapeMarkdown, fencedCode, joinBlocks, linkTo } from "./markdownText.ts";
import { operationList } from "./operationList.ts";

/** The site's first page: a first call, the tasks, and what there is in which generation. */
export function startMarkdown(
  site: Site,
  tasks: readonly MarkdownPage[],
  others: readonly MarkdownPage[],
): MarkdownPage {
  const introduction = commonIntroduction(site.generations);
  return {
    path: "",
    title: site.title,
    summary: introduction,
    level: 1,
    content: (links) => joinBlocks([introduction, firstCall(site, links)]),
    index: (links) =>
      joinBlocks([
        tasks.length === 0 ? undefined : "## Tasks",
        bulletList(tasks.map((page) => pageItem(page, links))),
        "## Operations",
        differences(site),
        ...site.generations.map((generation) => operationsOf(site, generation, links)),
        "## More",
        bulletList(others.map((page) => pageItem(page, links))),
      ]),
  };
}

function firstCall(site: Site, links: Links): string | undefined {
  const call = readFirstCall(site);
  if (call === undefined) return undefined;
  const { generation, operation, source } = call;
  const { isMock, url } = site.serverOf(operation);
  return joinBlocks([
    "## A first call",
    linkTo(operation.title, links(addressesOf(site, generation).operations.get(operation) ?? "")),
    fencedCode(source, "bash"),
    `The request goes to ${isMock ? "the mock server, which `npm start` runs" : "the server"} at ${codeSpan(url)}.`,
  ]);
}

function differences(site: Site): string | undefined {
  if (site.generations.length < 2) return undefined;
  const found = readDifferences(site);
  if (found.length === 0) return "The same groups have operations in all generations.";
  return bulletList(
    found.map(({ generation: { name }, titles }) => `Only in **${escapeMarkdown(name)}**: ${escapeMarkdown(titles)}.`),
  );
}

function operationsOf(site: Site, generation: Generation, links: Links): string {
  const { title, summary, operations, groups } = generation;
  const addresses = addressesOf(site, generation);
  const groupLinks = groups
    .filter((group) => group.operations.length + group.alsoTagged.length === 0)
    .map((group) => linkTo(group.title, links(addresses.groups.get(group) ?? "")));
  return joinBlocks([
    `### ${linkTo(title, links(addresses.generation))}`,
    escapeMarkdown(summary),
    countOf(operations.length, "operation"),
    ...(operations.length > maximumListed
      ? []
      : groups
          .filter((group) => group.operations.length > 0)
          .flatMap((group) => [
            `#### ${linkTo(group.title, links(addresses.groups.get(group) ?? ""))}`,
            operationList(addresses, links, group.operations),
          ])),
    groupLinks.length === 0 ? undefined : `No operations are specified for ${groupLinks.join(", ")}.`,
  ]);
}
