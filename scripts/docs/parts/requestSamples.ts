import type { Sample } from "../../samples/samples.ts";
import { codeBlock, copyButton } from "./highlight.ts";
import { html, type Html } from "../../values/html.ts";

/** A request in several languages. A script shows the selected one. */
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
      ({ language, label, highlight, source, callAt }, index) =>
        html`<figure class="sample${index === 0 ? " chosen" : ""}" data-language="${language}">
          <figcaption><span>${label}</span> ${copyButton}</figcaption>
          ${codeBlock(source, highlight, `${name}, ${label}`, callAt)}
        </figure>`,
    )}
  </div>`;
}
