import type { Generation } from "../../contract/generation.ts";
import { renderDescription } from "../descriptions.ts";
import { html } from "../html.ts";
import { operationLinks } from "../operationLinks.ts";
import { rootOf, type Page } from "../page.ts";
import { addressesOf, type Site } from "../site.ts";

export function generationPage(site: Site, generation: Generation): Page {
  const addresses = addressesOf(site, generation);
  const path = addresses.generation;
  const root = rootOf({ path });
  const groups = generation.groups.filter(({ operations }) => operations.length > 0);
  return {
    path,
    title: generation.title,
    description: generation.summary,
    generation,
    hasMarkdown: true,
    content: html`<h1>${generation.title}</h1>
      ${renderDescription(generation.description, 1)}
      <h2 id="operations">Operations</h2>
      ${groups.map(
        (group) =>
          html`<h3><a href="${root}${addresses.groups.get(group)}">${group.title}</a></h3>
            ${operationLinks(addresses, root, group.operations)}`,
      )}`,
  };
}
