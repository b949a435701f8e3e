import type { Generation, Group } from "../../contract/generation.ts";
import { firstParagraph } from "../../contract/text.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unknownGroup } from "../../contract/gaps.ts";
import { unspecifiedMarks } from "../parts/fieldList.ts";
import { crumbs } from "../parts/blocks.ts";
import { html } from "../parts/html.ts";
import { operationLinks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { contextOf, type Site } from "../model/site.ts";

export function groupPage(site: Site, generation: Generation, group: Group): Page {
  const context = contextOf(site, generation);
  const { addresses } = context;
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
      ${operationLinks(context, operations, { described: true })}
      ${alsoTagged.length > 0 && html`<h2>From other groups</h2>`}
      ${operationLinks(context, alsoTagged, { described: true })}`,
  };
}
