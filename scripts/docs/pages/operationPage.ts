import type { Example, ExampleLink, Generation, Group, Operation } from "../../contract/generation.ts";
import { isDefaultStatus } from "../../spec/statusKeys.ts";
import { isRounded } from "../../contract/constraints.ts";
import { isPresenceUnspecified } from "../../contract/gaps.ts";
import { firstParagraph } from "../../values/markdown.ts";
import { getOrCreate } from "../../values/collections.ts";
import { authenticationGap, needText, type SecurityScheme } from "../../contract/security.ts";
import { bodyFields, fieldList, unspecifiedMark, withFoldButton } from "../parts/fieldList.ts";
import { unspecifiedText } from "../model/fields.ts";
import {
  bold,
  code,
  division,
  exampleBlock,
  forScreen,
  hidden,
  hiddenDot,
  joined,
  link,
  linkRow,
  pageLinks,
  paragraph,
  repeated,
  section,
  span,
  subsection,
  titledBlocks,
  webLink,
} from "../parts/blocks.ts";
import { html, isOpenable, type Html } from "../../values/html.ts";
import { icon, type IconName } from "../parts/icon.ts";
import { mockNote } from "../model/mockNote.ts";
import {
  namedSchemas,
  operationAnchors,
  type BodyModel,
  type MediaTypeModel,
  type OperationModel,
  type ResponseModel,
} from "../model/operationModel.ts";
import {
  isKind,
  screenOnly,
  type Block,
  type Definition,
  type Flow,
  type FlowNode,
  type SectionNode,
  type Shared,
} from "../parts/pageNodes.ts";
import { badges, deprecatedMark, endpoint, lifecycleMarks, scopeWords } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { readDescription } from "../parts/readDescription.ts";
import { roundedText, samplesPanel, statusClass } from "../parts/samplesPanel.ts";
import { generationLink, groupPageLink, operationAddress, schemaPageLink, schemeAddress } from "../model/addresses.ts";
import { firstLevel, type PageLink, type Site } from "../model/site.ts";

export function operationPage(site: Site, content: OperationModel, guides: readonly PageLink[]): Page {
  const { generation, operation } = content;
  const summary = firstParagraph(operation.description);
  const ownGroup = groupOf(content);
  const { lead, rest } = splitDescription(operation);
  const about = division("about", ...rest);
  const sent = requestSections(content);
  const received = [responsesSection(content), ...relatedSection(content, guides)];
  const facts = repeated({ kind: "definitions", className: "facts", definitions: readFacts(content) });
  return {
    path: operationAddress(generation, operation),
    title: operation.title,
    description: summary || operation.name,
    generation,
    group: ownGroup,
    operation,
    crumbs: crumbsOf(generation, ownGroup),
    source: operation.pointer,
    heading: [operation.title, ...deprecatedMark(operation), ...badges(operation)],
    overview: [...lead, endpointBar(content), facts, ...mockFlow(site, content)],
    // In a single column, the request's sample follows the text about the request.
    children: [about, ...reference(sent), samplesPanel(site, content), ...reference(received)],
  };
}

/** The group of an operation. Webhooks without a tag have none. */
function groupOf({ generation: { groups }, operation, isWebhook }: OperationModel): Group | undefined {
  return groups.find((group) => (isWebhook ? group.webhooks : group.operations).includes(operation));
}

function crumbsOf(generation: Generation, group: Group | undefined): readonly PageLink[] {
  const parent = generationLink(generation);
  return group === undefined ? [parent] : [parent, groupPageLink(generation, group)];
}

/** The first paragraph of a description, and the rest. */
function splitDescription({ description }: Operation): { readonly lead: Flow; readonly rest: Flow } {
  const flow = readDescription(description, 1);
  const length = isKind(flow[0], "paragraph") ? 1 : 0;
  return { lead: flow.slice(0, length), rest: flow.slice(length) };
}

/** The operation's effect in the mock, if the mock receives the requests. Not every reader uses the mock. */
function mockFlow(site: Site, { operation, isWebhook }: OperationModel): Flow {
  const { url, isMock } = site.serverOf(operation);
  if (isWebhook || !isMock) return [];
  const note = mockNote(operation, site.resources.get(operation));
  // A mock within the pages has no page of requests.
  const requests = site.mockUrl === undefined ? undefined : requestsLink(url, operation);
  const sentences = [note, requests].filter((text) => text !== undefined);
  const summary = [bold("In the mock")];
  const children = readDescription(sentences.join(" "));
  return sentences.length === 0 ? [] : [{ kind: "folded", className: "nested note", summary, children }];
}

