import { marked } from "marked";
import { listOperations, resolve, type Document, type SecurityScheme } from "../../contract/document.ts";
import { exampleCredential } from "../../contract/exampleRequest.ts";
import { commonIntroduction, commonTitle, ownIntroduction, type DocumentedGeneration } from "../generation.ts";
import { listGroups, listSections, type Group } from "../groups.ts";
import { html, trusted, type Html } from "../html.ts";
import { renderPage, type SiteContext } from "../page.ts";
import { samplesOf } from "../samples/samples.ts";

/** The site's first page: what the service does, its generations, where to start, credentials, groups, downloads. */
export function indexPage(
  site: SiteContext,
  generations: readonly DocumentedGeneration[],
  packageName: string,
): string {
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
          <h2 id="start">Where to start</h2>
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
                  <th scope="col">What it is</th>
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
          <h2 id="machines">For machines</h2>
          <p>
            <a href="llms.txt">llms.txt</a> lists a Markdown page for each group. The descriptions are in
            <a href="#generations">OpenAPI 3.1</a>.
          </p>
        </section>
      </main>
    `,
  });
}

function generationCard(generation: DocumentedGeneration, common: string): Html {
  const { name, document, title } = generation;
  const operations = listOperations(document).length;
  const documented = listGroups(document).filter((group) => group.operations.length > 0).length;
  return html`
    <article class="card">
      <h3><a href="${name}/index.html">${title}</a></h3>
      ${markdown(ownIntroduction(generation, common))}
      <p class="count">${operations} operations in ${documented} groups</p>
      <p class="downloads">
        <a class="button" href="${name}/index.html">Reference</a>
        <a href="${name}/openapi.yaml" download>openapi.yaml</a>
        <a href="${name}/openapi.json" download>openapi.json</a>
      </p>
    </article>
  `;
}

function firstSteps({ name, document }: DocumentedGeneration, packageName: string): Html {
  const entries = listOperations(document);
  const entry = entries.find(({ method }) => method === "get") ?? entries[0];
  const samples = entry === undefined ? [] : samplesOf(document, entry, `${packageName}/${name}`);
  const sourceOf = (lang: string) => samples.find((sample) => sample.lang === lang)?.source ?? "";
  return html`
    <ol class="steps">
      <li>
        <p>
          Send a request with example credentials to the mock that runs beside the docs with <code>npm start</code>:
        </p>
        ${codeBlock("A first request with curl", sourceOf("curl"))}
      </li>
      <li>
        <p>Or from TypeScript, with the client and types of the npm package <code>${packageName}</code>:</p>
        ${codeBlock("A first request from TypeScript", sourceOf("TypeScript"))}
      </li>
      <li>
        <p>
          Find your operation in the <a href="${name}/index.html">reference</a>; each has samples like these. What is
          not known of the service is marked there, and listed under <a href="coverage/index.html">coverage</a>.
        </p>
      </li>
    </ol>
  `;
}

function codeBlock(label: string, source: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${source}</code></pre>`;
}

function credentialRows({ name, document }: DocumentedGeneration): Html[] {
  const schemes = document.components?.securitySchemes ?? {};
  return Object.entries(schemes).map(([schemeName, referenced]) => {
    const scheme = resolve(referenced, schemes);
    const count = listOperations(document).filter(({ operation }) =>
      (operation.security ?? document.security ?? []).some((requirement) => schemeName in requirement),
    ).length;
    return html`
      <tr>
        <th scope="row"><code>${schemeName}</code></th>
        <td>${name}</td>
        <td><code>${sentAs(document, schemeName, scheme)}</code></td>
        <td>${markdown(scheme.description ?? "")}</td>
        <td>${count}</td>
      </tr>
    `;
  });
}

/** How the scheme's example credential is written in a request. */
function sentAs(document: Document, name: string, scheme: SecurityScheme): string {
  const example = exampleCredential(document, name);
  switch (scheme.type) {
    case "apiKey":
      if (scheme.in === "query") return `?${scheme.name}=${example}`;
      return scheme.in === "cookie" ? `Cookie: ${scheme.name}=${example}` : `${scheme.name}: ${example}`;
    case "http":
      return `Authorization: ${scheme.scheme.toLowerCase() === "basic" ? "Basic" : "Bearer"} ${example}`;
    case "oauth2":
    case "openIdConnect":
      return `Authorization: Bearer ${example}`;
    case "mutualTLS":
      return "a client certificate";
  }
}

function groupLists({ name, document, title }: DocumentedGeneration): Html {
  return html`
    <h3>${title}</h3>
    <div class="groups">
      ${listSections(document).map(
        (section) => html`
          <div>
            ${section.name === "" ? undefined : html`<h4>${section.name}</h4>`}
            <ul>
              ${section.groups.map((group) => html`<li>${groupLink(name, group)}</li> `)}
            </ul>
          </div>
        `,
      )}
    </div>
  `;
}

function groupLink(generation: string, { name, slug, operations }: Group): Html {
  const count = operations.length;
  return html`<a href="${generation}/index.html#/${slug}">${name}</a>
    <span class="count">${count === 0 ? "none shown" : count}</span>`;
}

function markdown(text: string): Html {
  return trusted(marked.parse(text, { async: false }));
}
