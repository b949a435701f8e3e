import { firstSentence } from "../../contract/text.ts";
import type { Generation } from "../../contract/generation.ts";
import type { SchemaContent } from "../model/schemaContent.ts";
import { addressesOf, type Site } from "../model/site.ts";
import { facts, markdownBody } from "./markdownFields.ts";
import type { MarkdownPage } from "./markdownPage.ts";
import { bulletList, fencedCode, joinBlocks, linkTo } from "./markdownText.ts";
import { operationList } from "./operationList.ts";

/** The page of a schema: its fields, examples and source, and what uses it. */
export function schemaMarkdown(site: Site, generation: Generation, content: SchemaContent): MarkdownPage {
  const { name, schema, field, examples, requests, responses, schemas } = content;
  const addresses = addressesOf(site, generation);
  return {
    path: addresses.schemas.get(name) ?? "",
    title: name,
    summary: firstSentence(field.description),
    level: 3,
    content: (links) => {
      const context = { site, generation, links };
      return joinBlocks([
        markdownBody(context, facts(context, field), field),
        examples.length === 0 ? undefined : `## ${examples.length === 1 ? "Example" : "Examples"}`,
        ...examples.map((example) => fencedCode(JSON.stringify(example, null, 2), "json")),
      ]);
    },
    index: (links) => {
      const uses = [
        ["In requests", operationList(addresses, links, requests)] as const,
        ["In responses", operationList(addresses, links, responses)] as const,
        [
          "In other schemas",
          bulletList(schemas.map((other) => linkTo(other, links(addresses.schemas.get(other) ?? "")))),
        ] as const,
      ].filter(([, list]) => list !== "");
      return joinBlocks([
        `Part of: ${linkTo(generation.name, links(addresses.generation))} / Schemas`,
        uses.length === 0 ? undefined : "## Where it is used",
        ...uses.flatMap(([title, list]) => [`### ${title}`, list]),
        "## JSON Schema",
        fencedCode(JSON.stringify(schema, null, 2), "json"),
      ]);
    },
  };
}
