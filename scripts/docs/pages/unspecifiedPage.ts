import type { Generation, Group } from "../../contract/generation.ts";
import { unspecifiedText } from "../model/fields.ts";
import { html, nameText, screenOnly, type Html } from "../parts/html.ts";
import { placeLinks } from "../parts/operationLinks.ts";
import { link, table } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { firstLevel, type Site } from "../model/site.ts";
import { compareText, groupBy, slugOf } from "../../contract/text.ts";
import type { GenerationModel } from "../model/generationModel.ts";
import { listUnspecified, type UnspecifiedEntry } from "../model/unspecifiedEntries.ts";

/** Everything that is not specified, with links to its places; a script filters it. */
export function unspecifiedPage(site: Site, contents: readonly GenerationModel[]): Page {
  const lists = contents.map((content) => [content.generation, listUnspecified(content)] as const);
  const entries = lists.flatMap(([, own]) => own);
  return {
    ...firstLevel.unspecified,
    description: "Everything that the API's description leaves open, with links to the operations and fields.",
    saidElsewhere: true,
    content: html`<h1>Not specified</h1>
      <p>
        Everything that the API's description leaves open. Each entry is also marked at the operation, field or
        credential that it concerns: follow its link to get there.
      </p>
      ${entries.length > 0 && filterForm(site, entries)}
      ${lists.map(([generation, own]) => generationSection(generation, own))}`,
  };
}

/** The choices that the script filters by. Without it, all is shown, and the form is not. */
function filterForm({ generations }: Site, entries: readonly UnspecifiedEntry[]): Html {
  const sorted = (options: readonly Option[]) => options.toSorted(([, a], [, b]) => compareText(a, b));
  const groups = entries.flatMap((entry) => entry.groups).map((group): Option => [groupKey(group), group.title]);
  const kinds = entries.map(({ kind }): Option => [kind, kind]);
  const names = generations.map(({ name }): Option => [name, name]);
  return html`<search class="filters" ${screenOnly}>
    ${select("Generation", names)} ${select("Group", sorted(groups))} ${select("Kind", sorted(kinds))}
    <p role="status" data-total="${entries.length}">${entries.length} shown</p>
  </search>`;
}

type Option = readonly [value: string, text: string];

function select(label: string, options: readonly Option[]): Html {
  return html`<label
    >${label}
    <select name="${label.toLowerCase()}" autocomplete="off">
      <option value="">all</option>
      ${[...new Map(options)].map(([value, text]) => html`<option value="${value}">${text}</option> `)}
    </select></label
  > `;
}

/** Groups of the same name have the same one in each generation. It has no spaces. */
function groupKey({ name }: Group): string {
  return slugOf(name) || encodeURIComponent(name);
}

function generationSection(generation: Generation, entries: readonly UnspecifiedEntry[]): Html {
  const { name, title } = generation;
  const parts = [...groupBy(entries, ({ section }) => section)].map(([section, own]) => {
    const rows = own.map((entry) => entryRow(generation, entry));
    const titles = ["Place", "Detail", ...(own.some(({ uses }) => uses.length > 0) ? ["Operations"] : [])];
    return html`<section data-filtered>
      <h3 id="${name}-${slugOf(section)}">${section}</h3>
      ${table("gaps stacked", titles, rows)}
    </section>`;
  });
  return html`<section aria-labelledby="${name}" data-filtered>
    <h2 id="${name}">${title}</h2>
    ${entries.length === 0 && html`<p>Nothing is left open.</p>`} ${parts}
  </section>`;
}

function entryRow(generation: Generation, { place, gap, kind, path, groups, uses }: UnspecifiedEntry): Html {
  const groupKeys = groups.map(groupKey).join(" ");
  const name = nameText(place);
  return html`<tr data-generation="${generation.name}" data-group="${groupKeys}" data-kind="${kind}">
    <th scope="row">${path === undefined ? name : link({ title: name, path })}</th>
    <td><span class="unspecified">${unspecifiedText(gap)}</span></td>
    ${uses.length > 0 && html`<td>${placeLinks(generation, uses)}</td>`}
  </tr> `;
}
