import type { Operation } from "../../contract/generation.ts";
import { html, type Html } from "./html.ts";
import { breakAt } from "./lineBreaks.ts";

/** The method and the whole path of an operation, which may break at its slashes only. */
export function endpointText({ method, path }: Operation): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>
    <code>${breakAt(path, /(?<=.)(?=\/)/)}</code>`;
}
