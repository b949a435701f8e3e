import type { Section } from "../../contract/generation.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unspecifiedText } from "../model/fields.ts";
import { html, joined, type Html } from "../parts/html.ts";
import { nameText } from "../parts/lineBreaks.ts";
import { deprecatedMark, groupLink, operationLinks } from "../parts/operationLinks.ts";
import { section } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { contextOf, type PageContext } from "../parts/pageContext.ts";
import { addressesOf, unspecifiedPath, type Site } from "../model/site.ts";
import type { GenerationModel } from "../model/generationModel.ts";
import { generationAnchor } from "../model/unspecifiedEntries.ts";

export function generationPage(site: Site, { generation, schemas }: GenerationModel): Page {
  const path = addressesOf(site, generation).generation;
  const context = contextOf(site, generation, path);
  const { root, addresses } = context;
  const { title, name, summary, description, unspecified, sections, webhooks } = generation;
  const schemaItems = [...schemas.values()].map(({ name: schema, field }) => {
    const link = html`<a href="${root}${addresses.schemas.get(schema)}">${nameText(schema)}</a>`;
    return html`<li>${link}${deprecatedMark(field)}</li> `;
  });
  return {
    path,
    title,
    description: summary || `The operations of ${title}.`,
    generation,
    content: html`<h1>${title}</h1>
      ${renderDescription(description, 1)}
      ${section("operations", "Operations", html`${sections.map((one) => sectionContent(context, one))}`)}
      ${
        webhooks.length === 0
          ? undefined
          : section(
              "webhooks",
              "Webhooks",
              html`<p>Requests that the service sends.</p>
                ${operationLinks(context, webhooks)}`,
            )
      }
      ${
        schemas.size === 0
          ? undefined
          : section(
              "schemas",
              "Schemas",
              html`<ul class="columns">
                ${schemaItems}
              </ul>`,
            )
      }
      ${
        unspecified.length === 0
          ? undefined
          : html`<section id="${generationAnchor}" aria-label="Not specified">
              <h2>Not specified</h2>
              <p>
                Of ${title} as a whole. For single operations and fields, see
                <a href="${root}${unspecifiedPath}#${name}">everything that is not specified</a>.
              </p>
              <ul>
                ${unspecified.map((gap) => html`<li>${unspecifiedText(gap)}</li> `)}
              </ul>
            </section>`
      }`,
  };
}

function sectionContent(context: PageContext, { name, groups }: Section): Html {
  const filled = groups.filter(({ operations }) => operations.length > 0);
  const others = groups.filter(({ operations }) => operations.length === 0).map((group) => groupLink(context, group));
  return html`${name === "" ? undefined : html`<h3>${name}</h3>`}
  ${filled.map((group) => {
    const link = groupLink(context, group);
    return html`${name === "" ? html`<h3>${link}</h3>` : html`<h4>${link}</h4>`}
    ${operationLinks(context, group.operations)}`;
  })}
  ${others.length === 0 ? undefined : html`<p class="empty-groups">No operations of their own: ${joined(others, ", ")}.</p>`}`;
}
