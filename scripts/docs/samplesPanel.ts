import type { Example } from "../contract/generation.ts";
import type { FieldContext } from "./fieldList.ts";
import { codeBlock } from "./highlight.ts";
import { html, trusted, type Html } from "./html.ts";
import type { OperationContent } from "./operationContent.ts";
import { readExamples, type OperationExamples, type SampledExchange } from "./samples/sampledExchanges.ts";
import type { Sample } from "./samples/samples.ts";

/** The named examples of an operation: each request in several languages, with the response to it. */
export function samplesPanel({ site, generation }: FieldContext, content: OperationContent): Html {
  const examples = readExamples(site, generation, content);
  return html`<aside class="samples" aria-label="Examples">
    ${targetLine(examples)} ${examples.exchanges.map((exchange) => exchangeSection(exchange))}
  </aside>`;
}

/** A request in several languages and the response to it. `level` is that of the headings. */
export function exchangeSection({ request, response, samples }: SampledExchange, level: 2 | 3 = 2): Html {
  const title = titleOf("Request", request);
  const ownRequest = request?.value === undefined ? undefined : payload(title, request.value, level);
  return html`<section class="exchange">
    ${samples.length > 0 ? requestSamples(title, samples, level) : ownRequest}
    ${response && payload(titleOf(`Response ${response.status}`, response), response.value, level)}
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
function requestSamples(title: string, samples: readonly Sample[], level: 2 | 3): Html {
  return html`<div class="request">
    ${heading(level, title)}
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
          ${codeBlock(source, highlight, `${title}, ${label}`)}
        </figure>`,
    )}
  </div>`;
}

/** The body of a request or a response. */
function payload(title: string, value: unknown, level: 2 | 3): Html {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`<div class="response">
    ${heading(level, title)}
    <figure class="payload">
      <figcaption>Body <button type="button" data-copy-code>Copy</button></figcaption>
      ${codeBlock(text, "json", title)}
    </figure>
  </div>`;
}

function titleOf(kind: string, example: Example | undefined): string {
  return example === undefined ? kind : `${kind}: ${example.summary}`;
}

function heading(level: 2 | 3, title: string): Html {
  const tag = trusted(`h${String(level)}`);
  return html`<${tag}>${title}</${tag}>`;
}
