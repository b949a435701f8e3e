import type { Example, Generation } from "../../contract/generation.ts";
import { codeBlock, copyButton } from "./highlight.ts";
import { html, screenOnly, type Html } from "./html.ts";
import { renderDescription } from "./renderDescription.ts";
import type { OperationModel } from "../model/operationModel.ts";
import { exchangeTitle, readExamples, type OperationExamples } from "../model/sampledExchanges.ts";
import type { Site } from "../model/site.ts";
import type { Sample } from "../../samples/samples.ts";

/** The named examples of an operation: each request in several languages, with the response to it. */
export function samplesPanel(site: Site, generation: Generation, content: OperationModel): Html {
  const examples = readExamples(site, generation, content);
  const { exchanges } = examples;
  const isEmpty = content.isWebhook && content.examples.length === 0;
  return html`<aside class="samples" aria-labelledby="examples">
    <h2 id="examples" class="hidden">Examples</h2>
    ${exchanges.length > 1 && exampleChoice(exchanges)} ${exchangeParts(exchanges)} ${targetLine(examples)}
    ${!isEmpty && html`<p class="target">${inventedText}</p>`}
  </aside>`;
}

/** Whatever an example shows, it is no fact about the service. */
export const inventedText = "All values in examples are invented.";

/** One example at a time, which is what a script shows. */
function exampleChoice(exchanges: OperationExamples["exchanges"]): Html {
  return html`<ul class="examples" ${screenOnly}>
    ${exchanges.map(
      ({ request, response }, index) =>
        html`<li>
          <button type="button" data-example="${index}" aria-pressed="${String(index === 0)}">
            <span>${request?.summary || response?.summary || "Example"}</span>
            ${response && statusBadge(response.status)}
          </button>
        </li> `,
    )}
  </ul>`;
}

/**
 * The requests in several languages, and the responses to them; those that several examples share are there once. `step`
 * stands before the names of their regions, which are the only ones on the page.
 */
export function exchangeParts(exchanges: OperationExamples["exchanges"], step = ""): Html {
  const part = (of: "requestOf" | "responseOf", index: number, content: Html) => {
    const users = exchanges.flatMap((one, position) => (one[of] === index ? [position] : []));
    return html`<section class="exchange${users.includes(0) ? " chosen" : ""}" data-examples="${users.join(" ")}">
      ${content}
    </section> `;
  };
  return html`${exchanges.map(({ request, response, samples, requestOf, responseOf }, index) => {
    const title = exchangeTitle("Request", request);
    const ownRequest =
      samples.length > 0
        ? html`<h3>Request${about(request?.summary ?? "")}</h3>
            ${renderDescription(request?.description ?? "", 3)} ${requestSamples(step + title, samples)}`
        : request?.value !== undefined && payload(step + title, html`${title}`, request);
    return html`${ownRequest && requestOf === index && part("requestOf", index, ownRequest)}
    ${response && responseOf === index && part("responseOf", index, responsePayload(response, step))}`;
  })}`;
}

/** A response of an example, under its status. */
export function responsePayload(response: Example & { readonly status: string }, step = ""): Html {
  const { status, summary } = response;
  const heading = html`<span class="hidden">Response</span> ${statusBadge(status)}${about(summary)}`;
  return payload(step + exchangeTitle(`Response ${status}`, response), heading, response);
}

function about(summary: string): Html | string {
  return summary && html`<span class="hidden">:</span> <span class="about">${summary}</span>`;
}

function statusBadge(status: string): Html {
  return html`<span class="status s${status.charAt(0)}">${status}</span>`;
}

/** Where the samples' requests go. */
export function targetLine({ server, hasCredentials }: OperationExamples): Html | undefined {
  if (server === undefined) return undefined;
  const credentials = hasCredentials ? " with example credentials" : "";
  return html`<p class="target">
    Requests go to ${server.isMock ? "the mock" : "the server"} at <code>${server.url}</code>${credentials}.
  </p>`;
}

/** One request in several languages, of which a script shows the chosen one. */
export function requestSamples(name: string, samples: readonly Sample[]): Html {
  return html`<div class="panel">
    <div class="languages" role="group" aria-label="Language">
      ${samples.map(
        ({ language, label }, index) =>
          html`<button type="button" data-language-choice="${language}" aria-pressed="${String(index === 0)}">
            ${label}
          </button> `,
      )}
    </div>
    ${samples.map(
      ({ language, label, highlight, source }, index) =>
        html`<figure class="sample${index === 0 ? " chosen" : ""}" data-language="${language}">
          <figcaption><span>${label}</span> ${copyButton}</figcaption>
          ${codeBlock(source, highlight, `${name}, ${label}`)}
        </figure>`,
    )}
  </div>`;
}

function payload(name: string, heading: Html, { description, value }: Example): Html {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`${renderDescription(description, 3)}
    <figure class="panel payload">
      <figcaption>
        <h3>${heading}</h3>
        ${copyButton}
      </figcaption>
      ${codeBlock(text, "json", name)}
    </figure>`;
}
