import { marked } from "marked";
import { serverUrl, type Generation, type Group } from "../../contract/generation.ts";
import type { SecurityScheme } from "../../contract/security.ts";
import { groupSlugs } from "../addresses.ts";
import { html, trusted, type Html } from "../html.ts";
import { commonIntroduction, commonTitle, ownIntroduction } from "../introduction.ts";
import { renderPage, type SiteContext } from "../page.ts";
import { samplesOf } from "../samples/samples.ts";

/** The site's first page: what the service does, its generations, where to start, credentials, groups, downloads. */
export function indexPage(site: SiteContext, generations: readonly Generation[], packageName: string): string {
  const newest = generations.at(-1);
  const title = commonTitle(generations);
  const introduction = commonIntroduction(generations);
  return renderPage(site, {
    path: "",
    title,
    description: introduction,
    content: html`
      <main id="content" class="text">
        <h1>${title}</h1>
        <p class="lead">${introduction}</p>
        <section aria-labelledby="generations">
          <h2 id="generations">Generations</h2>
          <div class="cards">${generations.map((generation) => generationCard(generation, introduction))}</div>
        </section>
        <section aria-labelledby="start">
          <h2 id="start">Get started</h2>
          ${newest && firstSteps(newest, packageName)}
        </section>
        <section aria-labelledby="credentials">
          <h2 id="credentials">Credentials</h2>
          <div class="table" tabindex="0" role="region" aria-label="Credentials">
            <table>
              <thead>
                <tr>
                  <th scope="col">Credential</th>
                  <th scope="col">Generation</th>
                  <th scope="col">Sent as</th>
                  <th scope="col">Description</th>
                  <th scope="col">Operations</th>
                </tr>
              </thead>
              <tbody>
                ${generations.map(credentialRows)}
              </tbody>
            </table>
          </div>
        </section>
        <section aria-labelledby="groups">
          <h2 id="groups">Groups</h2>
          ${generations.map(groupLists)}
        </section>
        <section aria-labelledby="machines">
          <h2 id="machines">Machine-readable formats</h2>
          <p>
            Each generation has an <a href="#generations">OpenAPI 3.1 description</a>, and
            <a href="llms.txt">llms.txt</a> links to a Markdown page for each group that has operations.
          </p>
        </section>
      </main>
    `,
  });
}

function generationCard(generation: Generation, common: string): Html {
  const { name, title, operations, groups } = generation;
  const documented = groups.filter((group) => group.operations.length > 0).length;
  return html`
    <article class="card">
      <h3><a href="${name}/index.html">${title}</a></h3>
      ${markdown(ownIntroduction(generation, common))}
      <p class="count">${operations.length} operations in ${documented} groups</p>
      <p class="downloads">
        <a class="button" href="${name}/index.html">Reference</a>
        <a href="${name}/openapi.yaml" download>openapi.yaml</a>
        <a href="${name}/openapi.json" download>openapi.json</a>
      </p>
    </article>
  `;
}

function firstSteps({ name, operations }: Generation, packageName: string): Html {
  const operation = operations.find(({ method }) => method === "get") ?? operations[0];
  const module = `${packageName}/${name}`;
  const samples = operation === undefined ? [] : samplesOf(operation, { module, server: serverUrl(operation) });
  const sourceOf = (language: string) => samples.find((sample) => sample.language === language)?.source ?? "";
  return html`
    <ol class="steps">
      <li>
        <p>
          Send a request with example credentials to the mock server, which <code>npm start</code> runs alongside the
          docs:
        </p>
        ${codeBlock("A first request with curl", sourceOf("curl"))}
      </li>
      <li>
        <p>Or send it from TypeScript with the client from the npm package <code>${packageName}</code>:</p>
        ${codeBlock("A first request from TypeScript", sourceOf("typescript"))}
      </li>
      <li>
        <p>
          Find the operation you need in the <a href="${name}/index.html">reference</a>, which has samples like these
          for every operation. Anything that is not specified is marked there and listed under
          <a href="coverage/index.html">Coverage</a>.
        </p>
      </li>
    </ol>
  `;
}

function codeBlock(label: string, source: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${source}</code></pre>`;
}

function credentialRows({ name, securitySchemes, operations }: Generation): Html[] {
  return [...securitySchemes.values()].map((scheme) => {
    const count = operations.filter(({ security }) => security.flat().includes(scheme)).length;
    return html`
      <tr>
        <th scope="row"><code>${scheme.name}</code></th>
        <td>${name}</td>
        <td><code>${sentAs(scheme)}</code></td>
        <td>${markdown(scheme.description)}</td>
        <td>${count}</td>
      </tr>
    `;
  });
}

/** How the scheme's example credential is written in a request. */
function sentAs({ in: place, parameter, prefix, example }: SecurityScheme): string {
  if (place === "connection") return "a client certificate";
  if (place === "query") return `?${parameter}=${example}`;
  return place === "cookie" ? `Cookie: ${parameter}=${example}` : `${parameter}: ${prefix}${example}`;
}

function groupLists(generation: Generation): Html {
  const slugs = groupSlugs(generation);
  return html`
    <h3>${generation.title}</h3>
    <div class="groups">
      ${generation.sections.map(
        (section) => html`
          <div>
            ${section.name === "" ? undefined : html`<h4>${section.name}</h4>`}
            <ul>
              ${section.groups.map(
                (group) =>
                  html`<li>${groupLink(`${generation.name}/index.html#/${slugs.get(group.name) ?? ""}`, group)}</li> `,
              )}
            </ul>
          </div>
        `,
      )}
    </div>
  `;
}

function groupLink(address: string, { name, operations }: Group): Html {
  const count = operations.length;
  return html`<a href="${address}">${name}</a> <span class="count">${count === 0 ? "none specified" : count}</span>`;
}

function markdown(text: string): Html {
  return trusted(marked.parse(text, { async: false }));
}
