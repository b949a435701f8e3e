import type { Group } from "../../contract/generation.ts";
import { unspecifiedText } from "../model/fields.ts";
import { html, screenOnly, type Html } from "../parts/html.ts";
import { nameText } from "../parts/lineBreaks.ts";
import { foldLinks, operationLink, type LinkContext } from "../parts/operationLinks.ts";
import { rootOf, type Page } from "../parts/page.ts";
import { addressesOf, unspecifiedPath, type Site } from "../model/site.ts";
import { compareText, groupBy } from "../../contract/text.ts";
import { listUnspecified, type GenerationContent, type UnspecifiedEntry } from "../model/unspecifiedEntries.ts";

/** Everything that is not specified, with links to its places; a script filters it. */
export function unspecifiedPage(site: Site, contents: readonly GenerationContent[]): Page {
  const root = rootOf({ path: unspecifiedPath });
  const lists = contents.map((content) => ({ content, entries: listUnspecified(site, content) }));
  const count = lists.flatMap(({ entries }) => entries).length;
  return {
    path: unspecifiedPath,
    title: "Not specified",
    description: "Everything that the API's description leaves open, with links to the operations and fields.",
    hasMarkdown: true,
    saidElsewhere: true,
    script: site.assets.filter,
    content: html`<h1>Not specified</h1>
      <p>
        Everything that the API's description leaves open. Each entry is also marked at the operation, field or
        credential that it concerns: follow its link to get there.
      </p>
      ${count === 0 ? html`<p>Nothing is left open.</p>` : filterForm(site, lists)}
      ${lists.map(({ content, entries }) => generationSection(site, root, content, entries))}`,
  };
}

interface GenerationList {
  readonly content: GenerationContent;
  readonly entries: readonly UnspecifiedEntry[];
}

/** What the script filters by. Without it, all is shown, and the form is not. */
function filterForm(site: Site, lists: readonly GenerationList[]): Html {
  const entries = lists.flatMap((list) => list.entries);
  const kinds = [...new Set(entries.map(({ kind }) => kind))].sort(compareText);
  const groups = new Map(
    lists.flatMap(({ content: { generation }, entries: own }) =>
      own.flatMap((entry) => entry.groups.map((group) => [groupKey(site, generation, group), group.title] as const)),
    ),
  );
  const sorted = [...groups].sort(([, a], [, b]) => compareText(a, b));
  return html`<search class="filters" ${screenOnly}>
    ${select(
      "generation",
      "Generation",
      lists.map(({ content: { generation } }) => [generation.name, generation.name]),
    )}
    ${select("group", "Group", sorted)}
    ${select(
      "kind",
      "Kind",
      kinds.map((kind) => [kind, kind]),
    )}
    <p role="status" data-total="${entries.length}">${entries.length} shown</p>
  </search>`;
}

function select(name: string, label: string, options: readonly (readonly [value: string, label: string])[]): Html {
  return html`<label
    >${label}
    <select name="${name}" autocomplete="off">
      <option value="">all</option>
      ${options.map(([value, text]) => html`<option value="${value}">${text}</option> `)}
    </select></label
  > `;
}

/** The last folder of a group's address: groups of the same name have the same one in each generation. */
function groupKey(site: Site, generation: GenerationContent["generation"], group: Group): string {
  return addressesOf(site, generation).groups.get(group)?.split("/").at(-2) ?? "";
}

function generationSection(
  site: Site,
  root: string,
  { generation }: GenerationContent,
  entries: readonly UnspecifiedEntry[],
): Html {
  const { name, title } = generation;
  const context: LinkContext = { root, addresses: addressesOf(site, generation) };
  return html`<section aria-labelledby="${name}" data-filtered>
    <h2 id="${name}">${title}</h2>
    ${entries.length === 0 ? html`<p>Nothing is left open.</p>` : undefined}
    ${[...groupBy(entries, ({ section }) => section)].map(
      ([section, rows]) =>
        html`<section data-filtered>
          <h3>${section}</h3>
          <table class="gaps">
            ${columnTitles}
            <tbody>
              ${rows.map((entry) => {
                const groups = entry.groups.map((group) => groupKey(site, generation, group)).join(" ");
                return html`<tr data-generation="${name}" data-group="${groups}" data-kind="${entry.kind}">
                  ${entryCells(context, entry)}
                </tr> `;
              })}
            </tbody>
          </table>
        </section>`,
    )}
  </section>`;
}

const columnTitles = html`<thead>
  <tr>
    <th scope="col">Place</th>
    <th scope="col">Detail</th>
    <th scope="col">Operations</th>
  </tr>
</thead>`;

function entryCells(context: LinkContext, entry: UnspecifiedEntry): Html {
  const { place, phrase, path } = entry;
  const text = html`<span class="unspecified">${unspecifiedText(phrase)}</span>`;
  const link = (content: Html) =>
    path === undefined ? html`${content}` : html`<a href="${context.root}${path}">${content}</a>`;
  return html`<th scope="row">${link(nameText(place))}</th>
    <td>${text}</td>
    <td>${useLinks(context, entry)}</td>`;
}

function useLinks(context: LinkContext, { uses }: UnspecifiedEntry): Html | undefined {
  if (uses.length === 0) return undefined;
  const list = html`<ul>
    ${uses.map(({ operation, anchor }) => html`<li>${operationLink(context, operation, anchor)}</li> `)}
  </ul>`;
  return foldLinks(list, uses.length);
}
