import type { Generation, Group } from "../../contract/generation.ts";
import { isPresenceUnspecified } from "../../contract/gaps.ts";
import { firstParagraph } from "../../contract/text.ts";
import { needText, type SecurityScheme } from "../../contract/security.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { bodyFields, fieldList, unspecifiedMarks } from "../parts/fieldList.ts";
import { unspecifiedText } from "../model/fields.ts";
import { crumbs, link, linkList, section, titledLists } from "../parts/blocks.ts";
import { hiddenDot, html, joined, screenOnly, trusted, type Html } from "../parts/html.ts";
import { icon, type IconName } from "../parts/icon.ts";
import { mockNote } from "../model/mockNote.ts";
import { namedSchemas, operationAnchors } from "../model/operationModel.ts";
import type { BodyModel, MediaTypeModel, OperationModel, ResponseModel } from "../model/operationModel.ts";
import { deprecatedMark, endpointText, lifecycleMarks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { samplesPanel } from "../parts/samplesPanel.ts";
import { readAddresses } from "../model/addresses.ts";
import { firstLevel, type PageLink, type Site } from "../model/site.ts";

export function operationPage(
  site: Site,
  generation: Generation,
  content: OperationModel,
  guides: readonly PageLink[],
): Page {
  const { operation, requestBody, isWebhook, parameters, responses } = content;
  const addresses = readAddresses(generation);
  const group = isWebhook ? undefined : generation.groups.find(({ name }) => name === operation.group);
  const schemas = namedSchemas(content).map((title) => ({ title, path: addresses.schemas.get(title) ?? "" }));
  const note = mockNote(operation, site.resources.get(operation));
  const [, lead = "", rest = ""] =
    /^(<p>[^]*?<\/p>)?([^]*)$/.exec(renderDescription(operation.description, 1).toString()) ?? [];
  return {
    path: addresses.operations.get(operation) ?? "",
    title: operation.title,
    description: firstParagraph(operation.description) || operation.name,
    generation,
    group,
    operation,
    content: html`<article class="operation">
      ${overview(generation, content, group, trusted(lead))}
      <div class="about">
        ${trusted(rest)}
        ${note !== undefined && !isWebhook && html`<div class="note">${icon("flask")} ${renderDescription(note)}</div>`}
      </div>
      <div class="reference">
        ${parameters.map(({ in: place, title, fields }) => section(`${place}-parameters`, title, fieldList(generation, fields)))}
        ${bodySection(generation, requestBody)}
        ${section(
          "responses",
          "Responses",
          html`${presenceLine(generation, content)}
          ${responses.map((response) => responseSection(generation, response))}
          ${!isWebhook && html`<p>On failures in general, see ${link(firstLevel.errors)}.</p>`}`,
        )}
        ${titledLists("related", "Related", { Guides: linkList(guides), Schemas: linkList(schemas) })}
      </div>
      ${samplesPanel(site, generation, content)}
    </article>`,
  };
}

/** The overview that a reader sees first: title, method and path, credentials, success status, and what is not specified. */
function overview(generation: Generation, content: OperationModel, group: Group | undefined, lead: Html): Html {
  const { operation, isWebhook, unspecified } = content;
  const addresses = readAddresses(generation);
  const { title, path } = operation;
  const marks = lifecycleMarks(operation.lifecycle);
  const groupLinks = group === undefined ? [] : [{ title: group.title, path: addresses.groups.get(group) ?? "" }];
  return html`<header class="overview">
    ${crumbs({ title: generation.name, path: addresses.generation }, ...groupLinks)}
    <p class="actions" ${screenOnly}>
      <a href="index.md">${icon("page")}<span class="hidden">View as </span>Markdown</a>
      <button type="button" class="copy" data-copy-markdown="index.md">Copy as Markdown</button>
    </p>
    <h1>${title}${deprecatedMark(operation)}</h1>
    ${lead}
    <div class="bar">
      <p class="endpoint">${endpointText(operation)}</p>
      ${
        !isWebhook &&
        html`<button type="button" class="copy" data-copy="${path}">Copy path</button>
          <button type="button" class="primary" data-open="try-it">${icon("play")} Try it</button>`
      }
    </div>
    <dl class="facts">
      ${fact("key", "Credentials", credentialsLine(generation, content), operationAnchors.credentials)}
      ${fact("check", "Success", successLine(content), operationAnchors.success)}
      ${fact("ring", "Not specified", unspecified.length === 0 ? html`nothing <span ${screenOnly}>left open</span>` : unspecifiedSummary(content))}
      ${marks.length > 0 && fact("clock", "Lifecycle", joined(marks, hiddenDot))}
    </dl>
  </header>`;
}

/** A fact beside its icon; the term is for those who see none. */
function fact(drawing: IconName, term: string, content: Html, id?: string): Html {
  return html`<div ${id && html`id="${id}"`}>
    <dt>${icon(drawing)}<span class="hidden">${term}</span></dt>
    <dd>${content}</dd>
  </div>`;
}

/** The credentials that an operation needs: the alternatives, and whether any is needed. */
function credentialsLine(generation: Generation, { credentials }: OperationModel): Html {
  const { need, alternatives, unspecified: own } = credentials;
  if (need === "none") return html`none <span ${screenOnly}>needed</span>${unspecifiedMarks(own)}`;
  const linked = ({ name: title, unspecified }: SecurityScheme) => {
    const path = `${firstLevel.authentication.path}#${generation.name}-${title}`;
    return html`${link({ title: html`<code>${title}</code>`, path })}${unspecifiedMarks(unspecified)}`;
  };
  const listed = alternatives.map((schemes) => joined(schemes.map(linked), " with "));
  return html`${joined(listed, ", or ")}${needText[need]}${unspecifiedMarks(own)}`;
}

function successLine({ success, successUnspecified }: OperationModel): Html {
  const codes = success.map((status) => html`<a href="#response-${status}"><code>${status}</code></a>`);
  return html`${codes.length === 0 ? "no response listed" : joined(codes, " or ")}${unspecifiedMarks(successUnspecified)}`;
}

function unspecifiedSummary({ unspecified }: OperationModel): Html {
  const count = unspecified.flatMap(({ gaps }) => gaps).length;
  return html`<details class="unspecified-list">
    <summary>${count} <span ${screenOnly}>not specified</span></summary>
    <ul ${screenOnly}>
      ${unspecified.map(
        ({ anchor, place, gaps }) =>
          html`<li>
            <a href="#${anchor}">${place === "" ? "" : `${place}: `}${gaps.map(unspecifiedText).join(", ")}</a>
          </li> `,
      )}
    </ul>
  </details>`;
}

function bodySection(generation: Generation, body: BodyModel | undefined): Html | undefined {
  if (body === undefined) return undefined;
  const { anchor, required, description, media } = body;
  const content = html`${!required && html`<p>The body is optional.</p>`} ${renderDescription(description)}
  ${media.map((one) => mediaContent(generation, one))}`;
  return section(anchor, "Request body", content);
}

/** Says of the fields of responses that they are only listed, if the generation says so, and if there are any. */
function presenceLine(generation: Generation, { isWebhook, responses }: OperationModel): Html | undefined {
  const hasFields = responses.some(({ media }) => media.some(({ field }) => field.fields.length > 0));
  if (isWebhook || !hasFields || !isPresenceUnspecified(generation)) return undefined;
  return html`<p>These are the fields listed for responses. It isn't specified whether each is always present.</p>`;
}

function responseSection(generation: Generation, response: ResponseModel): Html {
  const { anchor, status, description, unspecified, headers, media } = response;
  return html`<section class="response" aria-labelledby="${anchor}">
    <h3 id="${anchor}">
      ${status === "default" ? html`Any other status (<code>default</code>)` : html`<code class="status s${status.charAt(0)}">${status}</code>`}${unspecifiedMarks(unspecified)}
    </h3>
    ${renderDescription(description, 3)} ${headers.length > 0 && html`<h4>Response headers</h4>`}
    ${fieldList(generation, headers)} ${media.map((content) => mediaContent(generation, content))}
  </section>`;
}

function mediaContent(generation: Generation, { mediaType, field }: MediaTypeModel): Html {
  return html`<p class="media-type"><code>${mediaType}</code></p>
    ${bodyFields(generation, field)}`;
}
