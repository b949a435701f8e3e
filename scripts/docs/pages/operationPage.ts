import type { Generation, Group } from "../../contract/generation.ts";
import { isPresenceUnspecified } from "../../contract/gaps.ts";
import { countOf, firstParagraph } from "../../contract/text.ts";
import { credentialsLine } from "../parts/credentialsLine.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { endpointText } from "../parts/endpoint.ts";
import { bodyFields, fieldList, unspecifiedMarks } from "../parts/fieldList.ts";
import { unspecifiedText } from "../model/fields.ts";
import { crumbs, linkList, section, titledLists } from "../parts/blocks.ts";
import { html, joined, screenOnly, type Html } from "../parts/html.ts";
import { mockNote } from "../model/mockNote.ts";
import {
  namedSchemas,
  operationAnchors,
  type BodyModel,
  type MediaTypeModel,
  type OperationModel,
  type ResponseModel,
} from "../model/operationModel.ts";
import { deprecatedMark, lifecycleMarks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { contextOf, type PageContext } from "../parts/pageContext.ts";
import { samplesPanel } from "../parts/samplesPanel.ts";
import { addressesOf, type PageLink, type Site } from "../model/site.ts";

export function operationPage(
  site: Site,
  generation: Generation,
  content: OperationModel,
  guides: readonly PageLink[],
): Page {
  const { operation, requestBody, isWebhook, parameters, responses } = content;
  const path = addressesOf(site, generation).operations.get(operation) ?? "";
  const context = contextOf(site, generation, path);
  const group = isWebhook ? undefined : generation.groups.find(({ name }) => name === operation.group);
  const schemas = namedSchemas(content).map((title) => ({ title, path: context.addresses.schemas.get(title) ?? "" }));
  const note = mockNote(operation, site.resources.get(operation));
  return {
    path,
    title: operation.title,
    description: firstParagraph(operation.description) || operation.name,
    generation,
    group,
    operation,
    sendsRequests: !isWebhook,
    content: html`<article class="operation">
      ${overview(context, content, group)}
      <div class="about">
        ${renderDescription(operation.description)}
        ${note === undefined || isWebhook ? undefined : html`<div class="note">${renderDescription(note)}</div>`}
      </div>
      ${samplesPanel(context, content)}
      <div class="reference">
        ${parameters.map(({ in: place, title, fields }) => section(`${place}-parameters`, title, fieldList(context, fields)))}
        ${bodySection(context, requestBody)}
        ${section(
          "responses",
          "Responses",
          html`${presenceLine(generation, content)} ${responses.map((response) => responseSection(context, response))}`,
        )}
        ${titledLists("related", "Related", [
          ["Guides", linkList(context.root, guides)],
          ["Schemas", linkList(context.root, schemas)],
        ])}
      </div>
    </article>`,
  };
}

/** The overview that a reader sees first: title, method and path, credentials, success status, and what is not specified. */
function overview(context: PageContext, content: OperationModel, group: Group | undefined): Html {
  const { operation, isWebhook, unspecified } = content;
  const { root, generation, addresses } = context;
  const { title, path } = operation;
  const marks = lifecycleMarks(operation.lifecycle);
  const groupLinks = group === undefined ? [] : [{ title: group.title, path: addresses.groups.get(group) ?? "" }];
  return html`<header class="overview">
    ${crumbs(root, [{ title: generation.name, path: addresses.generation }, ...groupLinks])}
    <h1>${title}${deprecatedMark(operation)}</h1>
    <p class="endpoint">
      ${endpointText(operation)}
      ${isWebhook ? undefined : html`<button type="button" data-copy="${path}">Copy path</button>`}
    </p>
    <dl class="facts">
      <div id="${operationAnchors.credentials}">
        <dt>Credentials</dt>
        <dd>${credentialsLine(context, content)}</dd>
      </div>
      <div id="${operationAnchors.success}">
        <dt>Success</dt>
        <dd>${successLine(content)}</dd>
      </div>
      <div>
        <dt>Not specified</dt>
        <dd>${unspecified.length === 0 ? "nothing" : unspecifiedSummary(content)}</dd>
      </div>
      ${
        marks.length === 0
          ? undefined
          : html`<div>
              <dt>Lifecycle</dt>
              <dd>${joined(marks, " · ")}</dd>
            </div>`
      }
    </dl>
    <p class="actions" ${screenOnly}>
      ${isWebhook ? undefined : html`<button type="button" class="primary" data-open="try-it">Try it</button>`}
      <a href="index.md">View as Markdown</a>
      <button type="button" data-copy-markdown="index.md">Copy as Markdown</button>
    </p>
  </header>`;
}

function successLine({ success, successUnspecified }: OperationModel): Html {
  const codes = success.map((status) => html`<a href="#response-${status}"><code>${status}</code></a>`);
  return html`${codes.length === 0 ? "no response listed" : joined(codes, " or ")}${unspecifiedMarks(successUnspecified)}`;
}

function unspecifiedSummary({ unspecified }: OperationModel): Html {
  const count = unspecified.flatMap(({ gaps }) => gaps).length;
  return html`<details class="unspecified-list">
    <summary>${countOf(count, "detail")}</summary>
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

function bodySection(context: PageContext, body: BodyModel | undefined): Html | undefined {
  if (body === undefined) return undefined;
  const { anchor, required, description, media } = body;
  const content = html`${required ? undefined : html`<p>The body is optional.</p>`} ${renderDescription(description)}
  ${media.map((one) => mediaContent(context, one))}`;
  return section(anchor, "Request body", content);
}

/** Says of the fields of responses that they are only listed, if the generation says so, and if there are any. */
function presenceLine(generation: Generation, { isWebhook, responses }: OperationModel): Html | undefined {
  const hasFields = responses.some(({ media }) => media.some(({ field }) => field.fields.length > 0));
  if (isWebhook || !hasFields || !isPresenceUnspecified(generation)) return undefined;
  return html`<p>These are the fields listed for responses. It isn't specified whether each is always present.</p>`;
}

function responseSection(context: PageContext, response: ResponseModel): Html {
  const { anchor, status, description, unspecified, headers, media } = response;
  return html`<section class="response" aria-labelledby="${anchor}">
    <h3 id="${anchor}">
      ${status === "default" ? html`Any other status (<code>default</code>)` : html`<code>${status}</code>`}${unspecifiedMarks(unspecified)}
    </h3>
    ${renderDescription(description, 3)} ${headers.length === 0 ? undefined : html`<h4>Response headers</h4>`}
    ${fieldList(context, headers)} ${media.map((content) => mediaContent(context, content))}
  </section>`;
}

function mediaContent(context: PageContext, { mediaType, field }: MediaTypeModel): Html {
  return html`<p class="media-type"><code>${mediaType}</code></p>
    ${bodyFields(context, field)}`;
}
