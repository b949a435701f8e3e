import type { Example } from "../../contract/generation.ts";
import { isRounded } from "../../contract/constraints.ts";
import type { OperationModel } from "../model/operationModel.ts";
import {
  exchangeTitle,
  readExamples,
  type OperationExamples,
  type SampledExchange,
} from "../model/sampledExchanges.ts";
import type { Site } from "../model/site.ts";
import { code, exampleBlock, forScreen, hidden, paragraph, repeated, span, subsection } from "./blocks.ts";
import { html, type Html } from "../../values/html.ts";
import { screenOnly, type Block, type Flow, type Division, type SectionNode } from "./pageNodes.ts";
import { icon } from "./icon.ts";
import { readDescription } from "./readDescription.ts";

/** The named examples of an operation: each request in several languages, with its response. */
export function samplesPanel(site: Site, content: OperationModel): SectionNode {
  const examples = readExamples(site, content);
  const { exchanges } = examples;
  const isEmpty = content.isWebhook && content.examples.length === 0;
  const choice: Flow = exchanges.length > 1 ? [forScreen(exampleChoice(exchanges))] : [];
  return {
    kind: "section",
    level: 2,
    anchor: "examples",
    heading: ["Examples"],
    isHeadingHidden: true,
    frame: { tag: "aside", attributes: { class: "samples", "aria-labelledby": "examples" } },
    children: [
      ...choice,
      ...exchangeParts(exchanges),
      ...targetLine(examples),
      ...roundingLine(content),
      ...(isEmpty ? [] : [targetParagraph([inventedText])]),
    ],
  };
}

/** The values in an example are not facts about the service. */
export const inventedText = "All values in examples are invented.";

/** Says that numbers in the examples are not as they are written in the description. */
function roundingLine({ operation, examples }: OperationModel): readonly Block[] {
  const values = examples.map(({ request, response }) => [request?.value, response?.value]);
  const given = operation.parameters.map(({ example }) => example);
  return isRounded([values, given]) ? [targetParagraph([roundedText])] : [];
}

/** For examples with integers beyond 2^53. */
export const roundedText = "Integers beyond 2^53 in these examples may be rounded.";

/** Buttons that select one of the examples. */
function exampleChoice(exchanges: OperationExamples["exchanges"]): Html {
  return html`<ul class="examples" ${screenOnly}>
    ${exchanges.map(
      ({ request, response }, index) =>
        html`<li>
          <button type="button" data-example="${index}" aria-pressed="${String(index === 0)}">
            <span>${request?.summary || response?.summary || "Example"}</span>
            ${response && html`<span class="${statusClass(response.status)}">${response.status}</span>`}
          </button>
        </li> `,
    )}
  </ul>`;
}

/**
 * The requests in several languages, and their responses. Those shared by several examples appear once.
 * `step` is a prefix that makes the names of regions unique on the page.
 */
export function exchangeParts(exchanges: OperationExamples["exchanges"], step = ""): readonly Division[] {
  return exchanges.flatMap((exchange, index) => {
    const { response } = exchange;
    const received = response === undefined ? [] : responsePayload(response, step);
    const parts = { request: requestPart(exchange, step), response: received };
    return (["request", "response"] as const).flatMap((kind) => {
      const users = exchanges.flatMap((one, at) => (one[kind] === exchange[kind] ? [at] : []));
      return users[0] === index && parts[kind].length > 0 ? [exchangePart(users, parts[kind])] : [];
    });
  });
}

/** A request or a response, and the indexes of the exchanges with it. */
function exchangePart(users: readonly number[], children: Flow): Division {
  const attributes = { class: users.includes(0) ? "exchange chosen" : "exchange", "data-examples": users.join(" ") };
  return { kind: "division", frame: { tag: "section", attributes }, children };
}

function requestPart({ request, samples }: SampledExchange, step: string): Flow {
  const title = exchangeTitle("Request", request);
  if (samples.length === 0) return request?.value === undefined ? [] : payload(step + title, [title], request);
  const { summary = "", description = "" } = request ?? {};
  const written: Block = { kind: "samples", name: step + title, samples };
  return [subsection(3, ["Request", ...about(summary)], [...readDescription(description, 3), written])];
}

/** The response of an example, below its status. */
export function responsePayload(response: Example & { readonly status: string }, step = ""): Flow {
  const { status, summary } = response;
  const heading = [hidden("Response"), " ", span(statusClass(status), status), ...about(summary)];
  return payload(step + exchangeTitle(`Response ${status}`, response), heading, response);
}

function about(summary: string): Flow {
  return summary === "" ? [] : [hidden(":"), " ", span("about", summary)];
}

/** The class of a status, colored by its first digit. */
export function statusClass(status: string): string {
  return `status s${status.charAt(0)}`;
}

/** The server that receives the samples' requests. Empty if there is none. */
export function targetLine({ server, hasCredentials }: OperationExamples): readonly Block[] {
  if (server === undefined) return [];
  const credentials = hasCredentials ? " with example credentials" : "";
  const place = server.isMock ? "the mock" : "the server";
  return [targetParagraph([`Requests go to ${place} at `, code(server.url), `${credentials}.`])];
}

export function targetParagraph(children: Flow): Block {
  return repeated(paragraph(children, "target"));
}

function payload(name: string, caption: Flow, { description, value }: Example): Flow {
  return [
    ...readDescription(description, 3),
    { kind: "panel", caption, isHeading: true, code: exampleBlock(value, name) },
  ];
}

/**
 * A button that has the mock in the page answer a request, which `label` names; nothing where the site has no such mock. Of
 * several with numbers, the first one says what responds.
 */
export function runBar({ mockUrl }: Site, id: string, label: string, number = ""): Flow {
  if (mockUrl !== undefined) return [];
  const button = html`<button type="button" class="primary" data-run="${id}">
    ${icon("play")} <span>${label}${number && html`<span class="hidden">, number ${number}</span>`}</span>
  </button>`;
  const note = html`<span class="target">A mock in this page responds. Nothing goes over the network.</span>`;
  return [forScreen(html`<div class="run" ${screenOnly}>${button} ${Number(number) <= 1 && note}</div> `)];
}
