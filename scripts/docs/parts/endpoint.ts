import type { Operation } from "../../contract/generation.ts";
import { html, type Html } from "./html.ts";
import { breakAt } from "./lineBreaks.ts";

/** The method and the whole path of an operation, which may break at its slashes only. */
export function endpointText({ method, path }: Operation): Html {
  const parts = path.split(/(?=\{)|(?<=\})/).map((part) => {
    const text = breakAt(part, /(?<=.)(?=\/)/);
    return part.startsWith("{") ? html`<span class="parameter">${text}</span>` : text;
  });
  return html`${methodBadge(method)} <code>${parts}</code>`;
}

/** The name of a method in its color; for narrow columns, only the beginning of a long one is seen. */
export function methodBadge(method: string, { isNarrow = false } = {}): Html {
  const name = method.toUpperCase();
  const seen = isNarrow && name.length > 5 ? 3 : name.length;
  const rest = name.slice(seen);
  return html`<span class="method ${method}"
    >${name.slice(0, seen)}${rest && html`<span class="hidden">${rest}</span>`}</span
  >`;
}
