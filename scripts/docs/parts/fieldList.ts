import { lifecycleMarks } from "./operationLinks.ts";
import { renderDescription } from "./renderDescription.ts";
import { ownAnchor, unspecifiedText, type Field, type Presence } from "../model/fields.ts";
import { typeText, type TypeName } from "../../spec/typeNames.ts";
import { html, joined, screenOnly, trusted, type Html } from "./html.ts";
import { nameText } from "./lineBreaks.ts";
import type { PageContext } from "./pageContext.ts";

/** As deep as this, fields are open from the start. */
const openDepth = 2;

/** Longer lists of values are folded. */
const openValues = 24;

/** A nested list of fields; all of it is in the HTML, and what is deep is folded. */
export function fieldList(context: PageContext, fields: readonly Field[], depth = 0): Html | undefined {
  if (fields.length === 0) return undefined;
  return html`<ul class="fields">
    ${fields.map((field) => fieldItem(context, field, depth))}
  </ul>`;
}

/** A whole body: its type, its gaps and its fields. */
export function bodyFields(context: PageContext, field: Field): Html {
  return html`<div class="body" id="${ownAnchor(field)}">
    <p class="type-line">${typeLine(context, field)}</p>
    ${details(field)} ${fieldContent(context, field, 0)}
  </div>`;
}

/** Gaps as marks. */
export function unspecifiedMarks(gaps: readonly string[]): Html | undefined {
  if (gaps.length === 0) return undefined;
  return html`${gaps.map((gap) => html` <span class="unspecified">· ${unspecifiedText(gap)}</span>`)}`;
}

/** A type name, with links to the pages of the schemas that it names. */
function typeLink({ addresses, root }: PageContext, type: TypeName): Html {
  return html`${type.map(({ text, schema = "" }) => {
    const path = addresses.schemas.get(schema);
    return path === undefined ? text : html`<a href="${root}${path}">${nameText(text)}</a>`;
  })}`;
}

function fieldItem(context: PageContext, field: Field, depth: number): Html {
  return html`<li id="${field.anchor}">
    <p class="field"><code class="name">${field.name}</code> ${typeLine(context, field)}</p>
    ${details(field)} ${fieldContent(context, field, depth + 1)}
  </li> `;
}

function typeLine(context: PageContext, { type, presence, lifecycle, isSecret, unspecified }: Field): Html {
  const facts = [
    html`<span class="type">${typeLink(context, type)}</span>`,
    ...(presenceText[presence] === "" ? [] : [html`<span class="presence">${presenceText[presence]}</span>`]),
    ...lifecycleMarks(lifecycle),
    ...(isSecret ? [html`<span class="secret">secret</span>`] : []),
  ];
  return html`${joined(facts, " · ")}${unspecifiedMarks(unspecified)}`;
}

/** Presence of a field in words; none for what the contract lists for each response. */
const presenceText: Readonly<Record<Presence, string>> = {
  required: "required",
  optional: "optional",
  listed: "",
  maybe: "may be absent",
  unknown: "",
};

function details({ constraints, knownValues, hasOtherValues, description }: Field): Html {
  const limits = constraints.map(({ words, code }) => {
    return code === undefined ? html`${words}` : html`${words} <code>${code}</code>`;
  });
  return html`${limits.length === 0 ? undefined : html`<p class="constraints">${joined(limits, " · ")}</p>`}
  ${knownValues.length === 0 ? undefined : valueList(knownValues, hasOtherValues ? "Known values" : "One of")}
  ${description === "" ? undefined : html`<div class="description">${renderDescription(description, 4)}</div>`}`;
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
  context: PageContext,
  { fields, alternatives, name, type, isCut }: Field,
  depth: number,
): Html | undefined {
  if (isCut) return html`<p class="cut">${cutText(type)}</p>`;
  if (fields.length + alternatives.length === 0) return undefined;
  const items = alternatives.map((alternative) => alternativeItem(context, alternative, depth));
  const content = html`${
    items.length === 0
      ? undefined
      : html`<ul class="fields">
          ${items}
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

function alternativeItem(context: PageContext, field: Field, depth: number): Html {
  const isNamed = field.type.some(({ schema }) => schema === field.name);
  return html`<li id="${field.anchor}">
    <p class="field">Alternative: ${isNamed ? undefined : html`<b>${field.name}</b> `}${typeLine(context, field)}</p>
    ${details(field)} ${fieldContent(context, field, depth)}
  </li> `;
}
