import type { Group, Section } from "../../contract/generation.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unspecifiedText } from "../model/fields.ts";
import { html, screenOnly, type Html } from "../parts/html.ts";
import { nameText } from "../parts/lineBreaks.ts";
import { deprecatedMark, operationLinks, type LinkContext } from "../parts/operationLinks.ts";
import { rootOf, type Page } from "../parts/page.ts";
import { addressesOf, authenticationPath, downloadsPath, unspecifiedPath, type Site } from "../model/site.ts";
import { generationAnchor, type GenerationContent } from "../model/unspecifiedEntries.ts";

export function generationPage(site: Site, { generation, schemas }: GenerationContent): Page {
  const addresses = addressesOf(site, generation);
  const path = addresses.generation;
  const root = rootOf({ path });
  const { title, name, summary, description, unspecified, sections, operations, webhooks } = generation;
  const context: LinkContext = { addresses, root };
  const parts = [
    ...(operations.length > 0 ? [["operations", "Operations"]] : []),
    ...(webhooks.length > 0 ? [["webhooks", "Webhooks"]] : []),
    ...(schemas.size > 0 ? [["schemas", "Schemas"]] : []),
    ...(unspecified.length > 0 ? [[generationAnchor, "Not specified"]] : []),
  ];
  return {
    path,
    title,
    description: summary || `The operations of ${title}.`,
    generation,
    hasMarkdown: true,
    content: html`<h1>${title}</h1>
      <p class="parts" ${screenOnly}>
        ${parts.map(([anchor, label]) => html`<a href="#${anchor}">${label}</a> `)}
        <a href="${root}${authenticationPath}#${name}">Authentication</a>
        <a href="${root}${downloadsPath}#${name}">Downloads</a>
      </p>
      ${renderDescription(description, 1)}
      <section aria-labelledby="operations">
        <h2 id="operations">Operations</h2>
        ${sections.map((section) => sectionContent(context, section))}
      </section>
      ${
        webhooks.length === 0
          ? undefined
          : html`<section aria-labelledby="webhooks">
              <h2 id="webhooks">Webhooks</h2>
              <p>Requests that the service sends.</p>
              ${operationLinks(context, webhooks)}
            </section>`
      }
      ${
        schemas.size === 0
          ? undefined
          : html`<section aria-labelledby="schemas">
              <h2 id="schemas">Schemas</h2>
              <ul class="columns">
                ${[...schemas.values()].map((schema) => {
                  const mark = deprecatedMark(schema.field);
                  return html`<li>
                    <a href="${root}${addresses.schemas.get(schema.name)}">${nameText(schema.name)}</a>${mark}
                  </li> `;
                })}
              </ul>
            </section>`
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
                ${unspecified.map((phrase) => html`<li>${unspecifiedText(phrase)}</li> `)}
              </ul>
            </section>`
      }`,
  };
}

function sectionContent(context: LinkContext, { name, groups }: Section): Html {
  const filled = groups.filter(({ operations }) => operations.length > 0);
  const others = groups.filter(({ operations }) => operations.length === 0);
  const list = html`${filled.map((group) => groupContent(context, group, name === "" ? 3 : 4))}
  ${
    others.length === 0
      ? undefined
      : html`<p class="empty-groups">
          No operations of their own:
          ${others.map((group, index) => html`${index === 0 ? "" : ", "}${groupLink(context, group)}`)}.
        </p>`
  }`;
  return name === ""
    ? list
    : html`<h3>${name}</h3>
        ${list}`;
}

function groupContent(context: LinkContext, group: Group, level: 3 | 4): Html {
  const link = groupLink(context, group);
  return html`${level === 3 ? html`<h3>${link}</h3>` : html`<h4>${link}</h4>`}
  ${operationLinks(context, group.operations)}`;
}

function groupLink({ root, addresses }: LinkContext, group: Group): Html {
  return html`<a href="${root}${addresses.groups.get(group)}">${group.title}</a>`;
}
