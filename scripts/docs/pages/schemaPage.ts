import type { Generation } from "../../contract/generation.ts";
import { firstParagraph } from "../../contract/text.ts";
import { bodyFields, type FieldContext } from "../parts/fieldList.ts";
import { codeBlock } from "../parts/highlight.ts";
import { html, type Html } from "../parts/html.ts";
import { nameText } from "../parts/lineBreaks.ts";
import { operationLinks } from "../parts/operationLinks.ts";
import { rootOf, type Page } from "../parts/page.ts";
import type { SchemaContent } from "../model/schemaContent.ts";
import { addressesOf, type Site } from "../model/site.ts";

/** The page of a schema among a generation's components: its fields, examples and source, and what uses it. */
export function schemaPage(site: Site, generation: Generation, content: SchemaContent): Page {
  const { name, schema, field, examples } = content;
  const addresses = addressesOf(site, generation);
  const path = addresses.schemas.get(name) ?? "";
  const root = rootOf({ path });
  const context: FieldContext = { site, generation, root };
  return {
    path,
    title: `${name} (schema)`,
    description: firstParagraph(field.description) || `The schema ${name} of ${generation.title}.`,
    hasMarkdown: true,
    generation,
    content: html`<p class="crumbs">
        <a href="${root}${addresses.generation}">${generation.name}</a> /
        <a href="${root}${addresses.generation}#schemas">Schemas</a>
      </p>
      <h1>${nameText(name)}</h1>
      <section aria-label="Schema">${bodyFields(context, field)}</section>
      ${
        examples.length === 0
          ? undefined
          : html`<section aria-labelledby="examples">
              <h2 id="examples">${examples.length === 1 ? "Example" : "Examples"}</h2>
              ${examples.map((example) => codeBlock(JSON.stringify(example, null, 2), "json", `Example of ${name}`))}
            </section>`
      }
      ${usesSection(context, content)}
      <details>
        <summary><h2>JSON Schema</h2></summary>
        ${codeBlock(JSON.stringify(schema, null, 2), "json", `JSON Schema of ${name}`)}
      </details>`,
  };
}

function usesSection({ site, generation, root }: FieldContext, content: SchemaContent): Html | undefined {
  const { requests, responses, schemas } = content;
  if (requests.length + responses.length + schemas.length === 0) return undefined;
  const addresses = addressesOf(site, generation);
  const lists: readonly (readonly [title: string, list: Html | undefined])[] = [
    ["In requests", operationLinks({ addresses, root }, requests)],
    ["In responses", operationLinks({ addresses, root }, responses)],
    [
      "In other schemas",
      schemas.length === 0
        ? undefined
        : html`<ul class="links">
            ${schemas.map((other) => html`<li><a href="${root}${addresses.schemas.get(other)}">${other}</a></li> `)}
          </ul>`,
    ],
  ];
  return html`<section aria-labelledby="used">
    <h2 id="used">Where it is used</h2>
    ${lists.map(([title, list]) =>
      list === undefined
        ? undefined
        : html`<h3>${title}</h3>
            ${list}`,
    )}
  </section>`;
}
