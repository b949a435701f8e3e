import type { Operation } from "../contract/generation.ts";
import type { Addresses } from "./addresses.ts";
import { html, type Html } from "./html.ts";

/** A list of links to operations, each with its method and path. */
export function operationLinks(
  { operations: addresses }: Addresses,
  root: string,
  operations: readonly Operation[],
): Html | undefined {
  if (operations.length === 0) return undefined;
  return html`<ul class="operations">
    ${operations.map(
      (operation) =>
        html`<li>
          <a href="${root}${addresses.get(operation)}">${operation.title}</a>
          <span class="endpoint"
            ><span class="method ${operation.method}">${operation.method.toUpperCase()}</span>
            <code>${operation.path}</code></span
          >
        </li> `,
    )}
  </ul>`;
}
