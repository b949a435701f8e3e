import { defaultMockUrl } from "../../contract/defaultAddress.ts";
import { serverUrl, untagged, type Generation, type Group, type Section } from "../../contract/generation.ts";
import { stringMembersOf } from "../../values/json.ts";
import { firstParagraph } from "../../values/markdown.ts";
import { slugOf } from "../../values/text.ts";
import { gapText, unknownGroup } from "../../contract/gaps.ts";
import { unspecifiedMark } from "../parts/fieldList.ts";
import { descriptionInText, readDescription } from "../parts/readDescription.ts";
import { badges, deprecatedMark, groupLink, operationLink, operationLinks } from "../parts/operationLinks.ts";
import {
  code,
  forScreen,
  joined,
  link,
  linkList,
  nameLink,
  list,
  paragraph,
  repeated,
  row,
  section,
  span,
  subsection,
  table,
  webLink,
} from "../parts/blocks.ts";
import { pageOfSection, readDescriptionSections } from "../parts/descriptionSections.ts";
import { html } from "../../values/html.ts";
import type { Flow, FlowNode, SectionNode } from "../parts/pageNodes.ts";
import type { Page } from "../parts/page.ts";
import { generationLink, groupPageLink, isNameOnly, schemaPageLink } from "../model/addresses.ts";
import { emptyGroupsAnchor, firstLevel, type Site } from "../model/site.ts";
import type { GenerationModel, SchemaModel } from "../model/generationModel.ts";
import { generationAnchor } from "../model/unspecifiedEntries.ts";

export function generationPage(site: Site, { generation, schemas }: GenerationModel): Page {
  const { title, summary, sections, webhooks } = generation;
  const { lead, about } = aboutGeneration(site, generation);
  const schemaLinks = [...schemas.values()].map((schema) => schemaLink(generation, schema));
  // The other operations are in the groups that their authors assigned.
  const ungrouped = operationLinks(
    generation,
    webhooks.filter(({ group }) => group === untagged),
  );
  const lists = [
    ...filledSection("webhooks", "Webhooks", ungrouped.length === 0 ? [] : [sentByService, ...ungrouped]),
    ...about,
    ...filledSection(emptyGroupsAnchor, "Groups without operations of their own", emptyGroups(generation)),
    ...filledSection("schemas", "Schemas", linkList(schemaLinks, "columns")),
    ...filledSection("servers", "Servers", list(serverItems(generation))),
    ...filledSection("contact", "Contact and terms", list(termItems(generation))),
  ];
  const operations = sections.flatMap((one) => sectionTable(generation, one));
  return {
    path: generationLink(generation).path,
    title,
    description: summary || `The operations of ${title}.`,
    generation,
    source: "/info",
    children: [...lead, section("operations", "Operations", operations), ...lists, ...gapsSection(generation)],
  };
}

const sentByService = paragraph(["Requests that the service sends."]);

/**
 * The content before and after the operations of a generation. If the generation has a summary, its
 * description comes after. Sections with separate pages become links.
 */
function aboutGeneration(site: Site, generation: Generation): { readonly lead: Flow; readonly about: Flow } {
  const { name, document } = generation;
  const { introduction, sections } = readDescriptionSections(generation);
  const moved = sections.map((one) => pageOfSection(site, generation, one));
  const links = sections.flatMap((one, index): readonly Flow[] => {
    const page = moved[index];
    // External links to the old place still work.
    return page === undefined ? [] : [[forScreen(html`<span id="${one.anchor ?? ""}"></span>`), link(page)]];
  });
  const rest = sections.filter((_, index) => moved[index] === undefined);
  const more = filledSection("topics", `More about ${name}`, linkList(links, "columns"));
  const { summary } = stringMembersOf(document.info);
  if (summary === undefined) return { lead: introduction, about: [...more, ...rest] };
  const about = filledSection("about", `About ${name}`, introduction);
  return { lead: [paragraph([summary], "lead")], about: [...more, ...about, ...rest] };
}

/** The groups without operations: links to the described ones, and the names of the others. */
function emptyGroups(generation: Generation): Flow {
  const empty = generation.groups.filter((group) => group.operations.length + group.webhooks.length === 0);
  const links = empty.filter((group) => !isNameOnly(group)).map((group) => groupLink(generation, group));
  const nameOnly = empty.filter(isNameOnly);
  if (nameOnly.length === 0) return linkList(links, "columns");
  const gaps = [...new Set(nameOnly.flatMap(({ unspecified }) => unspecified))];
  const text = "Only the names of these groups are known. They may have operations that aren't specified.";
  const names = nameOnly.map(({ title }) => title);
  return [...linkList(links, "columns"), paragraph([text, ...unspecifiedMark(gaps)]), ...list(names, "columns")];
}