/** Leads in Markdown to the requests for an operation on the mock's page. */
function requestsLink(mockUrl: string, { operationId }: Operation): string | undefined {
  if (operationId === undefined) return undefined;
  const query = new URLSearchParams({ sessions: "all", operation: operationId });
  return `[See the requests it got](${mockUrl}/-/mock/?${query}).`;
}

function reference(sections: Flow): Flow {
  return sections.length === 0 ? [] : [division("reference", ...sections)];
}

/** The sections about the request that have content. */
function requestSections({ generation, parameters, requestBody }: OperationModel): Flow {
  const sections = parameters.map(({ in: place, title, fields }) =>
    section(`${place}-parameters`, title, withFoldButton(fieldList(generation, fields))),
  );
  return requestBody === undefined ? sections : [...sections, bodySection(generation, requestBody)];
}

function responsesSection(content: OperationModel): SectionNode {
  return section("responses", "Responses", withFoldButton(responsesFlow(content)));
}

function relatedSection(content: OperationModel, guides: readonly PageLink[]): Flow {
  const schemas = namedSchemas(content).map((name) => schemaPageLink(content.generation, name));
  return titledBlocks("related", "Related", { Guides: linkRow(guides), Schemas: pageLinks(schemas, "columns") });
}

/** The method and the path, with buttons to copy and try them, except for a webhook. */
function endpointBar({ operation, isWebhook }: OperationModel): FlowNode {
  const line = repeated(paragraph([endpoint(operation)], "endpoint"));
  if (isWebhook) return division("bar", line);
  const buttons = html`<button type="button" class="copy" data-copy="${operation.path}" title="Copy path">
      Copy path
    </button>
    <button type="button" class="primary" data-open="try-it">${icon("play")} Try it</button>`;
  return division("bar", line, forScreen(buttons));
}

/** The key facts: credentials, success status, gaps, and since when the operation exists. */
function readFacts(content: OperationModel): readonly Definition[] {
  const { credentials, success } = operationAnchors;
  const { operation, isWebhook } = content;
  const line = credentialsLine(content);
  // The service's own requests depend on the author of the contract alone.
  const isToldOf = !isWebhook || operation.security.length > 0;
  const marks = lifecycleMarks(operation.lifecycle);
  return [
    ...(isToldOf ? [fact("key", "Credentials", line, credentials)] : []),
    fact("check", "Success", successLine(content), success),
    fact("ring", "Not specified", unspecifiedLine(content)),
    ...(marks.length > 0 ? [fact("clock", "Lifecycle", joined(marks, hiddenDot))] : []),
  ];
}

/** A fact beside its icon. The term is for screen readers. */
function fact(drawing: IconName, term: string, children: Flow, anchor?: string): Definition {
  return { term: [forScreen(icon(drawing)), hidden(term)], children, anchor };
}

/** The credentials that an operation needs, and whether they are optional. */
function credentialsLine({ generation, credentials }: OperationModel): Flow {
  const { need, alternatives, unspecified: own } = credentials;
  if (need === "none") return ["none ", wordsForScreen("needed"), ...unspecifiedMark(own)];
  const linked = (scheme: SecurityScheme): Flow => {
    const { name, unspecified } = scheme;
    return [
      link({ title: [code(name)], path: schemeAddress(generation, name) }),
      ...scopeWords(scheme),
      ...unspecifiedMark(unspecified),
    ];
  };
  const listed = alternatives.map((schemes) => joined(schemes.map(linked), " with "));
  const isOpen = need === "unspecified";
  return [
    ...joined(listed, ", or "),
    ...(isOpen ? [hidden(","), " ", openNeed] : [needText[need]]),
    ...unspecifiedMark(own.filter((gap) => !isOpen || gap !== authenticationGap)),
  ];
}

/** These words alone are the mark. The gap has a name in the page's list of gaps. */
const openNeed = span("unspecified", "if needed", hidden(`: ${unspecifiedText([authenticationGap])}`));

function successLine({ success, successUnspecified }: OperationModel): Flow {
  const links = success.map((status) => {
    return { kind: "link", href: `#response-${status}`, children: [code(status)] } as const;
  });
  const line = links.length === 0 ? ["no response listed"] : joined(links, " or ");
  return [...line, ...unspecifiedMark(successUnspecified)];
}

