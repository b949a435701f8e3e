import type { Operation } from "../../contract/generation.ts";
import { credentialForm, type SecurityScheme } from "../../contract/security.ts";
import { countOf } from "../../contract/text.ts";
import { authenticationNote } from "../pages/authenticationPage.ts";
import { addressesOf, authenticationPath, type Site } from "../model/site.ts";
import type { GenerationContent } from "../model/unspecifiedEntries.ts";
import { markdownMarks } from "./markdownFields.ts";
import type { Links, MarkdownPage } from "./markdownPage.ts";
import { codeSpan, escapeMarkdown, joinBlocks, placeHeadings } from "./markdownText.ts";
import { operationList } from "./operationList.ts";

/** The credentials of each generation, how they are sent, and the operations that take them. */
export function authenticationMarkdown(site: Site, contents: readonly GenerationContent[]): MarkdownPage {
  return {
    path: authenticationPath,
    title: "Authentication",
    summary: "Which credentials there are, how they are sent, and which operations need them.",
    level: 2,
    content: () =>
      joinBlocks([
        authenticationNote,
        ...contents.flatMap(({ generation: { title, securitySchemes } }) => [
          `## ${escapeMarkdown(title)}`,
          securitySchemes.size === 0 ? "No operation needs credentials." : undefined,
          ...[...securitySchemes.values()].map(schemeSection),
        ]),
      ]),
    index: (links) =>
      joinBlocks([
        "## Operations by credentials",
        ...contents.map((content) => operationsByCredentials(site, content, links)),
      ]),
  };
}

function schemeSection(scheme: SecurityScheme): string {
  const { name, description, unspecified } = scheme;
  return joinBlocks([
    `### ${codeSpan(name)}${markdownMarks(unspecified)}`,
    sentAs(scheme),
    placeHeadings(description, 4),
  ]);
}

/** How a credential travels, with an example. */
function sentAs(scheme: SecurityScheme): string {
  const { name, in: place, parameter, prefix, example } = scheme;
  switch (place) {
    case "connection":
      return "A client certificate, when the connection is opened (mutual TLS).";
    case "query":
      return `In the query: ${codeSpan(`${parameter}=<${name}>`)}, for example ${codeSpan(`${parameter}=${example}`)}`;
    case "cookie":
      return `In a cookie: ${codeSpan(`Cookie: ${credentialForm(scheme)}`)}, for example ${codeSpan(`Cookie: ${parameter}=${example}`)}`;
    case "header":
      return `In a header: ${codeSpan(`${parameter}: ${credentialForm(scheme)}`)}, for example ${codeSpan(`${parameter}: ${prefix}${example}`)}`;
  }
}

function operationsByCredentials(site: Site, { generation, operations }: GenerationContent, links: Links): string {
  const { name, securitySchemes } = generation;
  const addresses = addressesOf(site, generation);
  const section = (title: string, listed: readonly Operation[], sentence?: string) =>
    listed.length === 0
      ? undefined
      : joinBlocks([`### ${title} (${name})`, sentence, operationList(addresses, links, listed)]);
  const needing = (need: string) =>
    generation.operations.filter((operation) => operations.get(operation)?.credentials.need === need);
  return joinBlocks([
    ...[...securitySchemes.values()].map((scheme) => {
      const listed = generation.operations.filter(({ security }) => security.flat().includes(scheme));
      const count = `Accepted by ${countOf(listed.length, "operation")}:`;
      return section(codeSpan(scheme.name), listed, count);
    }),
    section("Credentials may or may not be needed", needing("unspecified")),
    section("Credentials are optional", needing("optional")),
    securitySchemes.size === 0 ? undefined : section("No credentials are needed", needing("none")),
  ]);
}
