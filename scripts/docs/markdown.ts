import {
  componentName,
  isObject,
  isReference,
  resolve,
  type Document,
  type MediaType,
  type OperationEntry,
  type Schema,
} from "../contract/document.ts";
import { commonIntroduction, commonTitle, type DocumentedGeneration } from "./generation.ts";
import { listGroups, operationTitle, type Group } from "./groups.ts";
import { samplesOf } from "./samples/samples.ts";
import type { SiteFile } from "./siteFile.ts";

/**
 * The site for language models and other readers of plain text: llms.txt (llmstxt.org), and for each generation its
 * description and a page per group with operations. `packageName` is what samples import from.
 */
export function markdownFiles(generations: readonly DocumentedGeneration[], packageName: string): readonly SiteFile[] {
  return [
    { path: "llms.txt", content: indexFile(generations) },
    ...generations.flatMap((generation) => [
      { path: `${generation.name}/index.md`, content: generationFile(generation) },
      ...documentedGroups(generation).map((group) => ({
        path: `${generation.name}/${group.slug}.md`,
        content: groupFile(generation, group, packageName),
      })),
    ]),
  ];
}

function documentedGroups({ prepared }: DocumentedGeneration): readonly Group[] {
  return listGroups(prepared).filter(({ operations }) => operations.length > 0);
}

function indexFile(generations: readonly DocumentedGeneration[]): string {
  return paragraphs([
    `# ${commonTitle(generations)}`,
    `> ${commonIntroduction(generations)}`,
    ...generations.flatMap((generation) => [
      `## ${generation.title}`,
      list([
        `[Description](${generation.name}/index.md): ${generation.summary}`,
        ...documentedGroups(generation).map((group) => {
          const titles = group.operations.map(operationTitle).join("; ");
          return `[${displayName(generation, group)}](${generation.name}/${group.slug}.md): ${titles}`;
        }),
        `[OpenAPI](${generation.name}/openapi.yaml): the whole description, for tools`,
      ]),
    ]),
  ]);
}

function generationFile(generation: DocumentedGeneration): string {
  const info: unknown = generation.prepared.info;
  return paragraphs([
    `# ${generation.title}`,
    isObject(info) && typeof info["description"] === "string" ? info["description"] : "",
    "## Operations",
    list(
      documentedGroups(generation).flatMap((group) =>
        group.operations.map(
          (entry) => `[${operationTitle(entry)}](${group.slug}.md): \`${entry.method.toUpperCase()} ${entry.path}\``,
        ),
      ),
    ),
  ]);
}

function groupFile(generation: DocumentedGeneration, group: Group, packageName: string): string {
  return paragraphs([
    `# ${displayName(generation, group)} (${generation.title})`,
    group.description,
    ...group.operations.flatMap((entry) => operationParagraphs(generation, entry, packageName)),
  ]);
}

function operationParagraphs(
  { name, document, prepared }: DocumentedGeneration,
  entry: OperationEntry,
  packageName: string,
): readonly string[] {
  const { operation, method, path, parameters } = entry;
  const body = operation.requestBody && resolve(operation.requestBody, prepared.components?.requestBodies);
  // The prepared document has other tags, and its operations samples already.
  const samples = samplesOf(document, entry, `${packageName}/${name}`);
  return [
    `## ${operationTitle(entry)}`,
    `\`${method.toUpperCase()} ${path}\``,
    operation.description ?? "",
    `Credentials: ${describeSecurity(operation.security ?? prepared.security)}`,
    ...(parameters.length === 0 ? [] : ["### Parameters"]),
    list(
      parameters.map((parameter) =>
        words(
          `\`${parameter.name}\` (${[parameter.in, typeName(parameter.schema), parameter.required && "required"].filter(Boolean).join(", ")}):`,
          oneLine(parameter.description),
        ),
      ),
    ),
    ...(body === undefined ? [] : ["### Request body", ...contentParagraphs(prepared, body.content)]),
    ...Object.entries(operation.responses).flatMap(([status, referenced]) => {
      const response = resolve(referenced, prepared.components?.responses);
      return [
        `### Response ${status}`,
        response.description ?? "",
        ...(status === "default" ? [] : contentParagraphs(prepared, response.content ?? {})),
      ];
    }),
    "### Samples",
    ...samples.map(({ label, lang, source }) => `${label}:\n\n${codeBlock(lang === "curl" ? "sh" : "ts", source)}`),
  ];
}

function contentParagraphs(document: Document, content: Readonly<Record<string, MediaType>>): readonly string[] {
  return Object.entries(content).flatMap(([mediaType, { schema = {}, examples = {} }]) => [
    `\`${mediaType}\`: ${typeName(schema)}`,
    fieldList(document, schema, []).join("\n"),
    ...Object.values(examples).map((referenced) => {
      const example = resolve(referenced, document.components?.examples);
      const title = example.summary ?? "Example";
      return `${title}:\n\n${codeBlock("json", JSON.stringify(example.value, null, 2))}`;
    }),
  ]);
}

/** A line for each field of a schema, indented by how deep it is. `trail` has the schemas around it, against circles. */
function fieldList(document: Document, referenced: Schema, trail: readonly Schema[]): string[] {
  const schema = resolve(referenced, document.components?.schemas);
  if (trail.includes(schema)) return [];
  const around = [...trail, schema];
  const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((alternative) => [
    `- either ${typeName(alternative)}: ${oneLine(resolve(alternative, document.components?.schemas).description)}`,
    ...indent(fieldList(document, alternative, around)),
  ]);
  const parts = (schema.allOf ?? []).flatMap((part) => fieldList(document, part, around));
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const target = resolve(property, document.components?.schemas);
    const required = schema.required?.includes(name) === true ? ", required" : "";
    return [
      words(`- \`${name}\` (${typeName(property)}${required}):`, oneLine(target.description)),
      ...indent(fieldList(document, property, around)),
    ];
  });
  const items = isObject(schema.items) ? fieldList(document, schema.items, around) : [];
  return [...alternatives, ...parts, ...fields, ...items];
}

function typeName(schema: Schema | undefined): string {
  if (isReference(schema)) return componentName(schema.$ref);
  if (schema?.const !== undefined) return JSON.stringify(schema.const);
  if (schema?.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const types = [schema?.type ?? []].flat();
  if (types.includes("array") && isObject(schema?.items)) return `array of ${typeName(schema.items)}`;
  const names = types.length === 0 ? ["any"] : types;
  return [names.join(" or "), ...(schema?.format === undefined ? [] : [schema.format])].join(", ");
}

function describeSecurity(security: Document["security"] = []): string {
  const alternatives = security.map((requirement) => Object.keys(requirement));
  if (alternatives.every(({ length }) => length === 0)) return "none.";
  const named = alternatives.filter(({ length }) => length > 0);
  const optional = named.length < alternatives.length ? "optional: " : "";
  return `${optional}${named.map((schemes) => schemes.map((scheme) => `\`${scheme}\``).join(" and ")).join(", or ")}.`;
}

function displayName({ document }: DocumentedGeneration, { slug }: Group): string {
  return listGroups(document).find((group) => group.slug === slug)?.name ?? slug;
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

function words(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" ");
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
