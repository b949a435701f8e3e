import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { gapsByOperation, listGaps, type Gap } from "../../contract/gaps.ts";
import { groupBy } from "../../contract/text.ts";
import { groupSlugs, operationFragment } from "../addresses.ts";
import { html, type Html } from "../html.ts";
import { renderPage, type SiteContext } from "../page.ts";

/** Every group with its operations, and everything that is not specified, with links to the operations. */
export function coveragePage(site: SiteContext, generations: readonly Generation[]): string {
  return renderPage(site, {
    path: "coverage/",
    title: `Coverage – ${site.title}`,
    description: "The documented operations of each group, and everything that is not specified about the service.",
    content: html`
      <main id="content" class="text">
        <h1>Coverage</h1>
        <p class="lead">
          This page lists the documented operations of each group, and everything that is not specified about the
          service. Do not rely on behavior that is not specified.
        </p>
        <nav class="contents" aria-label="On this page">
          <ul>
            ${generations.map(
              ({ name, title }) => html`
                <li>
                  ${title}: <a href="#${name}-groups">groups</a>,
                  <a href="#${name}-unspecified">not specified</a>
                </li>
              `,
            )}
          </ul>
        </nav>
        ${generations.map(generationCoverage)}
      </main>
    `,
  });
}

function generationCoverage(generation: Generation): Html {
  const { name, title, groups } = generation;
  return html`
    <section aria-labelledby="${name}-groups">
      <h2 id="${name}-groups">${title}: groups</h2>
      <div class="table" tabindex="0" role="region" aria-label="Groups of ${title}">
        <table>
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col">Documented operations</th>
            </tr>
          </thead>
          <tbody>
            ${groups.map((group) => groupRow(generation, group))}
          </tbody>
        </table>
      </div>
    </section>
    <section aria-labelledby="${name}-unspecified">
      <h2 id="${name}-unspecified">${title}: not specified</h2>
      ${gapLists(generation)}
    </section>
  `;
}

function groupRow(generation: Generation, { name, operations }: Group): Html {
  const slug = groupSlugs(generation).get(name);
  return html`
    <tr>
      <th scope="row"><a href="../${generation.name}/index.html#/${slug}">${name}</a></th>
      <td>
        ${
          operations.length === 0
            ? html`<span class="none">The operations of this group are not specified.</span>`
            : html`<ul>
                ${operations.map((operation) => html`<li>${operationLink(generation, operation)}</li> `)}
              </ul>`
        }
      </td>
    </tr>
  `;
}

function operationLink(generation: Generation, operation: Operation): Html {
  const fragment = operationFragment(generation, operation);
  return html`<a href="../${generation.name}/index.html${fragment}">${operation.title}</a>
    <code class="operation">${operation.name}</code>`;
}

function gapLists(generation: Generation): Html {
  const byOperation = gapsByOperation(generation);
  const gaps = [...byOperation.values()].flat();
  const counts = groupBy(gaps, ({ pointer }) => pointer);
  const isEverywhere = ({ pointer }: Gap) => byOperation.size > 1 && counts.get(pointer)?.length === byOperation.size;
  const everywhere = [...counts.values()].flatMap(([gap]) => (gap !== undefined && isEverywhere(gap) ? [gap] : []));
  // What concerns no single operation: the document's own list, and what security schemes leave open.
  const general = listGaps(generation.document).filter(({ pointer }) =>
    /^\/(info$|components\/security)/.test(pointer),
  );
  return html`
    <h3>General</h3>
    ${gapList(general.map(({ place, ...gap }) => ({ ...gap, place: place === "info" ? "" : `credential ${place}` })))}
    ${everywhere.length === 0 ? undefined : html`<h3>All operations</h3>`} ${gapList(everywhere)}
    ${[...byOperation].map(([operation, all]) => {
      const own = all.filter((gap) => !isEverywhere(gap));
      return own.length === 0
        ? undefined
        : html`<h3 class="operation">${operationLink(generation, operation)}</h3>
            ${gapList(own)}`;
    })}
  `;
}

function gapList(gaps: readonly Gap[]): Html | undefined {
  if (gaps.length === 0) return undefined;
  return html`<ul>
    ${gaps.map(({ place, phrases }) =>
      // The phrases of a whole generation are sentences, those of a place are words.
      place === ""
        ? phrases.map((phrase) => html`<li>${phrase}</li> `)
        : html`<li><code>${place}</code>: ${phrases.join(", ")}</li> `,
    )}
  </ul>`;
}
