import type { Generation, Group, Section } from "../../contract/generation.ts";
import { firstParagraph, slugOf } from "../../contract/text.ts";
import { unknownGroup } from "../../contract/gaps.ts";
import { unspecifiedMarks } from "../parts/fieldList.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unspecifiedText } from "../model/fields.ts";
import { html, nameText, type Html } from "../parts/html.ts";
import { deprecatedMark, groupLink, operationLinks } from "../parts/operationLinks.ts";
import { crumbs, link, list, section } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { readAddresses } from "../model/addresses.ts";
import { emptyGroupsAnchor, firstLevel } from "../model/site.ts";
import type { GenerationModel } from "../model/generationModel.ts";
import { generationAnchor } from "../model/unspecifiedEntries.ts";

export function generationPage({ generation, schemas }: GenerationModel): Page {
  const addresses = readAddresses(generation);
  const { title, name, summary, description, unspecified, groups, sections, webhooks } = generation;
  const schemaLinks = [...schemas.values()].map(({ name: schema, field }) => {
    const path = addresses.schemas.get(schema) ?? "";
    return html`${link({ title: nameText(schema), path })}${deprecatedMark(field)}`;
  });
  const empty = groups.filter(({ operations }) => operations.length === 0).map((group) => groupLink(generation, group));
  const webhookList = html`<p>Requests that the service sends.</p>
    ${operationLinks(generation, webhooks)}`;
  const gaps = html`<section id="${generationAnchor}" aria-labelledby="gaps">
    <h2 id="gaps">Not specified</h2>
    <p>
      Of ${title} as a whole. For single operations and fields, see
      ${link({ title: "everything that is not specified", path: `${firstLevel.unspecified.path}#${name}` })}.
    </p>
    ${list(unspecified.map(unspecifiedText))}
  </section>`;
  return {
    path: addresses.generation,
    title,
    description: summary || `The operations of ${title}.`,
    generation,
    content: html`<h1>${title}</h1>
      ${renderDescription(description, 1)}
      ${section("operations", "Operations", html`${sections.map((one) => sectionContent(generation, one))}`)}
      ${section(emptyGroupsAnchor, "Groups without operations of their own", list(empty, "columns"))}
      ${webhooks.length > 0 && section("webhooks", "Webhooks", webhookList)}
      ${section("schemas", "Schemas", list(schemaLinks, "columns"))} ${unspecified.length > 0 && gaps}`,
  };
}

function sectionContent(generation: Generation, { name, groups }: Section): Html | undefined {
  const filled = groups.filter(({ operations }) => operations.length > 0);
  if (filled.length === 0) return undefined;
  return html`${name && html`<h3 id="operations-${slugOf(name)}">${name}</h3>`}
  ${filled.map((group) => {
    const title = groupLink(generation, group);
    return html`${name === "" ? html`<h3>${title}</h3>` : html`<h4>${title}</h4>`}
    ${operationLinks(generation, group.operations)}`;
  })}`;
}

export function groupPage(generation: Generation, group: Group): Page {
  const addresses = readAddresses(generation);
  const { title, description, unspecified, operations, alsoTagged } = group;
  // The mark says it.
  const isUnknown = description === unknownGroup;
  return {
    path: addresses.groups.get(group) ?? "",
    title,
    description: isUnknown
      ? `${title}, a group of ${generation.title} of which the operations aren't specified.`
      : firstParagraph(description) || `Operations of the group ${title}.`,
    generation,
    group,
    content: html`${crumbs({ title: generation.name, path: addresses.generation })}
      <h1>${title}</h1>
      ${!isUnknown && renderDescription(description, 1)}
      ${unspecified.length > 0 && html`<p>${unspecifiedMarks(unspecified)}</p>`}
      ${operationLinks(generation, operations, { described: true })}
      ${alsoTagged.length > 0 && html`<h2>From other groups</h2>`}
      ${operationLinks(generation, alsoTagged, { described: true })}`,
  };
}
