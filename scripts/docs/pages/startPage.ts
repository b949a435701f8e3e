import { jsonContent, successResponses, type Operation } from "../../contract/generation.ts";
import { curlCommand } from "../../samples/curlCommand.ts";
import { sampleRequest } from "../../samples/exampleRequest.ts";
import { writeRequest } from "../../samples/writeRequest.ts";
import { countOf } from "../../contract/text.ts";
import { methodBadge } from "../parts/endpoint.ts";
import { codeBlock, copyButton } from "../parts/highlight.ts";
import { html, screenOnly, type Html } from "../parts/html.ts";
import { icon } from "../parts/icon.ts";
import { inventedText, responsePayload } from "../parts/samplesPanel.ts";
import { commonIntroduction, type GenerationModel } from "../model/generationModel.ts";
import { listUnspecified } from "../model/unspecifiedEntries.ts";
import { guideSection } from "./guidesPage.ts";
import { operationLink } from "../parts/operationLinks.ts";
import { columnTitles, section } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { contextOf, type PageContext } from "../parts/pageContext.ts";
import { guidesPath, unspecifiedPath, type Site } from "../model/site.ts";

/** The links of this page begin at the site's root. */
const root = "./";

/** Generations with more operations than this have only their numbers on the page. */
const maximumListed = 60;

/** Of the tasks, as many are listed here. */
const maximumTasks = 6;

/** The site's first page, for someone with a task: a first call, the tasks, and what there is in which generation. */
export function startPage(
  site: Site,
  contents: readonly GenerationModel[],
  explanations: readonly Page[],
  tasks: readonly Page[],
): Page {
  const introduction = commonIntroduction(site.generations);
  const contexts = site.generations.map((generation) => contextOf(site, generation, ""));
  const gaps = contents.flatMap((content) => listUnspecified(site, content)).length;
  const [begin] = explanations;
  const [newest] = site.generations;
  return {
    path: "",
    title: site.title,
    description: introduction || site.title,
    content: html`<div class="hero">
        <h1>${site.title}</h1>
        <p class="lead">${introduction}</p>
        <p class="ways" ${screenOnly}>
          ${begin && html`<a class="button primary" href="${root}${begin.path}">${begin.title} ${icon("arrow")}</a>`}
          ${newest && html`<a class="button" href="${root}${newest.name}/">Browse ${newest.name}</a>`}
        </p>
        ${firstCall(site)}
      </div>
      <ul class="numbers">
        ${site.generations.map(({ name, summary, operations }) => numberItem(operations.length, `operations in ${name}`, summary, `${name}/`))}
        ${tasks.length === 0 ? undefined : numberItem(site.guides.length, "guides", "Each task from the first request to the last, with the responses.", guidesPath)}
        ${gaps === 0 ? undefined : numberItem(gaps, "details not specified", "What the contract leaves open, marked at each place.", unspecifiedPath)}
      </ul>
      ${guideSection("start", "Start here", explanations, root)}
      ${guideSection("tasks", "Tasks", tasks.slice(0, maximumTasks), root)}
      ${tasks.length > maximumTasks ? html`<p class="more"><a href="${root}${guidesPath}">All guides ${icon("arrow")}</a></p>` : undefined}
      ${section("operations", "Operations", operationsTable(contexts))}`,
  };
}

function numberItem(count: number, label: string, text: string, path: string): Html {
  return html`<li>
    <a href="${root}${path}"><b class="number">${count}</b> <span>${label}</span></a>
    <p class="sentence">${text}</p>
  </li> `;
}

/** A request that anybody can send at once: one that only reads, and is as short as possible. */
function readFirstCall(site: Site) {
  const calls = site.generations.map((generation) =>
    generation.operations
      .filter(({ method, lifecycle }) => method === "get" && !lifecycle.isDeprecated)
      .map((operation) => {
        const request = sampleRequest(operation, site.serverOf(operation).url);
        return { generation, operation, source: curlCommand(writeRequest(request)), response: readResponse(operation) };
      })
      .filter(({ source, response }) => response !== undefined && !source.includes("{"))
      // Fewer lines come first, and then fewer characters.
      .sort(({ source: a }, { source: b }) => a.split("\n").length - b.split("\n").length || a.length - b.length),
  );
  return calls.find((own) => own.length > 0)?.[0];
}

function firstCall(site: Site): Html | undefined {
  const call = readFirstCall(site);
  if (call === undefined) return undefined;
  const { generation, operation, source, response } = call;
  const { isMock, url } = site.serverOf(operation);
  return html`<section class="first-call" aria-labelledby="first-call">
    <h2 id="first-call" class="hidden">A first call</h2>
    <figure class="panel">
      <figcaption>
        <span>${methodBadge(operation.method)} ${operationLink(contextOf(site, generation, ""), operation)}</span>
        ${copyButton}
      </figcaption>
      ${codeBlock(source, "bash", "A first call with curl")}
    </figure>
    ${response}
    <p class="target">
      The request goes to ${isMock ? html`the mock server, which <code>npm start</code> runs` : html`the server`} at
      <code>${url}</code>. ${inventedText}
    </p>
  </section>`;
}

/** The first example of a successful response; `undefined` if there is none. */
function readResponse(operation: Operation): Html | undefined {
  const [shown] = successResponses(operation).flatMap(({ status, content }) =>
    (jsonContent(content)?.examples ?? []).map((example) => ({ ...example, status })),
  );
  return shown && responsePayload(shown);
}

/** The groups that have operations, with the generations side by side. */
function operationsTable(contexts: readonly PageContext[]): Html {
  const groups = contexts.flatMap(({ generation }) => generation.groups);
  const titles = new Set(groups.filter(({ operations }) => operations.length > 0).map(({ title }) => title));
  const columns = contexts.map(({ generation: { name, title, operations } }) => {
    const count = countOf(operations.length, "operation");
    return html`<a href="${root}${name}/" title="${title}">${name}</a> <small>${count}</small>`;
  });
  return html`<table class="comparison stacked">
    ${columnTitles("Group", ...columns)}
    <tbody>
      ${[...titles].map(
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
          ${operations.map((operation) => html`<li>${methodBadge(operation.method)} ${operationLink(context, operation)}</li> `)}
        </ul>`;
  return html`<td data-generation="${generation.name}">${content}</td>`;
}
