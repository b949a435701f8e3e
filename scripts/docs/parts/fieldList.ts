import { countOf } from "../../contract/text.ts";
import { lifecycleMarks } from "./operationLinks.ts";
import { renderDescription } from "./renderDescription.ts";
import { ownAnchor, unspecifiedText, type Field, type Presence } from "../model/fields.ts";
import { typeText, type TypeName } from "../../spec/typeNames.ts";
import { hiddenDot, html, joined, screenOnly, trusted, type Html } from "./html.ts";
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
    ${fields.map((field) => fieldItem(context, field, depth + 1, html`<code class="name">${field.name}</code>`))}
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
  return html`${gaps.map((gap) => html`${hiddenDot}<span class="unspecified">${unspecifiedText(gap)}</span>`)}`;
}

/** A type name, with links to the pages of the schemas that it names. */
function typeLink({ addresses, root }: PageContext, type: TypeName): Html {
  return html`${type.map(({ text, schema = "" }) => {
    const path = addresses.schemas.get(schema);
    const [, plain, format] = /^(.*), ([\w-]+)$/.exec(text) ?? [];
    if (format !== undefined) return html`${plain}<span class="hidden">,</span> <span class="format">${format}</span>`;
    return path === undefined ? text : html`<a href="${root}${path}">${nameText(text)}</a>`;
  })}`;
}

function fieldItem(context: PageContext, field: Field, depth: number, label: Html, title?: Html): Html {
  return html`<li id="${field.anchor}">
    <p class="field">
      ${label} ${addressLink(field)}
      <span class="spec">${title}${typeLine(context, field)}</span>
    </p>
    ${details(field)} ${fieldContent(context, field, depth)}
  </li> `;
}

/** A field's address, which the arrow keys lead to from those of headings: as tab stops, there would be hundreds. */
function addressLink({ anchor, name }: Field): Html {
  return html`<a class="anchor" href="#${anchor}" tabindex="-1" aria-label="Link to ${name}"></a>`;
}

/** The type of a value, and what else is said of it in a word or two, as chips. */
function typeLine(context: PageContext, field: Field): Html {
  const { type, presence, lifecycle, isSecret, constraints, unspecified } = field;
  const facts = [
    html`<span class="type">${typeLink(context, type)}</span>`,
    ...(presenceText[presence] === "" ? [] : [html`<span class="chip ${presence}">${presenceText[presence]}</span>`]),
    ...lifecycleMarks(lifecycle),
    ...(isSecret ? [html`<span class="chip">secret</span>`] : []),
    ...constraints.map(
      ({ words, code }) =>
        html`<span class="chip">${words}${code === undefined ? "" : html` <code>${code}</code>`}</span>`,
    ),
  ];
  return html`${joined(facts, hiddenDot)}${unspecifiedMarks(unspecified)}`;
}

/** Presence of a field in words; none for what the contract lists for each response. */
const presenceText: Readonly<Record<Presence, string>> = {
  required: "required",
  optional: "optional",
  listed: "",
  maybe: "may be absent",
  unknown: "",
};

function details({ knownValues, hasOtherValues, description }: Field): Html {
  return html`${knownValues.length === 0 ? undefined : valueList(knownValues, hasOtherValues ? "Known values" : "One of")}
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
  const items = alternatives.map((alternative) => {
    const isNamed = alternative.type.some(({ schema }) => schema === alternative.name);
    const title = isNamed ? undefined : html`<b>${alternative.name}</b> `;
    return fieldItem(context, alternative, depth, html`<span class="name">Alternative:</span>`, title);
  });
  const content = html`${
    items.length > 0
      ? html`<ul class="fields">
          ${items}
        </ul>`
      : undefined
  }
  ${fieldList(context, fields, depth)}`;
  if (depth === 0) return content;
  const { length } = fields.length > 0 ? fields : alternatives;
  const label = countOf(length, fields.length > 0 ? "field" : "alternative");
  return html`<details class="nested" ${depth < openDepth ? trusted("open") : undefined}>
    <summary ${screenOnly}>${label} of <code>${name === "" ? typeText(type) : name}</code></summary>
    ${content}
  </details>`;
}

/** Says where the fields of a type are that a page leaves out. */
function cutText(type: TypeName): string {
  const isNamed = type.some(({ schema }) => schema !== undefined);
  return `For its contents, see ${isNamed ? "the page of its schema" : "the OpenAPI description"}.`;
}
