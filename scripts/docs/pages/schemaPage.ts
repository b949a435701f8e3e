import type { Generation } from "../../contract/generation.ts";
import { firstParagraph } from "../../contract/text.ts";
import { crumbs, foldButton, linkList, section, titledLists } from "../parts/blocks.ts";
import { bodyFields } from "../parts/fieldList.ts";
import { codeBlock } from "../parts/highlight.ts";
import { html, nameText } from "../parts/html.ts";
import { inventedText } from "../parts/samplesPanel.ts";
import { operationLinks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import type { SchemaModel } from "../model/generationModel.ts";
import { readAddresses } from "../model/addresses.ts";

/** The page of a schema among a generation's components: its fields, examples and source, and what uses it. */
export function schemaPage(generation: Generation, content: SchemaModel): Page {
  const { name, schema, field, examples } = content;
  const { generation: parent, schemas: paths } = readAddresses(generation);
  const fields = bodyFields(generation, field);
  const blocks = examples.map((example) => codeBlock(JSON.stringify(example, null, 2), "json", `Example of ${name}`));
  const others = content.schemas.map((title) => ({ title, path: paths.get(title) ?? "" }));
  const shown = html`<p>${inventedText}</p>
    ${blocks}`;
  return {
    path: paths.get(name) ?? "",
    title: `${name} (schema)`,
    description: firstParagraph(field.description) || `The schema ${name} of ${generation.title}.`,
    generation,
    content: html`${crumbs({ title: generation.name, path: parent }, { title: "Schemas", path: `${parent}#schemas` })}
      <h1>${nameText(name)}</h1>
      <section aria-label="Schema">${foldButton(fields)} ${fields}</section>
      ${blocks.length > 0 && section("examples", blocks.length === 1 ? "Example" : "Examples", shown)}
      ${titledLists("used", "Where it is used", {
        "In requests": operationLinks(generation, content.requests),
        "In responses": operationLinks(generation, content.responses),
        "In other schemas": linkList(others),
      })}
      <details>
        <summary><h2 id="json-schema">JSON Schema</h2></summary>
        ${codeBlock(JSON.stringify(schema, null, 2), "json", `JSON Schema of ${name}`)}
      </details>`,
  };
}
