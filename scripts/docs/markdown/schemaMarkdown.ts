import type { Generation } from "../../contract/generation.ts";
import { schemaField } from "../fields.ts";
import { namedSchemas, type OperationContent } from "../operationContent.ts";
import { addressesOf, type Site } from "../site.ts";
import { facts, markdownBody } from "./markdownFields.ts";
import type { MarkdownPage } from "./markdownPage.ts";
import { firstSentence, joinBlocks } from "./markdownText.ts";
import { operationList } from "./operationList.ts";

/** The page of a schema: its fields, and the operations whose bodies have it. */
export function schemaMarkdown(
  site: Site,
  generation: Generation,
  name: string,
  users: readonly OperationContent[],
): MarkdownPage {
  const { document } = generation;
  const addresses = addressesOf(site, generation);
  const schema = document.components?.schemas?.[name] ?? {};
  // What is sent and received is described as readers receive it.
  const isReceived = users.some((content) => namedSchemas({ ...content, requestBody: undefined }).includes(name));
  const direction = isReceived ? "response" : "request";
  const field = schemaField(schema, "", { document, direction, anchor: "field" }, [name]);
  return {
    path: addresses.schemas.get(name) ?? "",
    title: name,
    summary: firstSentence(field.description),
    level: 3,
    content: (links) =>
      markdownBody({ site, generation, links }, `Type: ${facts({ site, generation, links }, field)}`, field),
    index: (links) =>
      joinBlocks([
        users.length === 0 ? undefined : "## Used by",
        operationList(
          addresses,
          links,
          users.map(({ operation }) => operation),
        ),
      ]),
  };
}
