import type { TextFile } from "../command/files.ts";
import {
  resolveSchema,
  serverUrl,
  type Generation,
  type Group,
  type MediaType,
  type Operation,
} from "../contract/generation.ts";
import { lastKey } from "../contract/jsonPointer.ts";
import { isObject, isReference, type OpenApiDocument, type SchemaObject } from "../contract/openapi.ts";
import { slugOf } from "../contract/text.ts";
import { groupSlugs } from "./addresses.ts";
import { commonIntroduction, commonTitle } from "./introduction.ts";
import { samplesOf } from "./samples/samples.ts";

/**
 * The site for language models and other readers of plain text: llms.txt (llmstxt.org), and for each generation its
 * description and a page per group with operations. `packageName` is what samples import from.
 */
export function markdownFiles(generations: readonly Generation[], packageName: string): readonly TextFile[] {
  return [
    { path: "llms.txt", content: indexFile(generations) },
    ...generations.flatMap((generation) => [
      { path: `${generation.name}/index.md`, content: generationFile(generation) },
      ...documentedGroups(generation).map((group) => ({
        path: `${generation.name}/${fileOf(generation, group)}`,
        content: groupFile(generation, group, `${packageName}/${generation.name}`),
      })),
    ]),
  ];
}

function documentedGroups({ groups }: Generation): readonly Group[] {
  return groups.filter(({ operations }) => operations.length > 0);
}

function fileOf(generation: Generation, { name }: Group): string {
  return `${groupSlugs(generation).get(name) ?? slugOf(name)}.md`;
}

function indexFile(generations: readonly Generation[]): string {
  return paragraphs([
    `# ${commonTitle(generations)}`,
    `> ${commonIntroduction(generations)}`,
    ...generations.flatMap((generation) => [
      `## ${generation.title}`,
      list([
        `[Description](${generation.name}/index.md): ${generation.summary}`,
        ...documentedGroups(generation).map((group) => {
          const titles = group.operations.map(({ title }) => title).join("; ");
          return `[${group.name}](${generation.name}/${fileOf(generation, group)}): ${titles}`;
        }),
        `[OpenAPI](${generation.name}/openapi.yaml): the whole description, for tools`,
      ]),
    ]),
  ]);
}

function generationFile(generation: Generation): string {
  return paragraphs([
    `# ${generation.title}`,
    generation.description,
    "## Operations",
    list(
      documentedGroups(generation).flatMap((group) =>
        group.operations.map(({ title, name }) => `[${title}](${fileOf(generation, group)}): \`${name}\``),
      ),
    ),
  ]);
}

function groupFile(generation: Generation, group: Group, module: string): string {
  return paragraphs([
    `# ${group.name} (${generation.title})`,
    group.description,
    ...group.operations.flatMap((operation) => operationParagraphs(operation, module)),
  ]);
}

function operationParagraphs(operation: Operation, module: string): readonly string[] {
  const { document, title, name, description, parameters, requestBody, responses } = operation;
  return [
    `## ${title}`,
    `\`${name}\``,
    description,
    `Credentials: ${describeSecurity(operation)}`,
    ...(parameters.length === 0 ? [] : ["### Parameters"]),
    list(
      parameters.map((parameter) => {
        const facts = [parameter.in, typeName(parameter.schema), parameter.required && "required"].filter(Boolean);
        return words(`\`${parameter.name}\` (${facts.join(", ")}):`, oneLine(parameter.description));
      }),
    ),
    ...(requestBody === undefined ? [] : ["### Request body", ...contentParagraphs(document, requestBody.content)]),
    ...responses.flatMap((response) => [
      `### Response ${response.status}`,
      response.description,
      ...(response.status === "default" ? [] : contentParagraphs(document, response.content)),
    ]),
    "### Samples",
    ...samplesOf(operation, { module, server: serverUrl(operation) }).map(({ label, example, highlight, source }) => {
      const title = example === undefined ? label : `${label}, ${example}`;
      return `${title}:\n\n${codeBlock(highlight, source)}`;
    }),
  ];
}

function contentParagraphs(document: OpenApiDocument, content: readonly MediaType[]): readonly string[] {
  return content.flatMap(({ mediaType, schema, examples }) => [
    `\`${mediaType}\`: ${typeName(schema)}`,
    fieldList(document, schema, []).join("\n"),
    ...examples.map(({ summary, value }) => `${summary}:\n\n${codeBlock("json", JSON.stringify(value, null, 2))}`),
  ]);
}

/** A line for each field of a schema, indented by how deep it is. `trail` has the schemas around it, against circles. */
function fieldList(document: OpenApiDocument, referenced: SchemaObject, trail: readonly SchemaObject[]): string[] {
  const schema = resolveSchema(document, referenced);
  if (trail.includes(schema)) return [];
  const around = [...trail, schema];
  const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((alternative) => [
    words(`- either ${typeName(alternative)}:`, oneLine(resolveSchema(document, alternative).description)),
    ...indent(fieldList(document, alternative, around)),
  ]);
  const parts = (schema.allOf ?? []).flatMap((part) => fieldList(document, part, around));
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const required = schema.required?.includes(name) === true ? ", required" : "";
    return [
      words(
        `- \`${name}\` (${typeName(property)}${required}):`,
        oneLine(resolveSchema(document, property).description),
      ),
      ...indent(fieldList(document, property, around)),
    ];
  });
  const items = isObject(schema.items) ? fieldList(document, schema.items, around) : [];
  return [...alternatives, ...parts, ...fields, ...items];
}

function typeName(schema: SchemaObject): string {
  if (isReference(schema)) return lastKey(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const types = [schema.type ?? []].flat();
  if (types.includes("array") && isObject(schema.items)) return `array of ${typeName(schema.items)}`;
  const names = types.length === 0 ? ["any"] : types;
  return [names.join(" or "), ...(schema.format === undefined ? [] : [schema.format])].join(", ");
}

function describeSecurity({ security }: Operation): string {
  const named = security.filter((schemes) => schemes.length > 0);
  if (named.length === 0) return "none.";
  const optional = named.length < security.length ? "optional: " : "";
  return `${optional}${named.map((schemes) => schemes.map(({ name }) => `\`${name}\``).join(" and ")).join(", or ")}.`;
}

function paragraphs(texts: readonly string[]): string {
  return `${texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n")}\n`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function codeBlock(language: string, source: string): string {
  return `\`\`\`${language}\n${source}\n\`\`\``;
}

/** A description in a list: notes are marked as quotations, which need lines of their own. */
function oneLine(text = ""): string {
  return text.replaceAll(/^> /gm, "").replaceAll(/\s+/g, " ").trim();
}

/** A label and a text, or the label without its colon if there is no text. */
function words(label: string, text: string): string {
  return text === "" ? label.replace(/:$/, "") : `${label} ${text}`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
