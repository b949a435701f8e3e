import type { Generation, Group } from "../../contract/generation.ts";
import { firstParagraph } from "../../contract/text.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unknownGroup } from "../../contract/gaps.ts";
import { unspecifiedMarks } from "../parts/fieldList.ts";
import { crumbs } from "../parts/blocks.ts";
import { html } from "../parts/html.ts";
import { operationLinks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { contextOf } from "../parts/pageContext.ts";
import { addressesOf, type Site } from "../model/site.ts";

export function groupPage(site: Site, generation: Generation, group: Group): Page {
  const path = addressesOf(site, generation).groups.get(group) ?? "";
  const context = contextOf(site, generation, path);
  const { title, description, unspecified, operations, alsoTagged } = group;
  // The mark says it.
  const isUnknown = description === unknownGroup;
  return {
    path,
    title,
    description: isUnknown
      ? `${title}, a group of ${generation.title} of which the operations aren't specified.`
      : firstParagraph(description) || `Operations of the group ${title}.`,
    generation,
    group,
    content: html`${crumbs(context.root, [{ title: generation.name, path: context.addresses.generation }])}
      <h1>${title}</h1>
      ${isUnknown ? undefined : renderDescription(description, 1)}
      ${unspecified.length === 0 ? undefined : html`<p>${unspecifiedMarks(unspecified)}</p>`}
      ${operationLinks(context, operations, { described: true })}
      ${alsoTagged.length === 0 ? undefined : html`<h2>From other groups</h2>`}
      ${operationLinks(context, alsoTagged, { described: true })}`,
  };
}
