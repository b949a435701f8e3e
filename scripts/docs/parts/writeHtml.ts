import { listInWords } from "../../values/text.ts";
import { getOrCreate } from "../../values/collections.ts";
import { codeBlock, copyButton } from "./highlight.ts";
import { breakAt, html, nameText, trusted, type Html } from "../../values/html.ts";
import {
  screenOnly,
  type AlternativeNode,
  type Alternatives,
  type BodyFields,
  type Cell,
  type CodeBlock,
  type DefinitionList,
  type FieldNode,
  type Flow,
  type FlowNode,
  type Frame,
  type Inline,
  type Link,
  type List,
  type Mark,
  type MethodName,
  type Panel,
  type SectionNode,
  type Shared,
  type Table,
  type ValueNode,
  nodesIn,
} from "./pageNodes.ts";
import { requestSamples } from "./requestSamples.ts";

/** The HTML of a flow, without line breaks or spaces between inlines. */
export function writeHtml(flow: Flow): Html {
  return html`${flow.map(writeNode)}`;
}

const sharedHtml = new WeakMap<Shared, Html>();

function writeNode(node: FlowNode): Html | string {
  if (typeof node === "string") return node;
  switch (node.kind) {
    case "paragraph":
      return html`<p${classOf(node)}>${writeHtml(node.children)}</p> `;
    case "section":
      return writeSection(node);
    case "division":
      return writeFrame(node.frame, writeHtml(node.children));
    case "list":
      return writeList(node);
    case "definitions":
      return writeDefinitions(node);
    case "fields":
      return html`<ul class="fields">
        ${node.fields.map(writeField)}
      </ul> `;
    case "alternatives":
      return writeAlternatives(node);
    case "body":
      return writeBody(node);
    case "table":
      return writeTable(node);
    case "codeBlock":
      return writeCodeBlock(node);
    case "panel":
      return writePanel(node);
    case "samples":
      return requestSamples(node.name, node.samples);
    case "folded":
      return html`<details${classOf(node)}>
        <summary>${writeHtml(node.summary)}</summary>
        ${writeHtml(node.children)}
      </details> `;
    case "quote":
      return html`<blockquote>${writeHtml(node.children)}</blockquote> `;
    case "rule":
      return html`<hr /> `;
    case "shared":
      return getOrCreate(sharedHtml, node, () => writeHtml(node.children));
    default:
      return writeInline(node);
  }
}

function writeInline(node: Exclude<Inline, string>): Html {
  switch (node.kind) {
    case "code":
      return node.isPath === true ? writePath(node.text) : html`<code${classOf(node)}>${node.text}</code>`;
    case "link":
      return writeLink(node);
    case "mark":
      return writeMark(node);
    case "span":
      return html`<span${classOf(node)}>${writeHtml(node.children)}</span>`;
    case "name":
      return nameText(node.text);
    case "endpoint":
      return html`${writeMethod({ kind: "method", method: node.method })} ${writePath(node.path)}`;
    case "method":
      return writeMethod(node);
    case "break":
      return html`<br />`;
    case "screen":
      return node.html;
  }
}

function classOf({ className }: { readonly className?: string | undefined }): Html | undefined {
  return className === undefined ? undefined : html` class="${className}"`;
}

function attributesOf(attributes: Readonly<Record<string, string | undefined>>): Html {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return html`${given.map(([name, value]) => html` ${name}="${value}"`)}`;
}

function writeLink({ href, title, className, children }: Link): Html {
  return html`<a${attributesOf({ class: className, href, title })}>${writeHtml(children)}</a>`;
}

function writeMark({ tag, className, title, children }: Mark): Html {
  return html`<${trusted(tag)}${attributesOf({ class: className, title })}>${writeHtml(children)}</${trusted(tag)}>`;
}

/** The name of a method in its color. In narrow columns, only the beginning of a long one is visible. */
function writeMethod({ method, isNarrow = false }: MethodName): Html {
  const name = method.toUpperCase();
  const seen = isNarrow && name.length > 5 ? 3 : name.length;
  const rest = name.slice(seen);
  return html`<span class="method ${method}"
    >${name.slice(0, seen)}${rest && html`<span class="hidden">${rest}</span>`}</span
  >`;
}

/** A path, which wraps only at its slashes. */
function writePath(path: string): Html {
  const parts = path.split(/(?=\{)|(?<=\})/).map((part) => {
    const text = breakAt(part, /(?<=.)(?=\/)/);
    return part.startsWith("{") ? html`<span class="parameter">${text}</span>` : text;
  });
  return html`<code>${parts}</code>`;
}

function writeFrame({ tag, attributes }: Frame, inner: Html): Html {
  return html`<${trusted(tag)}${attributesOf(attributes)}>${inner}</${trusted(tag)}> `;
}

function writeSection(section: SectionNode): Html {
  const { children, frame, isFolded = false } = section;
  const heading = writeHeading(section);
  const whole = isFolded
    ? html`<details>
        <summary>${heading}</summary>
        ${writeHtml(children)}
      </details> `
    : html`${heading} ${writeHtml(children)}`;
  return frame === undefined ? whole : writeFrame(frame, whole);
}

