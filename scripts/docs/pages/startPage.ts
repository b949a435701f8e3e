import { jsonContent, successResponses, type Generation, type Operation } from "../../contract/generation.ts";
import { curlCommand } from "../../samples/curlCommand.ts";
import { sampleRequest } from "../../samples/exampleRequest.ts";
import { writeRequest } from "../../samples/writeRequest.ts";
import { countOf } from "../../contract/text.ts";
import { codeBlock } from "../parts/highlight.ts";
import { html, joined, type Html } from "../parts/html.ts";
import { inventedText } from "../parts/samplesPanel.ts";
import { guideSection } from "./guidesPage.ts";
import { commonIntroduction } from "../model/introduction.ts";
import { groupLink, operationLink } from "../parts/operationLinks.ts";
import { columnTitles, section } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { contextOf, type PageContext } from "../parts/pageContext.ts";
import { authenticationPath, downloadsPath, unspecifiedPath, type Site } from "../model/site.ts";

/** The links of this page begin at the site's root. */
const root = "./";

/** Generations with more operations than this have only their numbers on the page. */
const maximumListed = 60;

/** The site's first page, for someone with a task: a first call, the tasks, and what there is in which generation. */
export function startPage(site: Site, tasks: readonly Page[]): Page {
  const introduction = commonIntroduction(site.generations);
  const contexts = site.generations.map((generation) => contextOf(site, generation, ""));
  return {
    path: "",
    title: site.title,
    description: introduction || site.title,
    content: html`<h1>${site.title}</h1>
      <p class="lead">${introduction}</p>
      ${firstCall(site)} ${guideSection("tasks", "Tasks", tasks, root)}
      ${section("operations", "Operations", html`${differences(site)} ${operationsTable(contexts)} ${contexts.map(emptyGroups)}`)}
      ${section("more", "More", moreLinks)}`,
  };
}

const moreLinks = html`<ul class="links">
  <li>
    <a href="${root}${authenticationPath}">Authentication</a>: which credentials there are, how they are sent, and which
    operations need them
  </li>
  <li><a href="${root}${unspecifiedPath}">Not specified</a>: everything that the API's description leaves open</li>
  <li>
    <a href="${root}${downloadsPath}">Downloads</a>: what these pages say, as files for tools, programs and language
    models
  </li>
</ul>`;

/** A request that anybody can send at once: one that only reads, and is as short as possible. */
function readFirstCall(site: Site) {
  const calls = site.generations.toReversed().map((generation) =>
    generation.operations
      .filter(isReadable)
      .map((operation) => {
        const request = sampleRequest(operation, site.serverOf(operation).url);
        return { generation, operation, source: curlCommand(writeRequest(request)) };
      })
      .filter(({ source }) => !source.includes("{"))
      // Fewer lines come first, and then fewer characters.
      .sort(({ source: a }, { source: b }) => a.split("\n").length - b.split("\n").length || a.length - b.length),
  );
  return calls.find((own) => own.length > 0)?.[0];
}

function firstCall(site: Site): Html | undefined {
  const call = readFirstCall(site);
  if (call === undefined) return undefined;
  const { generation, operation, source } = call;
  const { isMock, url } = site.serverOf(operation);
  const content = html`<figure class="first-call">
      <figcaption>
        <span>${operationLink(contextOf(site, generation, ""), operation)}</span>
        <button type="button" data-copy-code>Copy</button>
      </figcaption>
      ${codeBlock(source, "bash", "A first call with curl")}
    </figure>
    <p class="target">
      The request goes to ${isMock ? html`the mock server, which <code>npm start</code> runs` : html`the server`} at
      <code>${url}</code>. ${inventedText}
    </p>`;
  return section("first-call", "A first call", content);
}

function isReadable(operation: Operation): boolean {
  const example = successResponses(operation).flatMap(({ content }) => jsonContent(content)?.examples ?? []);
  return operation.method === "get" && !operation.lifecycle.isDeprecated && example.length > 0;
}

/** The titles of groups that have operations in a generation. */
function groupTitles({ groups }: Generation): readonly string[] {
  return groups.filter(({ operations }) => operations.length > 0).map(({ title }) => title);
}

/** The groups that have operations in one generation only, by generation. */
function differences({ generations }: Site): Html | undefined {
  if (generations.length < 2) return undefined;
  const format = new Intl.ListFormat("en");
  const items = generations.flatMap((generation) => {
    const others = new Set(generations.filter((other) => other !== generation).flatMap(groupTitles));
    const own = groupTitles(generation).filter((title) => !others.has(title));
    return own.length === 0 ? [] : [html`<li>Only in <b>${generation.name}</b>: ${format.format(own)}.</li> `];
  });
  if (items.length === 0) return html`<p>The same groups have operations in all generations.</p>`;
  return html`<ul class="differences">
    ${items}
  </ul>`;
}

/** The groups that have operations, with the generations side by side. */
function operationsTable(contexts: readonly PageContext[]): Html {
  const titles = [...new Set(contexts.toReversed().flatMap(({ generation }) => groupTitles(generation)))];
  const columns = contexts.map(({ generation: { name, title, operations } }) => {
    const count = countOf(operations.length, "operation");
    return html`<a href="${root}${name}/" title="${title}">${name}</a> <small>${count}</small>`;
  });
  return html`<table class="comparison">
    ${columnTitles("Group", ...columns)}
    <tbody>
      ${titles.map(
        (title) =>
          html`<tr>
            <th scope="row">${title}</th>
            ${contexts.map((context) => groupCell(context, title))}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function groupCell(context: PageContext, title: string): Html {
  const { addresses, generation } = context;
  const group = generation.groups.find((one) => one.title === title && one.operations.length > 0);
  if (group === undefined) return html`<td class="none">–</td>`;
  const { operations } = group;
  const content =
    generation.operations.length > maximumListed
      ? html`<a href="${root}${addresses.groups.get(group)}">${countOf(operations.length, "operation")}</a>`
      : html`<ul>
          ${operations.map((operation) => html`<li>${operationLink(context, operation)}</li> `)}
        </ul>`;
  return html`<td data-generation="${generation.name}">${content}</td>`;
}

/** The groups of a generation without operations, on one line. */
function emptyGroups(context: PageContext): Html | undefined {
  const { name, groups } = context.generation;
  const empty = groups.filter(({ operations, alsoTagged }) => operations.length + alsoTagged.length === 0);
  if (empty.length === 0) return undefined;
  const links = empty.map((group) => groupLink(context, group));
  return html`<details class="empty-groups">
    <summary>${name}: ${countOf(empty.length, "group")} without operations</summary>
    <p>No operations are specified for ${joined(links, ", ")}.</p>
  </details>`;
}
