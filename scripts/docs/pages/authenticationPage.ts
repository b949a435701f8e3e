import type { Generation, Operation } from "../../contract/generation.ts";
import { resolve } from "../../spec/references.ts";
import { isObject } from "../../spec/json.ts";
import type { SecuritySchemeObject } from "../../spec/openapi.ts";
import { credentialForm, type SecurityScheme } from "../../contract/security.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unspecifiedMarks } from "../parts/fieldList.ts";
import { html, type Html } from "../parts/html.ts";
import type { OperationContent } from "../model/operationContent.ts";
import { operationLinks, type LinkContext } from "../parts/operationLinks.ts";
import { rootOf, type Page } from "../parts/page.ts";
import { addressesOf, authenticationPath, type Site } from "../model/site.ts";
import type { GenerationContent } from "../model/unspecifiedEntries.ts";

/** Which credentials there are in each generation, how they are sent, and which operations take them. */
export function authenticationPage(site: Site, contents: readonly GenerationContent[]): Page {
  const root = rootOf({ path: authenticationPath });
  return {
    path: authenticationPath,
    title: "Authentication",
    description: "Which credentials there are, how they are sent, and which operations need them.",
    hasMarkdown: true,
    content: html`<h1>Authentication</h1>
      <p>${authenticationNote}</p>
      ${contents.map((content) => {
        const context = { addresses: addressesOf(site, content.generation), root };
        return generationSection(context, content);
      })}`,
  };
}

/** How to read what an operation says of its credentials. */
const authenticationNote =
  "Each operation lists the credentials that it accepts. Where it lists alternatives, any one of them is enough; credentials that are listed together go into the same request.";

function generationSection(context: LinkContext, { generation, operations }: GenerationContent): Html {
  const { name, title, securitySchemes } = generation;
  const listed = generation.operations.flatMap((operation) => operations.get(operation) ?? []);
  const needing = (need: OperationContent["credentials"]["need"]) =>
    listed.filter(({ credentials }) => credentials.need === need).map(({ operation }) => operation);
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}">${title}</h2>
    ${
      securitySchemes.size === 0
        ? html`<p>No operation needs credentials.</p>`
        : [...securitySchemes.values()].map((scheme) => schemeSection(context, generation, scheme))
    }
    ${needSection(context, "Credentials may or may not be needed", needing("unspecified"))}
    ${needSection(context, "Credentials are optional", needing("optional"))}
    ${securitySchemes.size === 0 ? undefined : needSection(context, "No credentials are needed", needing("none"))}
  </section>`;
}

function schemeSection(context: LinkContext, generation: Generation, scheme: SecurityScheme): Html {
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

/** How a credential travels, with an example. */
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

function needSection(context: LinkContext, title: string, operations: readonly Operation[]): Html | undefined {
  if (operations.length === 0) return undefined;
  return html`<section>
    <h3>${title}</h3>
    ${foldedOperations(context, operations)}
  </section>`;
}

/** As long as this, a list is not folded. */
const openLength = 5;

function foldedOperations(context: LinkContext, operations: readonly Operation[], words = ""): Html | undefined {
  const list = operationLinks(context, operations);
  if (operations.length <= openLength) return list;
  return html`<details>
    <summary>${words}${operations.length} operations</summary>
    ${list}
  </details>`;
}
