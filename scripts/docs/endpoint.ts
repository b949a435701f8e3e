import type { Operation } from "../contract/generation.ts";
import { html, type Html } from "./html.ts";

/** The method and the whole path of an operation, which may break at its slashes only. */
export function endpointText({ method, path }: Operation): Html {
  const parts = path.split(/(?<=.)(?=\/)/);
  return html`<span class="method ${method}">${method.toUpperCase()}</span>
    <code>${parts.map((part, index) => (index === 0 ? part : html`<wbr />${part}`))}</code>`;
}
