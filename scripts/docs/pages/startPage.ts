import {
  jsonContent,
  successResponses,
  type Generation,
  type Group,
  type Operation,
} from "../../contract/generation.ts";
import { curlCommand } from "../../samples/curlCommand.ts";
import { sampleRequest } from "../../samples/exampleRequest.ts";
import { writeRequest } from "../../samples/writeRequest.ts";
import { countOf } from "../../contract/text.ts";
import { codeBlock } from "../parts/highlight.ts";
import { html, type Html } from "../parts/html.ts";
import { guideSection } from "./guidesPage.ts";
import { commonIntroduction } from "../model/introduction.ts";
import { operationLink } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { addressesOf, authenticationPath, downloadsPath, unspecifiedPath, type Site } from "../model/site.ts";

/** The links of this page begin at the site's root. */
const root = "./";

/** Generations with more operations than this have only their numbers on the page. */
const maximumListed = 60;

/** The site's first page, for someone with a task: a first call, the tasks, and what there is in which generation. */
export function startPage(site: Site, tasks: readonly Page[]): Page {
  const introduction = commonIntroduction(site.generations);
  return {
    path: "",
    title: site.title,
    description: introduction || site.title,
    hasMarkdown: true,
    content: html`<h1>${site.title}</h1>
      <p class="lead">${introduction}</p>
      ${firstCall(site)} ${guideSection("tasks", "Tasks", tasks, root)}
      <section aria-labelledby="operations">
        <h2 id="operations">Operations</h2>
        ${differences(site)} ${operationsTable(site)}
        ${site.generations.map((generation) => emptyGroups(site, generation))}
      </section>
      <section aria-labelledby="more">
        <h2 id="more">More</h2>
        <ul class="links">
          <li>
            <a href="${root}${authenticationPath}">Authentication</a>: which credentials there are, how they are sent,
            and which operations need them
          </li>
          <li>
            <a href="${root}${unspecifiedPath}">Not specified</a>: everything that the API's description leaves open
          </li>
          <li>
            <a href="${root}${downloadsPath}">Downloads</a>: what these pages say, as files for tools, programs and
            language models
          </li>
        </ul>
      </section>`,
  };
}

interface FirstCall extends Call {
  readonly generation: Generation;
}

/** A request that anybody can send at once: one that only reads, and is as short as possible. */
function readFirstCall(site: Site): FirstCall | undefined {
  const [newest] = site.generations.toReversed().flatMap((generation) => {
    const calls = generation.operations.filter(isReadable).map((operation) => curlOf(site, operation));
    const [shortest] = calls.filter(({ source }) => !source.includes("{")).sort(byLength);
    return shortest === undefined ? [] : [{ ...shortest, generation }];
  });
  return newest;
}

function firstCall(site: Site): Html | undefined {
  const call = readFirstCall(site);
  if (call === undefined) return undefined;
  const { generation, operation, source } = call;
  const { isMock, url } = site.serverOf(operation);
  const context = { root, addresses: addressesOf(site, generation) };
  return html`<section aria-labelledby="first-call">
    <h2 id="first-call">A first call</h2>
    <figure class="first-call">
      <figcaption>
        <span>${operationLink(context, operation)}</span> <button type="button" data-copy-code>Copy</button>
      </figcaption>
      ${codeBlock(source, "bash", "A first call with curl")}
    </figure>
    <p class="target">
      The request goes to ${isMock ? html`the mock server, which <code>npm start</code> runs` : html`the server`} at
      <code>${url}</code>.
    </p>
  </section>`;
}

function isReadable(operation: Operation): boolean {
  const example = successResponses(operation).flatMap(({ content }) => jsonContent(content)?.examples ?? []);
  return operation.method === "get" && !operation.isDeprecated && example.length > 0;
}

interface Call {
  readonly operation: Operation;
  readonly source: string;
}

function curlOf(site: Site, operation: Operation): Call {
  return { operation, source: curlCommand(writeRequest(sampleRequest(operation, site.serverOf(operation).url))) };
}

/** Fewer lines come first, and then fewer characters. */
function byLength({ source: a }: Call, { source: b }: Call): number {
  return a.split("\n").length - b.split("\n").length || a.length - b.length;
}

/** The titles of groups that have operations in a generation. */
function groupTitles({ groups }: Generation): readonly string[] {
  return groups.filter(({ operations }) => operations.length > 0).map(({ title }) => title);
}

/** The groups that have operations in one generation only, by generation. */
function readDifferences({ generations }: Site): readonly { generation: Generation; titles: string }[] {
  const format = new Intl.ListFormat("en");
  return generations.flatMap((generation) => {
    const others = new Set(generations.filter((other) => other !== generation).flatMap(groupTitles));
    const own = groupTitles(generation).filter((title) => !others.has(title));
    return own.length === 0 ? [] : [{ generation, titles: format.format(own) }];
  });
}

function differences(site: Site): Html | undefined {
  if (site.generations.length < 2) return undefined;
  const found = readDifferences(site);
  if (found.length === 0) return html`<p>The same groups have operations in all generations.</p>`;
  return html`<ul class="differences">
    ${found.map(({ generation, titles }) => html`<li>Only in <b>${generation.name}</b>: ${titles}.</li> `)}
  </ul>`;
}

/** The groups that have operations, with the generations side by side. */
function operationsTable(site: Site): Html {
  const { generations } = site;
  const titles = [...new Set(generations.toReversed().flatMap(groupTitles))];
  return html`<table class="comparison">
    <thead>
      <tr>
        <th scope="col">Group</th>
        ${generations.map(({ name, title, operations }) => {
          return html`<th scope="col">
            <a href="${root}${name}/" title="${title}">${name}</a>
            <small>${countOf(operations.length, "operation")}</small>
          </th>`;
        })}
      </tr>
    </thead>
    <tbody>
      ${titles.map(
        (title) =>
          html`<tr>
            <th scope="row">${title}</th>
            ${generations.map((generation) => {
              const group = generation.groups.find((one) => one.title === title && one.operations.length > 0);
              return group === undefined
                ? html`<td class="none">–</td>`
                : html`<td data-generation="${generation.name}">${groupCell(site, generation, group)}</td>`;
            })}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function groupCell(site: Site, generation: Generation, group: Group): Html {
  const addresses = addressesOf(site, generation);
  const { operations } = group;
  const count = html`<a href="${root}${addresses.groups.get(group)}">${countOf(operations.length, "operation")}</a>`;
  if (generation.operations.length > maximumListed) return count;
  return html`<ul>
    ${operations.map((operation) => html`<li>${operationLink({ addresses, root }, operation)}</li> `)}
  </ul>`;
}

/** The groups of a generation without operations, on one line. */
function emptyGroups(site: Site, generation: Generation): Html | undefined {
  const addresses = addressesOf(site, generation);
  const groups = generation.groups.filter(({ operations, alsoTagged }) => operations.length + alsoTagged.length === 0);
  if (groups.length === 0) return undefined;
  return html`<details class="empty-groups">
    <summary>${generation.name}: ${countOf(groups.length, "group")} without operations</summary>
    <p>
      No operations are specified for
      ${groups.map(
        (group, index) =>
          html`${index === 0 ? "" : ", "}<a href="${root}${addresses.groups.get(group)}">${group.title}</a>`,
      )}.
    </p>
  </details>`;
}
