import type { Generation } from "../../contract/generation.ts";
import { countOf } from "../../contract/text.ts";
import { lifecycleMarks } from "./operationLinks.ts";
import { renderDescription } from "./renderDescription.ts";
import { readAddresses } from "../model/addresses.ts";
import { ownAnchor, unspecifiedText, type Field, type Presence } from "../model/fields.ts";
import { typeText, type TypeName } from "../../spec/typeNames.ts";
import { link } from "./blocks.ts";
import { hiddenDot, html, joined, nameText, screenOnly, trusted, type Html } from "./html.ts";

/** As deep as this, fields are open from the start. */
const openDepth = 2;

/** A nested list of fields, or of alternatives; all of it is in the HTML, and what is deep is folded. */
export function fieldList(
  generation: Generation,
  fields: readonly Field[],
  { depth = 0, areAlternatives = false } = {},
) {
  if (fields.length === 0) return undefined;
  const items = fields.map((field) => {
    const { anchor, name, type } = field;
    const isNamed = type.some(({ schema }) => schema === name);
    const label = areAlternatives
      ? html`<span class="name">Alternative:</span>`
      : html`<code class="name">${name}</code>`;
    // The arrow keys lead to a field's address from those of headings: as tab stops, there would be hundreds.
    return html`<li id="${anchor}">
      <p class="field">
        ${label} <a class="anchor" href="#${anchor}" tabindex="-1" aria-label="Link to ${name}"></a>
        <span class="spec">${areAlternatives && !isNamed && html`<b>${name}</b> `}${typeLine(generation, field)}</span>
      </p>
      ${details(field)} ${fieldContent(generation, field, areAlternatives ? depth : depth + 1)}
    </li> `;
  });
  return html`<ul class="fields">
    ${items}
  </ul>`;
}

/** A whole body: its type, its gaps and its fields. */
export function bodyFields(generation: Generation, field: Field): Html {
  return html`<div class="body" id="${ownAnchor(field)}">
    <p class="type-line">${typeLine(generation, field)}</p>
    ${details(field)} ${fieldContent(generation, field, 0)}
  </div>`;
}

/** Gaps as marks. */
export function unspecifiedMarks(gaps: readonly string[]): Html {
  return html`${gaps.map((gap) => html`${hiddenDot}<span class="unspecified">${unspecifiedText(gap)}</span>`)}`;
}

/** A type name, with links to the pages of the schemas that it names. */
function typeLink(generation: Generation, type: TypeName): Html {
  const addresses = readAddresses(generation);
  return html`${type.map(({ text, schema = "" }) => {
    const path = addresses.schemas.get(schema);
    const [, plain, format] = /^(.*), ([\w-]+)$/.exec(text) ?? [];
    if (format !== undefined) return html`${plain}<span class="hidden">,</span> <span class="format">${format}</span>`;
    return path === undefined ? text : link({ title: nameText(text), path });
  })}`;
}

/** The type of a value, and what else is said of it in a word or two, as chips. */
function typeLine(generation: Generation, { type, presence, lifecycle, isSecret, constraints, unspecified }: Field) {
  const presenceWords = presenceText[presence];
  const facts = [
    html`<span class="type">${typeLink(generation, type)}</span>`,
    presenceWords === "" ? undefined : html`<span class="chip ${presence}">${presenceWords}</span>`,
    ...lifecycleMarks(lifecycle),
    isSecret ? html`<span class="chip">secret</span>` : undefined,
    ...constraints.map(
      ({ words, code }) => html`<span class="chip">${words}${code !== undefined && html` <code>${code}</code>`}</span>`,
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
  return html`${knownValues.length > 0 && valueList(knownValues, hasOtherValues ? "Known values" : "One of")}
  ${description && html`<div class="description">${renderDescription(description, 4)}</div>`}`;
}

function valueList(values: readonly unknown[], title: string): Html {
  const codes = values.map((value) => html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code> `);
  return html`<p class="values">${title}: ${codes}</p>`;
}

function fieldContent(generation: Generation, field: Field, depth: number): Html | undefined {
  const { fields, alternatives, name, type, isCut } = field;
  if (isCut) {
    const isNamed = type.some(({ schema }) => schema !== undefined);
    return html`<p class="cut">
      For its contents, see ${isNamed ? "the page of its schema" : "the OpenAPI description"}.
    </p>`;
  }
  if (fields.length + alternatives.length === 0) return undefined;
  const content = html`${fieldList(generation, alternatives, { depth, areAlternatives: true })}
  ${fieldList(generation, fields, { depth })}`;
  if (depth === 0) return content;
  const label = fields.length > 0 ? countOf(fields.length, "field") : countOf(alternatives.length, "alternative");
  return html`<details class="nested" ${depth < openDepth ? trusted("open") : undefined}>
    <summary ${screenOnly}>${label} of <code>${name === "" ? typeText(type) : name}</code></summary>
    ${content}
  </details>`;
}
