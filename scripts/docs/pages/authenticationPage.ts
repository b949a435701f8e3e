import type { Operation } from "../../contract/generation.ts";
import { resolve } from "../../spec/references.ts";
import { isObject } from "../../spec/json.ts";
import type { SecuritySchemeObject } from "../../spec/openapi.ts";
import { credentialForm, type NeededCredentials, type SecurityScheme } from "../../contract/security.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unspecifiedMarks } from "../parts/fieldList.ts";
import { section } from "../parts/blocks.ts";
import { html, type Html } from "../parts/html.ts";
import { operationLinks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { contextOf, type PageContext } from "../parts/pageContext.ts";
import { authenticationPath, type Site } from "../model/site.ts";
import type { GenerationModel } from "../model/generationModel.ts";

/** The page about the credentials of each generation, how they are sent, and which operations take them. */
export function authenticationPage(site: Site, contents: readonly GenerationModel[]): Page {
  return {
    path: authenticationPath,
    title: "Authentication",
    description: "Which credentials there are, how they are sent, and which operations need them.",
    content: html`<h1>Authentication</h1>
      <p>
        Each operation lists the credentials that it accepts. Where it lists alternatives, any one of them is enough;
        credentials that are listed together go into the same request.
      </p>
      ${contents.map((content) => generationSection(contextOf(site, content.generation, authenticationPath), content))}`,
  };
}

function generationSection(context: PageContext, { generation, operations }: GenerationModel): Html | undefined {
  const { name, title, securitySchemes } = generation;
  const needSection = (need: NeededCredentials["need"], heading: string) => {
    const needing = generation.operations.filter((one) => operations.get(one)?.credentials.need === need);
    if (needing.length === 0) return undefined;
    return html`<section>
      <h3>${heading}</h3>
      ${foldedOperations(context, needing)}
    </section>`;
  };
  const content = html`${[...securitySchemes.values()].map((scheme) => schemeSection(context, scheme))}
  ${needSection("unspecified", "Credentials may or may not be needed")}
  ${needSection("optional", "Credentials are optional")} ${needSection("none", "No credentials are needed")}`;
  return section(name, title, securitySchemes.size === 0 ? html`<p>No operation needs credentials.</p>` : content);
}

function schemeSection(context: PageContext, scheme: SecurityScheme): Html {
  const { generation } = context;
  const { name, description, unspecified } = scheme;
  const operations = generation.operations.filter(({ security }) => security.flat().includes(scheme));
  const source = generation.document.components?.securitySchemes?.[name];
  return html`<section class="scheme">
    <h3 id="${generation.name}-${name}"><code>${name}</code>${unspecifiedMarks(unspecified)}</h3>
    <p class="sent">${sentAs(scheme)}</p>
    ${renderDescription(description, 3)}
    ${source === undefined ? undefined : tokenSources(resolve<SecuritySchemeObject>(generation.document, source))}
    ${foldedOperations(context, operations, "Accepted by ")}
  </section>`;
}

/** The way in which a credential travels, with an example. */
function sentAs(scheme: SecurityScheme): Html {
  const { in: place, parameter, prefix, example } = scheme;
  switch (place) {
    case "connection":
      return html`A client certificate, when the connection is opened (mutual TLS).`;
    case "query":
      return html`In the query: <code>${parameter}=&lt;${scheme.name}&gt;</code>, for example
        <code>${parameter}=${example}</code>`;
    case "cookie":
      return html`In a cookie: <code>Cookie: ${credentialForm(scheme)}</code>, for example
        <code>Cookie: ${parameter}=${example}</code>`;
    case "header":
      return html`In a header: <code>${parameter}: ${credentialForm(scheme)}</code>, for example
        <code>${parameter}: ${prefix}${example}</code>`;
  }
}

/** Where tokens come from: the flows of OAuth 2.0, or the discovery document of OpenID Connect. */
function tokenSources(scheme: SecuritySchemeObject): Html | undefined {
  if (scheme.type === "openIdConnect") {
    return html`<p>OpenID Connect discovery: <code>${scheme.openIdConnectUrl}</code></p>`;
  }
  if (scheme.type !== "oauth2") return undefined;
  const flows = Object.entries(scheme.flows).map(
    ([name, flow]: [string, unknown]) => [name, isObject(flow) ? flow : {}] as const,
  );
  return html`<ul>
    ${flows.map(([name, flow]) => {
      const urls = Object.entries(flow).filter(([key]) => key.endsWith("Url"));
      const scopes = isObject(flow["scopes"]) ? Object.entries(flow["scopes"]) : [];
      return html`<li>
        OAuth 2.0 flow <code>${name}</code>${urls.map(([key, url]) => html`, ${key} <code>${String(url)}</code>`)}
        ${
          scopes.length === 0
            ? undefined
            : html`<ul>
                ${scopes.map(([scope, about]) => html`<li><code>${scope}</code>: ${String(about)}</li> `)}
              </ul>`
        }
      </li> `;
    })}
  </ul>`;
}

/** As long as this, a list is not folded. */
const openLength = 5;

function foldedOperations(context: PageContext, operations: readonly Operation[], words = ""): Html | undefined {
  const list = operationLinks(context, operations);
  if (operations.length <= openLength) return list;
  return html`<details>
    <summary>${words}${operations.length} operations</summary>
    ${list}
  </details>`;
}
