import type { Generation } from "../../contract/generation.ts";
import { isObject } from "../../values/json.ts";
import { resolve, type SecuritySchemeObject } from "../../spec/openapi.ts";
import {
  authenticationGap,
  credentialForm,
  type NeededCredentials,
  type SecurityScheme,
} from "../../contract/security.ts";
import { readDescription } from "../parts/readDescription.ts";
import { descriptionFlow } from "../parts/descriptionSections.ts";
import { unspecifiedMark } from "../parts/fieldList.ts";
import { bold, code, list, paragraph, row, section, span, subsection, table } from "../parts/blocks.ts";
import type { Block, Cell, Flow, SectionNode } from "../parts/pageNodes.ts";
import { operationLink, scopeWords } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { firstLevel, type Site } from "../model/site.ts";
import { ownTitle, type GenerationModel } from "../model/generationModel.ts";

/** The page about the credentials of each generation, how they are sent, and which operations accept them. */
export function authenticationPage(site: Site): Page {
  return {
    ...firstLevel.authentication,
    description: "The types of credentials, how they are sent, and which operations need them.",
    children: [paragraph([introduction]), ...site.contents.map((content) => generationSection(site, content))],
  };
}

const introduction =
  "Each operation lists the credentials that it accepts. If it lists alternatives, any one of them is enough. " +
  "Credentials that are listed together go into the same request.";

const tableNote =
  "“Needed” means that these are the only credentials, “one of 2” means that there are two alternatives, and " +
  "“not specified” means that it is unknown whether credentials are needed. Neither the samples nor the form that " +
  "tries an operation send credentials to the target of a redirect.";

function generationSection(site: Site, content: GenerationModel): SectionNode {
  const { name, securitySchemes } = content.generation;
  const title = ownTitle(content.generation, site.generations);
  const described = descriptionFlow(site, content.generation, firstLevel.authentication);
  if (securitySchemes.size === 0) {
    return section(name, title, [...described, paragraph(["No operation needs credentials."])]);
  }
  const schemes = mostUsedFirst(content.generation).map((scheme) => schemeSection(content.generation, scheme));
  const about = described.length === 0 ? [] : [subsection(3, "About these credentials", described, `${name}-about`)];
  return section(name, title, [...schemes, ...about, credentialMatrix(content)]);
}

/** The page begins with what most readers send. */
function mostUsedFirst({ operations, securitySchemes }: Generation): readonly SecurityScheme[] {
  const named = operations.map(({ security }) => new Set(security.flat().map(({ name }) => name)));
  const uses = ({ name }: SecurityScheme) => named.filter((names) => names.has(name)).length;
  return [...securitySchemes.values()].toSorted((a, b) => uses(b) - uses(a));
}

function schemeSection(generation: Generation, scheme: SecurityScheme): SectionNode {
  const { name, description, unspecified } = scheme;
  const source = generation.document.components?.securitySchemes?.[name];
  const resolved = source && resolve<SecuritySchemeObject>(generation.document, source);
  const sources = resolved === undefined ? [] : tokenSources(resolved);
  const children = [...sentAs(scheme), ...readDescription(description, 3), ...sources];
  return {
    ...subsection(3, [code(name)], children, `${generation.name}-${name}`),
    marks: unspecifiedMark(unspecified),
    frame: { tag: "section", attributes: { class: "scheme" } },
  };
}

/** Which operation accepts which credentials, and whether there are alternatives. */
function credentialMatrix({ generation, operations }: GenerationModel): SectionNode {
  const uses = generation.operations.map((operation) => {
    const { need = "none", alternatives = [], unspecified = [] } = operations.get(operation)?.credentials ?? {};
    const gaps = unspecified.filter((gap) => gap !== authenticationGap);
    const accepted = alternatives.map((schemes) => schemes.map(({ name }) => name).join(" with "));
    return { operation, need, accepted, gaps, scopes: alternatives.map((schemes) => schemes.flatMap(scopeWords)) };
  });
  const names = [...new Set(uses.flatMap(({ accepted }) => accepted))];
  const rows = uses.map(({ operation, need, accepted, gaps, scopes }) => {
    const title: Flow = [...operationLink(generation, operation), ...(need === "none" ? [", none needed"] : [])];
    const method = { kind: "method", method: operation.method } as const;
    const mark = needMark(need, accepted.length, gaps);
    const others = names.map((name): Cell => {
      if (!accepted.includes(name)) return { children: ["–"], attributes: { class: "none" } };
      return { children: [...mark, ...(scopes[accepted.indexOf(name)] ?? [])], attributes: { "data-label": name } };
    });
    return row([method, " ", { kind: "mark", tag: "span", children: title }], others);
  });
  const titles = names.map((text) => ({ kind: "name", text }) as const);
  const children = [paragraph([tableNote]), table("comparison stacked", ["Operation", ...titles], rows)];
  return subsection(3, "Credentials of each operation", children, `${generation.name}-operations`);
}

/**
 * Describes a credential's role among its alternatives: the only one, one of several, or possibly not needed. With
 * `gaps`, there may be other alternatives.
 */
function needMark(need: NeededCredentials["need"], count: number, gaps: readonly string[]): Flow {
  const among = count === 1 ? "" : `one of ${String(count)} `;
  if (need === "unspecified") return [among, span("unspecified", "not specified"), ...unspecifiedMark(gaps)];
  if (need === "optional") return [among, need, ...unspecifiedMark(gaps)];
  if (gaps.length > 0) return [among === "" ? "accepted" : among, ...unspecifiedMark(gaps)];
  return [count === 1 ? bold("needed") : among];
}

/** Where a credential goes, and an example to copy. */
function sentAs(scheme: SecurityScheme): readonly Block[] {
  const { in: place, name, parameter, prefix, example } = scheme;
  if (place === "connection") {
    return [paragraph(["A client certificate, when the connection is opened (mutual TLS)."])];
  }
  const form = place === "query" ? `<${name}>` : credentialForm(scheme).replace(`${parameter}=`, "");
  const before = { query: `${parameter}=`, cookie: `Cookie: ${parameter}=`, header: `${parameter}: ` }[place];
  const where = place === "query" ? "In the query: " : `In a ${place}: `;
  const source = before + prefix + example;
  return [paragraph([where, code(before + form)]), { kind: "codeBlock", source, language: "http" }];
}

/** Where tokens come from: the flows of OAuth 2.0, or the discovery document of OpenID Connect. */
function tokenSources(scheme: SecuritySchemeObject): readonly Block[] {
  if (scheme.type === "openIdConnect") {
    return [paragraph(["OpenID Connect discovery: ", code(scheme.openIdConnectUrl)])];
  }
  if (scheme.type !== "oauth2") return [];
  return list(Object.entries(scheme.flows).map(([name, flow]: [string, unknown]) => flowSource(name, flow)));
}

/** A flow of OAuth 2.0: its URLs, and its scopes with their descriptions. */
function flowSource(name: string, flow: unknown): Flow {
  const { scopes, ...others } = isObject(flow) ? flow : {};
  const urls = Object.entries(others).flatMap(([key, url]) => [`, ${key} `, code(String(url))]);
  const items = Object.entries(isObject(scopes) ? scopes : {}).map(([scope, about]) => {
    return [code(scope), `: ${String(about)}`];
  });
  return ["OAuth 2.0 flow ", code(name), ...urls, ...list(items)];
}
