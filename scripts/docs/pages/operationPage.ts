import type { Generation, Operation } from "../../contract/generation.ts";
import { countOf, firstParagraph } from "../../contract/text.ts";
import { credentialsLine } from "../parts/credentialsLine.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { endpointText } from "../parts/endpoint.ts";
import { bodyFields, fieldList, unspecifiedMarks, type FieldContext } from "../parts/fieldList.ts";
import { unspecifiedText } from "../model/fields.ts";
import { html, screenOnly, type Html } from "../parts/html.ts";
import { mockNote } from "../model/mockNote.ts";
import {
  namedSchemas,
  operationAnchors,
  otherStatuses,
  readOperationContent,
  type BodyContent,
  type MediaContent,
  type OperationContent,
  type ParameterList,
  type ResponseContent,
} from "../model/operationContent.ts";
import { deprecatedMark } from "../parts/operationLinks.ts";
import { rootOf, type Page } from "../parts/page.ts";
import { samplesPanel } from "../parts/samplesPanel.ts";
import { addressesOf, type PageLink, type Site } from "../model/site.ts";

interface OperationPageOptions {
  readonly generation: Generation;
  readonly operation: Operation;
  /** What the operation does in the mock. */
  /** The guides that use the operation. */
  readonly guides: readonly PageLink[];
}

export function operationPage(site: Site, { generation, operation, guides }: OperationPageOptions): Page {
  const content = readOperationContent(generation, operation);
  const path = addressesOf(site, generation).operations.get(operation) ?? "";
  const context: FieldContext = { site, generation, root: rootOf({ path }) };
  const group = generation.groups.find(({ name }) => name === operation.group);
  const note = mockNote(operation, site.resources.get(operation));
  const { requestBody, isWebhook, parameters, responses } = content;
  return {
    path,
    title: operation.title,
    description: firstParagraph(operation.description) || operation.name,
    generation,
    group: isWebhook ? undefined : group,
    operation,
    hasMarkdown: true,
    sendsRequests: !isWebhook,
    content: html`<article class="operation">
      ${overview(context, content)}
      <div class="about">
        ${renderDescription(operation.description)}
        ${note === undefined || isWebhook ? undefined : html`<div class="note">${renderDescription(note)}</div>`}
      </div>
      ${samplesPanel(context, content)}
      <div class="reference">
        ${parameters.map((list) => parameterSection(context, list))} ${bodySection(context, requestBody)}
        ${responsesSection(context, responses)} ${relatedSection(context, content, guides)}
      </div>
    </article>`,
  };
}

/** What a reader sees first: title, method and path, credentials, success status, and what is not specified. */
function overview(context: FieldContext, content: OperationContent): Html {
  const { operation, isWebhook, unspecified } = content;
  const { root, generation, site } = context;
  const { title, path } = operation;
  const addresses = addressesOf(site, generation);
  const group = generation.groups.find(({ name }) => name === operation.group);
  const groupPath = group === undefined ? undefined : addresses.groups.get(group);
  return html`<header class="overview">
    <p class="crumbs">
      <a href="${root}${addresses.generation}">${generation.name}</a>${
        isWebhook || groupPath === undefined ? undefined : html` / <a href="${root}${groupPath}">${group?.title}</a>`
      }
    </p>
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
    </dl>
    <p class="actions" ${screenOnly}>
      ${isWebhook ? undefined : html`<button type="button" class="primary" data-open="try-it">Try it</button>`}
      <a href="index.md">View as Markdown</a>
      <button type="button" data-copy-markdown="index.md">Copy as Markdown</button>
    </p>
  </header>`;
}

function successLine({ success, successUnspecified }: OperationContent): Html {
  const codes = success.map(
    (status, index) => html`${index === 0 ? "" : " or "}<a href="#response-${status}"><code>${status}</code></a>`,
  );
  return html`${codes.length === 0 ? "no response listed" : codes}${unspecifiedMarks(successUnspecified)}`;
}

function unspecifiedSummary({ unspecified }: OperationContent): Html {
  const count = unspecified.flatMap(({ phrases }) => phrases).length;
  return html`<details class="unspecified-list">
    <summary>${countOf(count, "detail")}</summary>
    <ul ${screenOnly}>
      ${unspecified.map(
        ({ anchor, place, phrases }) =>
          html`<li>
            <a href="#${anchor}">${place === "" ? "" : `${place}: `}${phrases.map(unspecifiedText).join(", ")}</a>
          </li> `,
      )}
    </ul>
  </details>`;
}

function parameterSection(context: FieldContext, { in: place, title, fields }: ParameterList): Html {
  return html`<section aria-labelledby="${place}-parameters">
    <h2 id="${place}-parameters">${title}</h2>
    ${fieldList(context, fields)}
  </section>`;
}

function bodySection(context: FieldContext, body: BodyContent | undefined): Html | undefined {
  if (body === undefined) return undefined;
  return html`<section aria-labelledby="${body.anchor}">
    <h2 id="${body.anchor}">Request body</h2>
    ${body.required ? undefined : html`<p>The body is optional.</p>`} ${renderDescription(body.description)}
    ${body.media.map((media) => mediaContent(context, media))}
  </section>`;
}

function responsesSection(context: FieldContext, responses: readonly ResponseContent[]): Html {
  return html`<section aria-labelledby="responses">
    <h2 id="responses">Responses</h2>
    ${responses.map((response) => responseSection(context, response))}
  </section>`;
}

function responseSection(context: FieldContext, response: ResponseContent): Html {
  const { anchor, status, description, unspecified, headers, media } = response;
  return html`<section class="response" aria-labelledby="${anchor}">
    <h3 id="${anchor}">
      ${status === "default" ? html`${otherStatuses} (<code>default</code>)` : html`<code>${status}</code>`}${unspecifiedMarks(unspecified)}
    </h3>
    ${renderDescription(description, 3)} ${headers.length === 0 ? undefined : html`<h4>Response headers</h4>`}
    ${fieldList(context, headers)} ${media.map((content) => mediaContent(context, content))}
  </section>`;
}

function mediaContent(context: FieldContext, { mediaType, field }: MediaContent): Html {
  return html`<p class="media-type"><code>${mediaType}</code></p>
    ${bodyFields(context, field)}`;
}

/** What the page links to, and what links to it. */
function relatedSection(
  context: FieldContext,
  content: OperationContent,
  guides: readonly PageLink[],
): Html | undefined {
  const { root, generation, site } = context;
  const addresses = addressesOf(site, generation);
  const links: readonly (readonly [title: string, links: readonly PageLink[]])[] = [
    ["Guides", guides],
    ["Schemas", namedSchemas(content).map((schema) => ({ title: schema, path: addresses.schemas.get(schema) ?? "" }))],
  ];
  const shown = links.filter(([, some]) => some.length > 0);
  if (shown.length === 0) return undefined;
  return html`<section aria-labelledby="related">
    <h2 id="related">Related</h2>
    ${shown.map(
      ([title, some]) =>
        html`<h3>${title}</h3>
          <ul class="links">
            ${some.map((link) => html`<li><a href="${root}${link.path}">${link.title}</a></li> `)}
          </ul>`,
    )}
  </section>`;
}
