import { gapText } from "../../contract/gaps.ts";
import type { Generation, Group } from "../../contract/generation.ts";
import { html, type Html } from "../../values/html.ts";
import { placeLinks } from "../parts/operationLinks.ts";
import { forScreen, nameLink, paragraph, row, section, subsection, table } from "../parts/blocks.ts";
import { screenOnly, type Row, type SectionNode } from "../parts/pageNodes.ts";
import type { Page } from "../parts/page.ts";
import { firstLevel, type Site } from "../model/site.ts";
import { compareText, slugOf } from "../../values/text.ts";
import { groupBy } from "../../values/collections.ts";
import { ownTitle } from "../model/generationModel.ts";
import { listUnspecified, type UnspecifiedEntry } from "../model/unspecifiedEntries.ts";

/** All gaps, with links to their places. A script filters them. */
export function unspecifiedPage(site: Site): Page {
  const lists = site.contents.map((content) => [content.generation, listUnspecified(content)] as const);
  const entries = lists.flatMap(([, own]) => own);
  const filters = entries.length === 0 ? [] : [forScreen(filterForm(site, entries))];
  return {
    ...firstLevel.unspecified,
    description: "All gaps that the API's description marks, with links to the operations and fields.",
    saidElsewhere: true,
    children: [
      paragraph([
        "All gaps that the API's description marks. Each entry links to the operation, field or credential that it " +
          "concerns.",
      ]),
      ...filters,
      ...lists.map(([generation, own]) => generationSection(ownTitle(generation, site.generations), generation, own)),
    ],
  };
}

/** The script's filters. Without the script, everything is shown, and the form is hidden. */
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

/** Groups with the same name share a key in all generations. It has no spaces. */
function groupKey({ name }: Group): string {
  return slugOf(name) || encodeURIComponent(name);
}

function generationSection(heading: string, generation: Generation, entries: readonly UnspecifiedEntry[]): SectionNode {
  const { name } = generation;
  const parts = [...groupBy(entries, ({ section: title }) => title)].map(([title, own]): SectionNode => {
    const hasUses = own.some(({ uses }) => uses.length > 0);
    const titles = ["Place", "Not specified", ...(hasUses ? ["Operations"] : [])];
    const rows = own.map((entry) => entryRow(generation, entry));
    const frame = { tag: "section", attributes: { "data-filtered": "" } } as const;
    return { ...subsection(3, title, [table("gaps stacked", titles, rows)], `${name}-${slugOf(title)}`), frame };
  });
  if (parts.length === 0) return section(name, heading, [paragraph(["No gaps are marked."])]);
  const frame = { tag: "section", attributes: { "aria-labelledby": name, "data-filtered": "" } } as const;
  return { ...section(name, heading, parts), frame };
}

function entryRow(generation: Generation, { place, gap, kind, path, groups, uses }: UnspecifiedEntry): Row {
  const name = path === undefined ? ({ kind: "name", text: place } as const) : nameLink({ title: place, path });
  const cells = [[gapText(gap)], ...(uses.length > 0 ? [placeLinks(generation, uses)] : [])];
  const groupKeys = groups.map(groupKey).join(" ");
  return row([name], cells, { "data-generation": generation.name, "data-group": groupKeys, "data-kind": kind });
}
