import type { Generation, Group } from "../../contract/generation.ts";
import { firstParagraph } from "../../contract/text.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unspecifiedText } from "../model/fields.ts";
import { html } from "../parts/html.ts";
import { operationLinks } from "../parts/operationLinks.ts";
import { rootOf, type Page } from "../parts/page.ts";
import { addressesOf, type Site } from "../model/site.ts";

export function groupPage(site: Site, generation: Generation, group: Group): Page {
  const addresses = addressesOf(site, generation);
  const path = addresses.groups.get(group) ?? "";
  const root = rootOf({ path });
  const { title, description, unspecified, operations, alsoTagged } = group;
  return {
    path,
    title,
    description: firstParagraph(description) || `Operations of the group ${title}.`,
    generation,
    group,
    hasMarkdown: true,
    content: html`<p class="crumbs"><a href="${root}${addresses.generation}">${generation.name}</a></p>
      <h1>${title}</h1>
      ${renderDescription(description, 1)}
      ${unspecified.length === 0 ? undefined : html`<p class="unspecified">${unspecified.map(unspecifiedText).join(" · ")}</p>`}
      ${operationLinks({ addresses, root }, operations, { described: true })}
      ${
        alsoTagged.length === 0
          ? undefined
          : html`<h2>From other groups</h2>
              ${operationLinks({ addresses, root }, alsoTagged, { described: true })}`
      }`,
  };
}
