import { deprecationText, type Lifecycle } from "../../spec/lifecycle.ts";
import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { firstSentence } from "../../contract/text.ts";
import { link, list } from "./blocks.ts";
import { breakAt, html, screenOnly, type Html } from "./html.ts";
import { readAddresses } from "../model/addresses.ts";
import type { EntryUse } from "../model/unspecifiedEntries.ts";

/** A list of links to operations, each with its method and path, and if wanted with what its description says first. */
export function operationLinks(generation: Generation, operations: readonly Operation[], { described = false } = {}) {
  const items = operations.map((operation) => {
    const sentence = described ? firstSentence(operation.description) : "";
    return html`<span class="title">${operationLink(generation, operation)}</span>
      <span class="endpoint">${endpointText(operation)}</span>
      ${sentence && html`<p class="sentence">${sentence}</p>`}`;
  });
  return list(items, "operations");
}

/** Links to places on the pages of operations, folded if they are many. */
export function placeLinks(generation: Generation, uses: readonly EntryUse[]): Html | undefined {
  const links = list(uses.map(({ operation, anchor }) => operationLink(generation, operation, `#${anchor}`)));
  if (uses.length <= 3) return links;
  return html`<details>
    <summary ${screenOnly}>${uses.length} operations</summary>
    ${links}
  </details>`;
}

/** A link to an operation, or to a place on its page, by its title, which says if the operation is deprecated. */
export function operationLink(generation: Generation, operation: Operation, fragment = ""): Html {
  const path = `${readAddresses(generation).operations.get(operation) ?? ""}${fragment}`;
  return html`${link({ title: operation.title, path })}${deprecatedMark(operation)}`;
}

/** A link to the page of a group, by its title. */
export function groupLink(generation: Generation, group: Group): Html {
  return link({ title: group.title, path: readAddresses(generation).groups.get(group) ?? "" });
}

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

/** Marks what is deprecated. */
export function deprecatedMark({ lifecycle }: { readonly lifecycle: Lifecycle }): Html | undefined {
  return lifecycle.isDeprecated ? html` <span class="deprecated">deprecated</span>` : undefined;
}

/** Says since when something exists, and since when it is deprecated. */
export function lifecycleMarks(lifecycle: Lifecycle): readonly Html[] {
  const deprecation = deprecationText(lifecycle);
  return [
    ...(lifecycle.since === undefined ? [] : [html`<span class="chip">since ${lifecycle.since}</span>`]),
    ...(deprecation === undefined ? [] : [html`<span class="chip deprecated">${deprecation}</span>`]),
  ];
}