function unspecifiedLine({ unspecified }: OperationModel): Flow {
  if (unspecified.length === 0) return ["no gaps marked"];
  const count = String(unspecified.flatMap(({ gaps }) => gaps).length);
  return [forScreen(unspecifiedList(count, unspecified), count)];
}

function wordsForScreen(words: string): FlowNode {
  return forScreen(html`<span ${screenOnly}>${words}</span>`);
}

/** Links to the places with gaps on the page. */
function unspecifiedList(count: string, unspecified: OperationModel["unspecified"]): Html {
  return html`<details class="unspecified-list">
    <summary>${count} <span ${screenOnly}>not specified</span></summary>
    <ul ${screenOnly}>
      ${unspecified.map(
        ({ anchor, place, gaps }) =>
          html`<li>
            <a href="#${anchor}">${place === "" ? "" : `${place}: `}${unspecifiedText(gaps)}</a>
          </li> `,
      )}
    </ul>
  </details>`;
}

function bodySection(generation: Generation, { anchor, required, description, media }: BodyModel): SectionNode {
  const optional = required ? [] : [paragraph(["The body is optional."])];
  const bodies = media.flatMap((one) => mediaBody(generation, one));
  return section(anchor, "Request body", withFoldButton([...optional, ...readDescription(description), ...bodies]));
}

function responsesFlow(content: OperationModel): Flow {
  const errors = paragraph(["For failures in general, see ", link(firstLevel.errors), "."]);
  return [
    ...presenceLine(content),
    ...content.responses.map((response) => sharedResponse(content.generation, response)),
    ...(content.isWebhook ? [] : [errors]),
  ];
}

/** Says that fields are only listed, if that applies to the generation and there are fields. */
function presenceLine({ generation, isWebhook, responses }: OperationModel): Flow {
  const hasFields = responses.some(({ media }) => media.some(({ field }) => field.fields.length > 0));
  if (isWebhook || !hasFields || !isPresenceUnspecified(generation)) return [];
  const text = "Any of these fields may be absent: which ones are always present isn't specified.";
  return [paragraph([text])];
}

const sharedResponses = new WeakMap<ResponseModel, Shared>();

/** The section about a response, which the pages of all operations with the response share. */
function sharedResponse(generation: Generation, response: ResponseModel): Shared {
  const makeShared = () => ({ kind: "shared", children: [responseSection(generation, response)] }) as const;
  return getOrCreate(sharedResponses, response, makeShared);
}

function responseSection(generation: Generation, response: ResponseModel): SectionNode {
  const { anchor, status, description, unspecified, headers, media } = response;
  const heading = isDefaultStatus(status)
    ? ["Any other status (", code(status), ")"]
    : [code(status, statusClass(status))];
  const children: FlowNode[] = [...readDescription(description, 3)];
  if (headers.length > 0) children.push(subsection(4, "Response headers", fieldList(generation, headers)));
  children.push(...media.flatMap((one) => mediaBody(generation, one)));
  return {
    ...subsection(3, heading, children, anchor),
    marks: unspecifiedMark(unspecified),
    frame: { tag: "section", attributes: { class: "response", "aria-labelledby": anchor } },
  };
}

function mediaBody(generation: Generation, { mediaTypes, field, examples, exampleLinks }: MediaTypeModel): Flow {
  const shown = examples.map((one) =>
    exampleNode(one, exampleBlock(one.value, `Example: ${one.summary}`), ...roundedNote(one)),
  );
  const linked = exampleLinks.map((one) => exampleNode(one, paragraph(addressOf(one))));
  return [bodyFields(generation, field, mediaTypes), ...shown, ...linked];
}

function roundedNote({ value }: Example): readonly Block[] {
  return isRounded(value) ? [paragraph([roundedText])] : [];
}

function exampleNode({ summary, description }: Pick<Example, "summary" | "description">, ...shown: Block[]): FlowNode {
  const title = summary === "Example" ? summary : `Example: ${summary}`;
  return { kind: "folded", summary: [title], children: [...readDescription(description, 4), ...shown] };
}

/** A link to an example on the web. A path belongs to the folder of the description, which isn't on the site. */
function addressOf({ externalValue }: ExampleLink): Flow {
  return isOpenable(externalValue) ? webLink(externalValue, [externalValue]) : [code(externalValue)];
}
