import { curlCommand } from "../../samples/curlCommand.ts";
import { sampleRequest } from "../../samples/exampleRequest.ts";
import { writeRequest } from "../../samples/writeRequest.ts";
import { codeBlock, copyButton } from "../parts/highlight.ts";
import { html, rootMark, screenOnly, type Html } from "../parts/html.ts";
import { icon } from "../parts/icon.ts";
import { inventedText, responsePayload } from "../parts/samplesPanel.ts";
import { commonIntroduction, type GenerationModel } from "../model/generationModel.ts";
import { listUnspecified } from "../model/unspecifiedEntries.ts";
import { guideSection } from "./guidesPage.ts";
import { methodBadge, operationLink } from "../parts/operationLinks.ts";
import { link } from "../parts/blocks.ts";
import type { Page } from "../parts/page.ts";
import { firstLevel, type Site } from "../model/site.ts";

/** Of the tasks, as many are listed here. */
const maximumTasks = 6;

/** The site's first page, for someone with a task: a first call, and the tasks. */
export function startPage(
  site: Site,
  contents: readonly GenerationModel[],
  explanations: readonly Page[],
  tasks: readonly Page[],
): Page {
  const { title, generations, guides } = site;
  const introduction = commonIntroduction(generations);
  const gaps = contents.flatMap(listUnspecified).length;
  const [begin] = explanations;
  const [newest] = generations;
  return {
    path: "",
    title,
    description: introduction || title,
    content: html`<div class="hero">
        <h1>${title}</h1>
        <p class="lead">${introduction}</p>
        <p class="ways" ${screenOnly}>
          ${begin && html`<a class="button primary" href="${rootMark}${begin.path}">${begin.title} ${icon("arrow")}</a>`}
          ${newest && html`<a class="button" href="${rootMark}${newest.name}/">Browse ${newest.name}</a>`}
        </p>
        ${firstCall(site, contents)}
      </div>
      <ul class="numbers">
        ${generations.map(({ name, summary, operations }) => numberItem(operations.length, `operations in ${name}`, summary, `${name}/`))}
        ${tasks.length > 0 && numberItem(guides.length, "guides", "Each task from the first request to the last, with the responses.", firstLevel.guides.path)}
        ${gaps > 0 && numberItem(gaps, "details not specified", "What the contract leaves open, marked at each place.", firstLevel.unspecified.path)}
      </ul>
      ${guideSection("start", "Start here", explanations)}
      ${guideSection("tasks", "Tasks", tasks.slice(0, maximumTasks))}
      ${tasks.length > maximumTasks && html`<p>${link({ title: "All guides", path: firstLevel.guides.path })}</p>`}`,
  };
}

function numberItem(count: number, label: string, text: string, path: string): Html {
  return html`<li>
    <a href="${rootMark}${path}"><b class="number">${count}</b> <span>${label}</span></a>
    <p class="sentence">${text}</p>
  </li> `;
}

/** A request that anybody can send at once, with its response: one that only reads, and is as short as possible. */
function firstCall(site: Site, contents: readonly GenerationModel[]): Html | undefined {
  const calls = contents.flatMap(({ generation, operations }) => {
    const reading = generation.operations.filter(
      ({ method, lifecycle }) => method === "get" && !lifecycle.isDeprecated,
    );
    return reading
      .map((operation) => {
        const source = curlCommand(writeRequest(sampleRequest(operation, site.serverOf(operation).url)));
        return { generation, operation, source, response: operations.get(operation)?.examples[0]?.response };
      })
      .filter(({ source, response }) => response !== undefined && !source.includes("{"))
      .sort((a, b) => a.source.length - b.source.length);
  });
  const [call] = calls;
  if (call === undefined) return undefined;
  const { generation, operation, source, response } = call;
  const { isMock, url } = site.serverOf(operation);
  return html`<section class="first-call" aria-labelledby="first-call">
    <h2 id="first-call" class="hidden">A first call</h2>
    <figure class="panel">
      <figcaption>
        <span>${methodBadge(operation.method)} ${operationLink(generation, operation)}</span>
        ${copyButton}
      </figcaption>
      ${codeBlock(source, "bash", "A first call with curl")}
    </figure>
    ${response && responsePayload(response)}
    <p class="target">
      The request goes to ${isMock ? html`the mock server, which <code>npm start</code> runs` : html`the server`} at
      <code>${url}</code>. ${inventedText}
    </p>
  </section>`;
}
