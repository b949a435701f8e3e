import { firstAlternative } from "../contract/exampleRequest.ts";
import type { FieldContext } from "./fieldList.ts";
import { codeBlock } from "./highlight.ts";
import { html, type Html } from "./html.ts";
import type { ExampleExchange, OperationContent } from "./operationContent.ts";
import { samplesOf, type Sample } from "./samples/samples.ts";

/** The named examples of an operation: each request in several languages, with the response to it. */
export function samplesPanel({ site, generation }: FieldContext, content: OperationContent): Html {
  const { operation, isWebhook, examples } = content;
  const server = site.serverOf(operation);
  const module = `${site.packageName}/${generation.name}`;
  const samples = isWebhook ? [] : samplesOf(operation, { module, server: server.url });
  const exchanges = examples.length > 0 ? examples : [{ request: undefined, response: undefined }];
  const place = server.isMock ? "the mock" : "the server";
  return html`<aside class="samples" aria-label="Examples">
    ${isWebhook ? undefined : html`<p class="target">The requests go to ${place} at <code>${server.url}</code>${credentialsNote(content)}.</p>`}
    ${exchanges.map((exchange, index) => {
      // Without a request body there is one request, whichever response comes.
      const own = samples.filter(({ example }) => example === exchange.request?.name);
      return exampleExchange(exchange, isWebhook || (index > 0 && exchange.request === undefined) ? [] : own);
    })}
  </aside>`;
}

function credentialsNote({ operation }: OperationContent): string {
  return firstAlternative(operation).length === 0 ? "" : " with example credentials";
}

function exampleExchange({ request, response }: ExampleExchange, samples: readonly Sample[]): Html {
  return html`<section class="exchange">
    ${samples.length > 0 ? requestSamples(request?.summary, samples) : request === undefined ? undefined : payload("Request", request)}
    ${response === undefined ? undefined : payload(`Response ${response.status}`, response)}
  </section>`;
}

function requestSamples(summary: string | undefined, samples: readonly Sample[]): Html {
  const title = summary === undefined ? "Request" : `Request: ${summary}`;
  return html`<h2>${title}</h2>
    <div class="languages" role="group" aria-label="Language">
      ${samples.map(
        ({ language, label }, index) =>
          html`<button
            type="button"
            data-language-choice="${language}"
            aria-pressed="${index === 0 ? "true" : "false"}"
          >
            ${label}
          </button> `,
      )}
    </div>
    ${samples.map(
      ({ language, label, highlight, source }, index) =>
        html`<figure class="sample${index === 0 ? " chosen" : ""}" data-language="${language}">
          <figcaption>${label} <button type="button" data-copy-code>Copy</button></figcaption>
          ${codeBlock(source, highlight, `${title}, in ${label}`)}
        </figure>`,
    )}`;
}

function payload(title: string, { summary, value }: { readonly summary: string; readonly value: unknown }): Html {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`<h2>${title}: ${summary}</h2>
    <figure class="payload">
      <figcaption>Body <button type="button" data-copy-code>Copy</button></figcaption>
      ${codeBlock(text, "json", `${title}: ${summary}`)}
    </figure>`;
}
