import { firstParagraph } from "../../values/markdown.ts";
import { toText } from "../../samples/parameterText.ts";
import { jsonPointer } from "../../values/json.ts";
import { typeText } from "../../spec/typeNames.ts";
import { generationLink, readAddresses, schemaAddress, schemaPageLink } from "../model/addresses.ts";
import type { Field } from "../model/fields.ts";
import type { GenerationModel, SchemaModel } from "../model/generationModel.ts";
import { exampleBlock, pageLinks, paragraph, section, subsection, titledBlocks } from "../parts/blocks.ts";
import { bodyFields, withFoldButton } from "../parts/fieldList.ts";
import type { SectionNode } from "../parts/pageNodes.ts";
import { operationLinks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { inventedText } from "../parts/samplesPanel.ts";

/** The page of a component schema: its fields, examples and source, and its uses. */
export function schemaPage(content: SchemaModel): Page {
  const { generation, name, field } = content;
  const parent = generationLink(generation);
  const source = exampleBlock(content.schema, `JSON Schema of ${name}`);
  return {
    path: schemaAddress(generation, name),
    title: `${name} (schema)`,
    description: firstParagraph(field.description) || contentText(field),
    generation,
    crumbs: [parent, { title: "Schemas", path: `${parent.path}#schemas` }],
    source: jsonPointer(["components", "schemas", name]),
    heading: [{ kind: "name", text: name }],
    children: [
      {
        kind: "division",
        frame: { tag: "section", attributes: { "aria-label": "Schema" } },
        children: withFoldButton([bodyFields(generation, field)]),
      },
      ...exampleSection(content),
      ...titledBlocks("used", "Uses", usesOf(content)),
      { ...subsection(2, "JSON Schema", [source], "json-schema"), isFolded: true },
    ],
  };
}

/**
 * The page of all schemas of a generation, for agents: the fields and uses of each. The OpenAPI description has their
 * sources.
 */
export function schemaListPage({ generation, schemas }: GenerationModel): Page {
  const { schemaList } = readAddresses(generation);
  const title = `Schemas of ${generation.name}`;
  return {
    ...{ path: schemaList, title, description: `The fields of each schema of ${generation.name}.`, generation },
    children: [...schemas.values()].map((content) => {
      const uses = Object.entries(usesOf(content)).filter(([, blocks]) => blocks.length > 0);
      const lists = uses.flatMap(([term, blocks]) => [paragraph([`${term}:`]), ...blocks]);
      return section(content.name, content.name, [bodyFields(generation, content.field), ...lists]);
    }),
  };
}

/** The operations and the other schemas with a schema. */
function usesOf(content: SchemaModel) {
  const { generation } = content;
  const others = content.schemas.map((name) => schemaPageLink(generation, name));
  return {
    "In requests": operationLinks(generation, content.requests),
    "In responses": operationLinks(generation, content.responses),
    "In other schemas": pageLinks(others),
  };
}

/** Longer lists of names or values are truncated in sentences. */
const maximumNames = 9;

/** A summary of a value's parts in one sentence, where the fields aren't shown. */
function contentText({ type, fields, alternatives, knownValues, hasOtherValues }: Field): string {
  const listed = [
    ["Fields", fields.map(({ name }) => name)],
    ["Alternatives", alternatives.map(({ name }) => name)],
    [hasOtherValues ? "Known values" : "One of", knownValues.map(toText)],
    ["Type", [typeText(type)]],
  ] as const;
  const [title = "", names = []] = listed.find(([, own]) => own.length > 0) ?? [];
  if (names.length <= maximumNames) return `${title}: ${names.join(", ")}.`;
  const shown = names.slice(0, maximumNames - 1);
  return `${title}: ${shown.join(", ")} and ${String(names.length - shown.length)} more.`;
}

function exampleSection({ name, examples }: SchemaModel): readonly SectionNode[] {
  if (examples.length === 0) return [];
  const blocks = examples.map((example) => exampleBlock(example, `Example of ${name}`));
  return [section("examples", blocks.length === 1 ? "Example" : "Examples", [paragraph([inventedText]), ...blocks])];
}
