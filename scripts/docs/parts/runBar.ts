import type { Site } from "../model/site.ts";
import { forScreen } from "./blocks.ts";
import { html } from "../../values/html.ts";
import { icon } from "./icon.ts";
import { screenOnly, type Flow } from "./pageNodes.ts";

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
