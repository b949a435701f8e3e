import type { Generation } from "../../contract/generation.ts";
import { isObject } from "../../spec/json.ts";
import { resolve, type SecuritySchemeObject } from "../../spec/openapi.ts";
import { credentialForm, type NeededCredentials, type SecurityScheme } from "../../contract/security.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { unspecifiedMarks } from "../parts/fieldList.ts";
import { list, section, table } from "../parts/blocks.ts";
import { html, nameText, type Html } from "../parts/html.ts";
import { methodBadge, operationLink } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { firstLevel } from "../model/site.ts";
import type { GenerationModel } from "../model/generationModel.ts";

/** The page about the credentials of each generation, how they are sent, and which operations take them. */
export function authenticationPage(contents: readonly GenerationModel[]): Page {
  return {
    ...firstLevel.authentication,
    description: "Which credentials there are, how they are sent, and which operations need them.",
    content: html`<h1>Authentication</h1>
      <p>
        Each operation lists the credentials that it accepts. Where it lists alternatives, any one of them is enough;
        credentials that are listed together go into the same request. In the tables, “needed” means that there is no
        other way, “one of 2” that there are two ways, and “not specified” that credentials may or may not be needed.
      </p>
      ${contents.map(generationSection)}`,
  };
}

function generationSection(content: GenerationModel): Html | undefined {
  const { name, title, securitySchemes } = content.generation;
  const known = html`${[...securitySchemes.values()].map((scheme) => schemeSection(content.generation, scheme))}
  ${credentialMatrix(content)}`;
  return section(name, title, securitySchemes.size === 0 ? html`<p>No operation needs credentials.</p>` : known);
}

function schemeSection(generation: Generation, scheme: SecurityScheme): Html {
  const { name, description, unspecified } = scheme;
  const source = generation.document.components?.securitySchemes?.[name];
  return html`<section class="scheme">
    <h3 id="${generation.name}-${name}"><code>${name}</code>${unspecifiedMarks(unspecified)}</h3>
    <p class="sent">${sentAs(scheme)}</p>
    ${renderDescription(description, 3)}
    ${source && tokenSources(resolve<SecuritySchemeObject>(generation.document, source))}
  </section>`;
}

/** Which operation takes which credentials, and whether these are the only ones. */
function credentialMatrix({ generation, operations }: GenerationModel): Html {
  const uses = generation.operations.map((operation) => {
    const { need = "none", alternatives = [] } = operations.get(operation)?.credentials ?? {};
    return { operation, need, accepted: alternatives.map((schemes) => schemes.map(({ name }) => name).join(" with ")) };
  });
  const columns = [...new Set(uses.flatMap(({ accepted }) => accepted))];
  const rows = uses.map(({ operation, need, accepted }) => {
    const mark = needMark(need, accepted.length);
    return html`<tr>
      <th scope="row">
        ${methodBadge(operation.method)}
        <span>${operationLink(generation, operation)}${need === "none" && ", none needed"}</span>
      </th>
      ${columns.map((names) => (accepted.includes(names) ? html`<td data-label="${names}">${mark}</td> ` : html`<td class="none">–</td> `))}
    </tr> `;
  });
  return html`<h3 id="${generation.name}-operations">Credentials of each operation</h3>
    ${table("comparison stacked", ["Operation", ...columns.map(nameText)], rows)}`;
}

/** Of a number of alternatives, whether one is the only one, and whether any is needed. */
function needMark(need: NeededCredentials["need"], count: number): Html {
  const among = count === 1 ? "" : `one of ${String(count)} `;
  if (need === "unspecified") return html`${among}<span class="unspecified">not specified</span>`;
  return need === "required" && count === 1 ? html`<b>needed</b>` : html`${among}${need === "optional" ? need : ""}`;
}

function sentAs(scheme: SecurityScheme): Html {
  const { in: place, name, parameter, prefix, example } = scheme;
  if (place === "connection") return html`A client certificate, when the connection is opened (mutual TLS).`;
  const form = place === "query" ? `<${name}>` : credentialForm(scheme).replace(`${parameter}=`, "");
  const before = { query: `${parameter}=`, cookie: `Cookie: ${parameter}=`, header: `${parameter}: ` }[place];
  return html`In ${place === "query" ? "the" : "a"} ${place}: <code>${before}${form}</code>, for example
    <code>${before}${prefix}${example}</code>`;
}

/** Where tokens come from: the flows of OAuth 2.0, or the discovery document of OpenID Connect. */
function tokenSources(scheme: SecuritySchemeObject): Html | undefined {
  if (scheme.type === "openIdConnect") {
    return html`<p>OpenID Connect discovery: <code>${scheme.openIdConnectUrl}</code></p>`;
  }
  if (scheme.type !== "oauth2") return undefined;
  const flows = Object.entries(scheme.flows).map(([name, flow]: [string, unknown]) => {
    const { scopes, ...others } = isObject(flow) ? flow : {};
    const urls = Object.entries(others).map(([key, url]) => html`, ${key} <code>${String(url)}</code>`);
    const items = Object.entries(isObject(scopes) ? scopes : {}).map(
      ([scope, about]) => html`<code>${scope}</code>: ${String(about)}`,
    );
    return html`OAuth 2.0 flow <code>${name}</code>${urls}${list(items)}`;
  });
  return list(flows);
}
