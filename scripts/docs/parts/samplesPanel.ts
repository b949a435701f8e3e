import type { Example } from "../../contract/generation.ts";
import { codeBlock } from "./highlight.ts";
import type { PageContext } from "./pageContext.ts";
import { html, screenOnly, type Html } from "./html.ts";
import { renderDescription } from "./renderDescription.ts";
import type { OperationModel } from "../model/operationModel.ts";
import {
  exchangeTitle,
  readExamples,
  type OperationExamples,
  type SampledExchange,
} from "../model/sampledExchanges.ts";
import type { Sample } from "../../samples/samples.ts";

/** The named examples of an operation: each request in several languages, with the response to it. */
export function samplesPanel({ site, generation }: PageContext, content: OperationModel): Html {
  const examples = readExamples(site, generation, content);
  const isEmpty = content.isWebhook && content.examples.length === 0;
  return html`<aside class="samples" aria-label="Examples">
    ${targetLine(examples)} ${isEmpty ? undefined : html`<p class="target">${inventedText}</p>`}
    ${examples.exchanges.map((exchange) => exchangeSection(exchange))}
  </aside>`;
}

/** Whatever an example shows, it is no fact about the service. */
export const inventedText = "All values in examples are invented.";

/** A request in several languages and the response to it. `step` is the one that they belong to, if to any. */
export function exchangeSection({ request, response, samples, repeatsResponse }: SampledExchange, step?: number): Html {
  const title = exchangeTitle("Request", request);
  const ownRequest = request?.value === undefined ? undefined : payload(title, request, step);
  return html`<section class="exchange">
    ${samples.length > 0 ? requestSamples(title, request, samples, step) : ownRequest}
    ${response && repeatsResponse ? html`<p>The response is the one above.</p>` : undefined}
    ${response && !repeatsResponse ? payload(exchangeTitle(`Response ${response.status}`, response), response, step) : undefined}
  </section>`;
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
function requestSamples(
  title: string,
  request: Example | undefined,
  samples: readonly Sample[],
  step: number | undefined,
): Html {
  return html`<div>
    ${heading(title, step)} ${renderDescription(request?.description ?? "", 3)}
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
          <figcaption>${label} <button type="button" data-copy-code>Copy</button></figcaption>
          ${codeBlock(source, highlight, `${regionName(title, step)}, ${label}`)}
        </figure>`,
    )}
  </div>`;
}

/** The body of a request or a response. */
function payload(title: string, { description, value }: Example, step: number | undefined): Html {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`<div>
    ${heading(title, step)} ${renderDescription(description, 3)}
    <figure class="payload">
      <figcaption><span ${screenOnly}>Body</span> <button type="button" data-copy-code>Copy</button></figcaption>
      ${codeBlock(text, "json", regionName(title, step))}
    </figure>
  </div>`;
}

/** The name of a block of code, which is the only one on the page. */
function regionName(title: string, step: number | undefined): string {
  return step === undefined ? title : `Step ${String(step)}, ${title}`;
}

function heading(title: string, step: number | undefined): Html {
  return step === undefined ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`;
}
