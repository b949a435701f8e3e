import type { Generation } from "../../contract/generation.ts";
import { renderDescription } from "./renderDescription.ts";
import { ownAnchor, unspecifiedText, type Field, type Presence } from "../model/fields.ts";
import { typeText, type TypeName } from "../../spec/typeNames.ts";
import { html, screenOnly, trusted, type Html } from "./html.ts";
import { nameText } from "./lineBreaks.ts";
import { addressesOf, type Site } from "../model/site.ts";

/** Where a list of fields is shown. */
export interface FieldContext {
  readonly site: Site;
  readonly generation: Generation;
  /** What precedes links to the site's root. */
  readonly root: string;
}

/** As deep as this, fields are open from the start. */
const openDepth = 2;

/** Longer lists of values are folded. */
const openValues = 24;

/** A nested list of fields; all of it is in the HTML, and what is deep is folded. */
export function fieldList(context: FieldContext, fields: readonly Field[], depth = 0): Html | undefined {
  if (fields.length === 0) return undefined;
  return html`<ul class="fields">
    ${fields.map((field) => fieldItem(context, field, depth))}
  </ul>`;
}

/** What a whole body is: its type, what is not specified of it, and its fields. */
export function bodyFields(context: FieldContext, field: Field): Html {
  return html`<div class="body" id="${ownAnchor(field)}">
    <p class="type-line">${typeLine(context, field)}</p>
    ${details(field)} ${fieldContent(context, field, 0)}
  </div>`;
}

/** What is not specified of something, as marks. */
export function unspecifiedMarks(phrases: readonly string[]): Html | undefined {
  if (phrases.length === 0) return undefined;
  return html`${phrases.map((phrase) => html` <span class="unspecified">· ${unspecifiedText(phrase)}</span>`)}`;
}

/** A type name, with links to the pages of the schemas that it names. */
function typeLink({ site, generation, root }: FieldContext, type: TypeName): Html {
  const { schemas } = addressesOf(site, generation);
  return html`${type.map(({ text, schema }) => {
    const path = schema === undefined ? undefined : schemas.get(schema);
    return path === undefined ? text : html`<a href="${root}${path}">${nameText(text)}</a>`;
  })}`;
}

function fieldItem(context: FieldContext, field: Field, depth: number): Html {
  return html`<li id="${field.anchor}">
    <p class="field"><code class="name">${field.name}</code> ${typeLine(context, field)}</p>
    ${details(field)} ${fieldContent(context, field, depth + 1)}
  </li> `;
}

function typeLine(context: FieldContext, field: Field): Html {
  const presence = presenceText[field.presence];
  return html`<span class="type">${typeLink(context, field.type)}</span>${
      presence === undefined ? undefined : html` · <span class="presence">${presence}</span>`
    }${
      field.isDeprecated ? html` · <span class="deprecated">deprecated</span>` : undefined
    }${field.isSecret ? html` · <span class="secret">secret</span>` : undefined}${unspecifiedMarks(field.unspecified)}`;
}

/** What is said of a field's presence; nothing is said of what a response always has. */
const presenceText: Readonly<Record<Presence, string | undefined>> = {
  required: "required",
  optional: "optional",
  always: undefined,
  maybe: "may be absent",
  unknown: undefined,
};

function details({ constraints, knownValues, hasOtherValues, description }: Field): Html {
  const limits = constraints.map((phrase, index) => html`${index === 0 ? "" : " · "}${constraintText(phrase)}`);
  return html`${limits.length === 0 ? undefined : html`<p class="constraints">${limits}</p>`}
  ${knownValues.length === 0 ? undefined : valueList(knownValues, hasOtherValues ? "Known values" : "One of")}
  ${description === "" ? undefined : html`<div class="description">${renderDescription(description, 4)}</div>`}`;
}

/** Patterns and values are code. */
function constraintText(phrase: string): Html {
  const [, words, code] = /^(matches|default) (.+)$/s.exec(phrase) ?? [];
  return code === undefined ? html`${phrase}` : html`${words} <code>${code}</code>`;
}

function valueList(values: readonly unknown[], title: string): Html {
  const codes = values.map((value) => html`<code>${writeValue(value)}</code> `);
  if (values.length <= openValues) return html`<p class="values">${title}: ${codes}</p>`;
  return html`<details class="values">
    <summary>${title}: ${values.length}</summary>
    <p>${codes}</p>
  </details>`;
}

function writeValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fieldContent(
  context: FieldContext,
  { fields, alternatives, name, type, isCut }: Field,
  depth: number,
): Html | undefined {
  if (isCut) return html`<p class="constraints">${cutText(type)}</p>`;
  if (fields.length + alternatives.length === 0) return undefined;
  const content = html`${
    alternatives.length === 0
      ? undefined
      : html`<ul class="fields">
          ${alternatives.map((alternative) => alternativeItem(context, alternative, depth))}
        </ul>`
  }
  ${fieldList(context, fields, depth)}`;
  if (depth === 0) return content;
  const label = `Fields of ${name === "" ? typeText(type) : name}`;
  return html`<details${depth < openDepth ? trusted(" open") : undefined}>
    <summary ${screenOnly}>${label}</summary>
    ${content}
  </details>`;
}

/** Says where the fields of a type are that a page leaves out. */
function cutText(type: TypeName): string {
  const isNamed = type.some(({ schema }) => schema !== undefined);
  return `For its contents, see ${isNamed ? "the page of its schema" : "the OpenAPI description"}.`;
}

function alternativeItem(context: FieldContext, field: Field, depth: number): Html {
  const isNamed = field.type.some(({ schema }) => schema === field.name);
  return html`<li id="${field.anchor}">
    <p class="field">Alternative: ${isNamed ? undefined : html`<b>${field.name}</b> `}${typeLine(context, field)}</p>
    ${details(field)} ${fieldContent(context, field, depth)}
  </li> `;
}
