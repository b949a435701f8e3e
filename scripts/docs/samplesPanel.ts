import { firstAlternative } from "../contract/exampleRequest.ts";
import type { Example, Operation } from "../contract/generation.ts";
import type { FieldContext } from "./fieldList.ts";
import { codeBlock } from "./highlight.ts";
import { html, trusted, type Html } from "./html.ts";
import type { ExampleExchange, OperationContent } from "./operationContent.ts";
import { samplesOf, type Sample } from "./samples/samples.ts";

/** The named examples of an operation: each request in several languages, with the response to it. */
export function samplesPanel(context: FieldContext, { operation, isWebhook, examples }: OperationContent): Html {
  const samples = isWebhook ? [] : operationSamples(context, operation);
  const exchanges: readonly ExampleExchange[] =
    examples.length > 0 ? examples : [{ request: undefined, response: undefined }];
  return html`<aside class="samples" aria-label="Examples">
    ${isWebhook ? undefined : html`<p class="target">${targetText(context, operation)}</p>`}
    ${exchanges.map((exchange, index) => {
      const { request, response } = exchange;
      // Samples of the description's own belong to no example: they come with the first.
      const own = samples.filter(({ example }) => (example === undefined ? index === 0 : example === request?.name));
      return html`<section class="exchange">
        ${own.length > 0 ? requestSamples(titleOf("Request", request), own) : undefined}
        ${isWebhook && request !== undefined ? payload(titleOf("Request", request), request.value) : undefined}
        ${
          response === undefined ? undefined : payload(titleOf(`Response ${response.status}`, response), response.value)
        }
      </section>`;
    })}
  </aside>`;
}

/** The samples of an operation, which send its examples to the server that the site's requests go to. */
export function operationSamples({ site, generation }: FieldContext, operation: Operation): readonly Sample[] {
  const module = `${site.packageName}/${generation.name}`;
  return samplesOf(operation, { module, server: site.serverOf(operation).url });
}

/** Where the samples' requests go. */
export function targetText({ site }: FieldContext, operation: Operation): Html {
  const { url, isMock } = site.serverOf(operation);
  const credentials = firstAlternative(operation).length === 0 ? "" : " with example credentials";
  return html`Requests go to ${isMock ? "the mock" : "the server"} at <code>${url}</code>${credentials}.`;
}

/** One request in several languages, of which a script shows the chosen one. */
export function requestSamples(title: string, samples: readonly Sample[], level: 2 | 3 = 2): Html {
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
export function payload(title: string, value: unknown, level: 2 | 3 = 2): Html {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`${heading(level, title)}
    <figure class="payload">
      <figcaption>Body <button type="button" data-copy-code>Copy</button></figcaption>
      ${codeBlock(text, "json", title)}
    </figure>`;
}

function titleOf(kind: string, example: Example | undefined): string {
  return example === undefined ? kind : `${kind}: ${example.summary}`;
}

function heading(level: 2 | 3, title: string): Html {
  const tag = trusted(`h${String(level)}`);
  return html`<${tag}>${title}</${tag}>`;
}
