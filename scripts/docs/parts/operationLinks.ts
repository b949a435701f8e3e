import { deprecationText, type Lifecycle } from "../../spec/lifecycle.ts";
import type { Group, Operation } from "../../contract/generation.ts";
import { firstSentence } from "../../contract/text.ts";
import { endpointText } from "./endpoint.ts";
import { html, screenOnly, type Html } from "./html.ts";
import type { PageContext } from "./pageContext.ts";
import type { EntryUse } from "../model/unspecifiedEntries.ts";

/** A list of links to operations, each with its method and path, and if wanted with what its description says first. */
export function operationLinks(
  context: PageContext,
  operations: readonly Operation[],
  { described = false } = {},
): Html | undefined {
  if (operations.length === 0) return undefined;
  return html`<ul class="operations">
    ${operations.map((operation) => {
      const sentence = described ? firstSentence(operation.description) : "";
      return html`<li>
        <span class="title">${operationLink(context, operation)}</span>
        <span class="endpoint">${endpointText(operation)}</span>
        ${sentence === "" ? undefined : html`<p class="sentence">${sentence}</p>`}
      </li> `;
    })}
  </ul>`;
}

/** Links to places on the pages of operations, folded if they are many. */
export function placeLinks(context: PageContext, uses: readonly EntryUse[]): Html | undefined {
  if (uses.length === 0) return undefined;
  const list = html`<ul>
    ${uses.map(({ operation, anchor }) => html`<li>${operationLink(context, operation, anchor)}</li> `)}
  </ul>`;
  if (uses.length <= 3) return list;
  return html`<details>
    <summary ${screenOnly}>${uses.length} operations</summary>
    ${list}
  </details>`;
}

/** A link to an operation, or to a place on its page, by its title, which says if the operation is deprecated. */
export function operationLink({ addresses, root }: PageContext, operation: Operation, anchor?: string): Html {
  const href = `${root}${addresses.operations.get(operation) ?? ""}${anchor === undefined ? "" : `#${anchor}`}`;
  return html`<a href="${href}">${operation.title}</a>${deprecatedMark(operation)}`;
}

/** A link to the page of a group, by its title. */
export function groupLink({ addresses, root }: PageContext, group: Group): Html {
  return html`<a href="${root}${addresses.groups.get(group)}">${group.title}</a>`;
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
