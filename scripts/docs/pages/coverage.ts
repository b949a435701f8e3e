import { resolve, type Document, type OperationEntry } from "../../contract/document.ts";
import { unspecifiedOf } from "../descriptionTree.ts";
import type { DocumentedGeneration } from "../generation.ts";
import { listGroups, operationFragment, operationTitle, type Group } from "../groups.ts";
import { html, type Html } from "../html.ts";
import { renderPage, type SiteContext } from "../page.ts";
import { unspecifiedInOperation, type UnspecifiedPlace } from "../unspecified.ts";

/** Every group with its operations, and everything that is not specified, with links to the operations. */
export function coveragePage(site: SiteContext, generations: readonly DocumentedGeneration[]): string {
  return renderPage(site, {
    path: "coverage/",
    title: `Coverage – ${site.title}`,
    description: "Which groups have documented operations, and what is not specified of the service.",
    content: html`
      <main id="content" class="text">
        <h1>Coverage</h1>
        <p class="lead">
          What is known of the service is in the reference. This page lists the groups, and what is not specified:
          expect nothing of it, and handle anything.
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

function generationCoverage({ name, document, title }: DocumentedGeneration): Html {
  const groups = listGroups(document);
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
            ${groups.map((group) => groupRow(name, group))}
          </tbody>
        </table>
      </div>
    </section>
    <section aria-labelledby="${name}-unspecified">
      <h2 id="${name}-unspecified">${title}: not specified</h2>
      ${unspecifiedLists(name, document, groups)}
    </section>
  `;
}

function groupRow(generation: string, group: Group): Html {
  return html`
    <tr>
      <th scope="row"><a href="../${generation}/index.html#/${group.slug}">${group.name}</a></th>
      <td>
        ${
          group.operations.length === 0
            ? html`<span class="none">The group exists; none of its operations are shown.</span>`
            : html`<ul>
                ${group.operations.map((entry) => html`<li>${operationLink(generation, group, entry)}</li> `)}
              </ul>`
        }
      </td>
    </tr>
  `;
}

function operationLink(generation: string, group: Group, entry: OperationEntry): Html {
  return html`<a href="../${generation}/index.html${operationFragment(group, entry)}">${operationTitle(entry)}</a>
    <code class="operation">${entry.method.toUpperCase()} ${entry.path}</code>`;
}

function unspecifiedLists(generation: string, document: Document, groups: readonly Group[]): Html {
  const operations = groups.flatMap((group) =>
    group.operations.map((entry) => ({ group, entry, places: unspecifiedInOperation(document, entry) })),
  );
  const counts = Map.groupBy(
    operations.flatMap(({ places }) => places),
    keyOf,
  );
  const isEverywhere = (place: UnspecifiedPlace) =>
    operations.length > 1 && counts.get(keyOf(place))?.length === operations.length;
  const everywhere = operations[0]?.places.filter(isEverywhere) ?? [];
  return html`
    <h3>Of the generation</h3>
    <ul>
      ${generalPhrases(document).map((phrase) => html`<li>${phrase}</li> `)}
    </ul>
    ${everywhere.length === 0 ? undefined : html`<h3>Of every operation</h3>`} ${placeList(everywhere)}
    ${operations.map(({ group, entry, places }) => {
      const own = places.filter((place) => !isEverywhere(place));
      return own.length === 0
        ? undefined
        : html`<h3 class="operation">${operationLink(generation, group, entry)}</h3>
            ${placeList(own)}`;
    })}
  `;
}

/** What concerns no single operation: the document's own list, and what security schemes leave open. */
function generalPhrases(document: Document): readonly string[] {
  const schemes = document.components?.securitySchemes ?? {};
  return [
    ...unspecifiedOf({ ...document.info }),
    ...Object.entries(schemes).flatMap(([name, scheme]) =>
      unspecifiedOf({ ...resolve(scheme, schemes) }).map((phrase) => `credential ${name}: ${phrase}`),
    ),
  ];
}

function placeList(places: readonly UnspecifiedPlace[]): Html | undefined {
  if (places.length === 0) return undefined;
  return html`<ul>
    ${places.map(
      ({ place, phrases }) =>
        html`<li>${place === "" ? undefined : html`<code>${place}</code>: `}${phrases.join(", ")}</li> `,
    )}
  </ul>`;
}

function keyOf({ place, phrases }: UnspecifiedPlace): string {
  return JSON.stringify([place, phrases]);
}
