import type { Generation } from "../../contract/generation.ts";
import { cutText, presenceText } from "../parts/fieldList.ts";
import { unspecifiedText, type Field } from "../model/fields.ts";
import type { TypeName } from "../../spec/typeNames.ts";
import type { MediaContent } from "../model/operationContent.ts";
import { addressesOf, type Site } from "../model/site.ts";
import type { Links } from "./markdownPage.ts";
import {
  beginsWithParagraph,
  bulletList,
  codeSpan,
  escapeMarkdown,
  joinBlocks,
  linkTo,
  placeHeadings,
} from "./markdownText.ts";

/** Where something of a generation is said. */
export interface MarkdownContext {
  readonly site: Site;
  readonly generation: Generation;
  readonly links: Links;
}

/** Fields as a nested list: of each its name, its type and what limits it, and its description. */
export function markdownFields(context: MarkdownContext, fields: readonly Field[]): string {
  return bulletList(
    fields.map((field) => withContent(context, `${codeSpan(field.name)} ${facts(context, field)}`, field)),
  );
}

/** What bodies of each media type contain. */
export function markdownMedia(context: MarkdownContext, media: readonly MediaContent[]): string {
  return joinBlocks(
    media.map(({ mediaType, field }) =>
      markdownBody(context, `${codeSpan(mediaType)} ${facts(context, field)}`, field),
    ),
  );
}

/** A whole value: what it is called and its facts, its description, and the list of its fields. */
export function markdownBody(context: MarkdownContext, head: string, field: Field): string {
  return joinBlocks([withDescription(head, field), contentOf(context, field)]);
}

/** Type, presence, what is not specified, and limits of a value. */
export function facts(context: MarkdownContext, field: Field): string {
  const { type, presence, isDeprecated, isSecret, unspecified, constraints } = field;
  return [
    markdownType(context, type),
    presenceText[presence],
    isDeprecated ? "deprecated" : undefined,
    isSecret ? "secret" : undefined,
    ...unspecified.map((phrase) => escapeMarkdown(unspecifiedText(phrase))),
    ...constraints.map(constraintText),
  ]
    .filter((fact) => fact !== undefined)
    .join(" · ");
}

/** What is not specified of something, as it goes on after a line. */
export function markdownMarks(phrases: readonly string[]): string {
  return phrases.map((phrase) => ` · ${escapeMarkdown(unspecifiedText(phrase))}`).join("");
}

function withContent(context: MarkdownContext, head: string, field: Field): string {
  const content = contentOf(context, field);
  return withDescription(head, field) + (content === "" ? "" : `\n${content}`);
}

function contentOf(context: MarkdownContext, { fields, alternatives, type, isCut }: Field): string {
  if (isCut) return `- ${cutText(type)}`;
  const forms = alternatives.map((form) =>
    withContent(context, `Alternative: ${formName(form)}${facts(context, form)}`, form),
  );
  return [bulletList(forms), markdownFields(context, fields)].filter((list) => list !== "").join("\n");
}

/** A schema of its own is named by its type. */
function formName({ name, type }: Field): string {
  return type.some(({ schema }) => schema === name) ? "" : `**${escapeMarkdown(name)}** `;
}

/** A description goes on where the head ends, unless it is a list, a table or the like. */
function withDescription(head: string, { knownValues, hasOtherValues, description }: Field): string {
  const label = hasOtherValues ? "Known values" : "One of";
  const values = knownValues.map((value) => codeSpan(typeof value === "string" ? value : JSON.stringify(value)));
  const line = values.length === 0 ? `${head}:` : `${head}: ${label}: ${values.join(" ")}.`;
  if (description.trim() === "") return line.replace(/:$/, "");
  const text = placeHeadings(description.trim(), 5);
  return beginsWithParagraph(text) ? `${line} ${text}` : joinBlocks([line, text]);
}

function markdownType({ site, generation, links }: MarkdownContext, type: TypeName): string {
  const { schemas } = addressesOf(site, generation);
  return type
    .map(({ text, schema }) => {
      const path = schema === undefined ? undefined : schemas.get(schema);
      // Between other parts, spaces at the ends count.
      return path === undefined ? text.replace(/\S.*\S|\S/s, escapeMarkdown) : linkTo(text, links(path));
    })
    .join("");
}

/** Patterns and values are code, in which nothing is a mark. */
function constraintText(phrase: string): string {
  const [, words = "", code] = /^(matches|default) (.+)$/s.exec(phrase) ?? [];
  return code === undefined ? escapeMarkdown(phrase) : `${words} ${codeSpan(code)}`;
}