function filledSection(anchor: string, title: string, children: Flow): readonly SectionNode[] {
  return children.length === 0 ? [] : [section(anchor, title, children)];
}

function schemaLink(generation: Generation, { name, field }: SchemaModel): Flow {
  return [nameLink(schemaPageLink(generation, name)), ...deprecatedMark(field)];
}

/** The gaps of a generation as a whole. Empty if there are none. */
function gapsSection({ title, name, unspecified }: Generation): readonly SectionNode[] {
  if (unspecified.length === 0) return [];
  const all = link({ title: "everything that is not specified", path: `${firstLevel.unspecified.path}#${name}` });
  const children = [
    paragraph([`These gaps concern ${title} as a whole. For single operations and fields, see `, all, "."]),
    ...list(unspecified.map(gapText)),
  ];
  const frame = { tag: "section", attributes: { id: generationAnchor, "aria-labelledby": "gaps" } } as const;
  return [{ ...section("gaps", "Not specified", children), frame }];
}

/** The URL of each server, with its description and its variables. The mock is on the pages of operations. */
function serverItems({ document }: Generation): readonly Flow[] {
  const servers = (document.servers ?? []).filter((server) => serverUrl({ servers: [server] }) !== defaultMockUrl);
  return servers.map(({ url, description = "", variables = {} }): Flow => {
    const named = Object.entries(variables).map(([name, variable]): Flow => [
      ...[code(name), ": ", code(variable.default), " by default", ...descriptionInText(variable.description ?? "", 3)],
    ]);
    return [code(url), ...descriptionInText(description, 3), ...list(named)];
  });
}

/** Who is responsible, the license, and the terms of service. */
function termItems({ document }: Generation): readonly Flow[] {
  const { contact = {}, license, termsOfService } = document.info ?? {};
  const { name, url, email } = contact;
  const addresses = [
    [name ?? url, url],
    [email, `mailto:${email}`],
  ] as const;
  const person = addresses.flatMap(([text, href]) => (text === undefined ? [] : [webLink(href, [text])]));
  const { identifier } = stringMembersOf(license);
  const terms = license?.url ?? (identifier && `https://spdx.org/licenses/${identifier}.html`);
  return [
    ...(person.length > 0 ? [["Contact: ", ...joined(person, ", ")]] : []),
    ...(license === undefined ? [] : [["License: ", ...webLink(terms, [license.name])]]),
    ...(termsOfService === undefined ? [] : [["Terms of service: ", ...webLink(termsOfService, [termsOfService])]]),
  ];
}

/** A table of the operations in an entry of `x-tagGroups`, below a heading if the entry has a name. */
function sectionTable(generation: Generation, { name, groups }: Section): Flow {
  const rows = groups.flatMap((group) =>
    [...group.operations, ...group.webhooks].map((operation) => {
      const method = { kind: "method", method: operation.method } as const;
      const title = span("title", ...operationLink(generation, operation), ...badges(operation));
      const inGroup = { children: [groupLink(generation, group)], attributes: { class: "group" } };
      return row([method, " ", title], [[{ ...code(operation.path), isPath: true }], inGroup]);
    }),
  );
  if (rows.length === 0) return [];
  const operations = repeated(table("directory stacked", ["Operation", "Path", "Group"], rows));
  return name === "" ? [operations] : [subsection(3, name, [operations], `operations-${slugOf(name)}`)];
}

export function groupPage(generation: Generation, group: Group): Page {
  return {
    ...groupPageLink(generation, group),
    description: groupSummary(generation, group),
    generation,
    group,
    crumbs: [generationLink(generation)],
    // The tags of a bundle are in another order than those of its source.
    source: [...group.operations, ...group.webhooks][0]?.pointer ?? "/tags",
    children: groupFlow(generation, group),
  };
}

function groupSummary(generation: Generation, { title, description }: Group): string {
  if (description !== unknownGroup) return firstParagraph(description) || `Operations of the group ${title}.`;
  return `${title}, a group of ${generation.title} whose operations aren't specified.`;
}

function groupFlow(generation: Generation, group: Group): Flow {
  const { description, unspecified, operations, webhooks, alsoTagged } = group;
  const flow: FlowNode[] = [];
  // A mark says that nothing is known about a group.
  if (description !== unknownGroup) flow.push(...readDescription(description, 1));
  if (unspecified.length > 0) flow.push(paragraph(unspecifiedMark(unspecified)));
  flow.push(...operationLinks(generation, operations, { described: true }));
  const received = operationLinks(generation, webhooks, { described: true });
  if (received.length > 0) flow.push(subsection(2, "Webhooks", [sentByService, ...received]));
  const others = operationLinks(generation, alsoTagged, { described: true });
  if (others.length > 0) flow.push(subsection(2, "From other groups", others));
  return flow;
}
