import type { Section } from "../../contract/generation.ts";
import { slugOf } from "../../contract/text.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unspecifiedText } from "../model/fields.ts";
import { html, type Html } from "../parts/html.ts";
import { nameText } from "../parts/lineBreaks.ts";
import { deprecatedMark, groupLink, operationLinks } from "../parts/operationLinks.ts";
import { section } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { contextOf, type PageContext } from "../parts/pageContext.ts";
import { addressesOf, emptyGroupsAnchor, unspecifiedPath, type Site } from "../model/site.ts";
import type { GenerationModel } from "../model/generationModel.ts";
import { generationAnchor } from "../model/unspecifiedEntries.ts";

export function generationPage(site: Site, { generation, schemas }: GenerationModel): Page {
  const path = addressesOf(site, generation).generation;
  const context = contextOf(site, generation, path);
  const { root, addresses } = context;
  const { title, name, summary, description, unspecified, groups, sections, webhooks } = generation;
  const schemaItems = [...schemas.values()].map(({ name: schema, field }) => {
    const link = html`<a href="${root}${addresses.schemas.get(schema)}">${nameText(schema)}</a>`;
    return html`<li>${link}${deprecatedMark(field)}</li> `;
  });
  const schemaList = html`<ul class="columns">
    ${schemaItems}
  </ul>`;
  const empty = groups.filter(({ operations }) => operations.length === 0);
  const emptyList = html`<ul class="columns">
    ${empty.map((group) => html`<li>${groupLink(context, group)}</li> `)}
  </ul>`;
  const webhookList = html`<p>Requests that the service sends.</p>
    ${operationLinks(context, webhooks)}`;
  const gaps = html`<section id="${generationAnchor}" aria-labelledby="gaps">
    <h2 id="gaps">Not specified</h2>
    <p>
      Of ${title} as a whole. For single operations and fields, see
      <a href="${root}${unspecifiedPath}#${name}">everything that is not specified</a>.
    </p>
    <ul>
      ${unspecified.map((gap) => html`<li>${unspecifiedText(gap)}</li> `)}
    </ul>
  </section>`;
  return {
    path,
    title,
    description: summary || `The operations of ${title}.`,
    generation,
    content: html`<h1>${title}</h1>
      ${renderDescription(description, 1)}
      ${section("operations", "Operations", html`${sections.map((one) => sectionContent(context, one))}`)}
      ${empty.length > 0 ? section(emptyGroupsAnchor, "Groups without operations of their own", emptyList) : undefined}
      ${webhooks.length > 0 ? section("webhooks", "Webhooks", webhookList) : undefined}
      ${schemas.size > 0 ? section("schemas", "Schemas", schemaList) : undefined}
      ${unspecified.length > 0 ? gaps : undefined}`,
  };
}

/** A section's groups and their operations; nothing if they have none. */
function sectionContent(context: PageContext, { name, groups }: Section): Html | undefined {
  const filled = groups.filter(({ operations }) => operations.length > 0);
  if (filled.length === 0) return undefined;
  return html`${name === "" ? undefined : html`<h3 id="operations-${slugOf(name)}">${name}</h3>`}
  ${filled.map((group) => {
    const link = groupLink(context, group);
    return html`${name === "" ? html`<h3>${link}</h3>` : html`<h4>${link}</h4>`}
    ${operationLinks(context, group.operations)}`;
  })}`;
}
