import { deprecationText, type Lifecycle } from "../../spec/lifecycle.ts";
import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { firstSentence } from "../../values/markdown.ts";
import { groupPageLink, operationAddress } from "../model/addresses.ts";
import type { EntryUse } from "../model/unspecifiedEntries.ts";
import type { SecurityScheme } from "../../contract/security.ts";
import { codes, forScreen, link, linkList, repeated, span } from "./blocks.ts";
import { html } from "../../values/html.ts";
import { screenOnly, type Block, type Endpoint, type Flow, type Link, type List, type ListItem } from "./pageNodes.ts";

/**
 * A list of links to operations with their methods and paths, and optionally the first sentences of their
 * descriptions.
 */
export function operationLinks(
  generation: Generation,
  operations: readonly Operation[],
  { described = false } = {},
): readonly List[] {
  if (operations.length === 0) return [];
  const items = operations.map((operation): ListItem => {
    const title = span("title", ...operationLink(generation, operation), ...badges(operation));
    return {
      children: [title, " ", span("endpoint", endpoint(operation))],
      sentence: described ? firstSentence(operation.description) : undefined,
    };
  });
  return [{ kind: "list", className: "operations", items, isRepeated: true }];
}

/** Links to places on the pages of operations, folded if there are many. */
export function placeLinks(generation: Generation, uses: readonly EntryUse[]): readonly Block[] {
  const places = uses.map(({ operation, anchor }) => operationLink(generation, operation, `#${anchor}`));
  const links = linkList(places);
  if (uses.length <= 3) return links;
  const summary = html`<span ${screenOnly}>${uses.length} operations</span>`;
  return [repeated({ kind: "folded", summary: [forScreen(summary)], children: links })];
}

/**
 * A link to an operation, or to a place on its page. Its text is the title, marked if the operation is
 * deprecated.
 */
export function operationLink(generation: Generation, operation: Operation, fragment = ""): Flow {
  const path = operationAddress(generation, operation) + fragment;
  return [link({ title: operation.title, path }), ...deprecatedMark(operation)];
}

/** A link to the page of a group. Its text is the title. */
export function groupLink(generation: Generation, group: Group): Link {
  return link(groupPageLink(generation, group));
}

export function endpoint({ method, path }: Operation): Endpoint {
  return { kind: "endpoint", method, path };
}

/** The scopes or roles that an operation requires of a credential, in parentheses. Empty if there are none. */
export function scopeWords({ scopes, scopeWord }: SecurityScheme): Flow {
  if (scopes.length === 0) return [];
  return [" ", span("scopes", `(${scopeWord}${scopes.length > 1 ? "s" : ""} `, ...codes(scopes, ", "), ")")];
}

/** Marks deprecated parts. */
export function deprecatedMark({ lifecycle }: { readonly lifecycle: Lifecycle }): Flow {
  if (!lifecycle.isDeprecated) return [];
  return [" ", { kind: "span", className: "deprecated", children: ["deprecated"], isEmphasized: true }];
}

/** The tags of an operation that are badges. */
export function badges(operation: Operation): Flow {
  return operation.badges.flatMap((badge): Flow => [" ", { ...span("chip", badge), isEmphasized: true }]);
}

/** Says since when something exists, and since when it is deprecated. */
export function lifecycleMarks(lifecycle: Lifecycle): readonly Flow[] {
  const marks: Flow[] = [];
  if (lifecycle.since !== undefined) marks.push([span("chip", `since ${lifecycle.since}`)]);
  const deprecation = deprecationText(lifecycle);
  if (deprecation !== undefined) marks.push([{ ...span("chip deprecated", deprecation), isEmphasized: true }]);
  return marks;
}