/** A heading with an address links to itself, unless it links elsewhere or opens something. */
function writeHeading({
  level,
  anchor,
  heading,
  marks = [],
  isHeadingHidden = false,
  isFolded = false,
}: SectionNode): Html {
  const tag = trusted(`h${String(level)}`);
  const attributes = attributesOf({ id: anchor, class: isHeadingHidden ? "hidden" : undefined });
  const text = writeHtml([...heading, ...marks]);
  const leadsElsewhere = isFolded || isHeadingHidden || hasLink([...heading, ...marks]);
  const title = anchor === undefined || leadsElsewhere ? text : html`<a class="anchor" href="#${anchor}">${text}</a>`;
  return html`<${tag}${attributes}>${title}</${tag}>`;
}

function hasLink(flow: Flow): boolean {
  return nodesIn(flow).some(({ kind }) => kind === "link");
}

function writeList({ items, start, className }: List): Html {
  const tag = trusted(start === undefined ? "ul" : "ol");
  const attributes = attributesOf({
    class: className,
    start: start === undefined || start === 1 ? undefined : String(start),
  });
  const parts = items.map(
    ({ children, sentence }) =>
      html`<li>${writeHtml(children)}${sentence && html` <p class="sentence">${sentence}</p>`}</li> `,
  );
  return html`<${tag}${attributes}>${parts}</${tag}> `;
}

function writeDefinitions({ definitions, className }: DefinitionList): Html {
  const parts = definitions.map(
    ({ term, children, anchor }) =>
      html`<div${attributesOf({ id: anchor })}>
        <dt>${writeHtml(term)}</dt>
        <dd>${writeHtml(children)}</dd>
      </div> `,
  );
  return html`<dl${classOf({ className })}>${parts}</dl> `;
}

function writeField(field: FieldNode): Html {
  const { anchor, name, facts } = field;
  // The arrow keys lead from headings to a field's address. As tab stops, there would be hundreds.
  return html`<li id="${anchor}">
    <p class="field">
      <code class="name">${name}</code>
      <a class="anchor" href="#${anchor}" tabindex="-1" aria-label="Link to ${name}"></a>
      <span class="spec">${writeHtml(facts)}</span>
    </p>
    ${writeValue(field)}
  </li> `;
}

/** Elements with the same name are a group. Browsers open one at a time, also for a link into it. */
function writeAlternatives({ anchor, alternatives }: Alternatives): Html {
  const parts = alternatives.map(
    (alternative, index) =>
      html`<details name="${anchor}-alternatives" ${index === 0 && trusted("open")}>
        <summary>${alternative.title}</summary>
        ${writeAlternative(alternative)}
      </details> `,
  );
  return html`<div class="alternatives">${parts}</div> `;
}

function writeAlternative(alternative: AlternativeNode): Html {
  return html`<div id="${alternative.anchor}">
    <p class="type-line">${writeHtml(alternative.facts)}</p>
    ${writeValue(alternative)}
  </div>`;
}

function writeMediaTypes(mediaTypes: readonly string[]): Html {
  if (mediaTypes.length === 0) return html``;
  const names = mediaTypes.map((one) => String(html`<code>${one}</code>`));
  const className = names.length > 1 ? "media-types" : "media-type";
  return html`<p class="${className}">${trusted(listInWords(names, "disjunction"))}</p>`;
}

/** A whole body: its type, its gaps and its fields. */
function writeBody(body: BodyFields): Html {
  const { anchor, mediaTypes, facts } = body;
  return html`${writeMediaTypes(mediaTypes)}
    <div class="body" id="${anchor}">
      <p class="type-line">${writeHtml(facts)}</p>
      ${writeValue(body)}
    </div> `;
}

function writeValue({ values, description, inner, fold }: ValueNode): Html {
  const content = writeHtml(inner);
  return html`${values.length > 0 && html`<p class="values">${writeHtml(values)}</p>`}
  ${description.length > 0 && html`<div class="description">${writeHtml(description)}</div>`}
  ${
    fold === undefined
      ? content
      : html`<details class="nested" ${fold.isOpen ? trusted("open") : undefined}>
          <summary ${screenOnly}>${writeHtml(fold.label)}</summary>
          ${content}
        </details>`
  }`;
}

function writeTable({ titles, rows, className }: Table): Html {
  // Wide content scrolls, which must work by keyboard. That concerns tables of descriptions, since the others
  // fit.
  return html`<table${attributesOf({ class: className, tabindex: className === undefined ? "0" : undefined })}>
    ${
      titles.length > 0 &&
      html`<thead>
        <tr>
          ${titles.map(writeCell)}
        </tr>
      </thead>`
    }
    <tbody>
      ${rows.map(({ cells, attributes = {} }) => html`<tr${attributesOf(attributes)}>${cells.map(writeCell)}</tr> `)}
    </tbody>
  </table> `;
}

function writeCell({ children, scope, attributes }: Cell): Html {
  const tag = trusted(scope === undefined ? "td" : "th");
  return html`<${tag}${attributesOf({ scope, ...attributes })}>${writeHtml(children)}</${tag}> `;
}

function writeCodeBlock({ source, language, label }: CodeBlock): Html {
  const block = codeBlock(source, language, label);
  return label === undefined ? html`<figure class="panel code">${block}${copyButton}</figure> ` : html`${block} `;
}

function writePanel({ caption, isHeading, code: { source, language, label } }: Panel): Html {
  const text = writeHtml(caption);
  return html`<figure class="panel${isHeading && " payload"}">
    <figcaption>${isHeading ? html`<h3>${text}</h3>` : html`<span>${text}</span>`} ${copyButton}</figcaption>
    ${codeBlock(source, language, label)}
  </figure> `;
}
