import { commonIntroduction } from "../introduction.ts";
import { credentialForm, type SecurityScheme } from "../../contract/security.ts";
import { unspecifiedText } from "../fields.ts";
import type { OperationContent } from "../operationContent.ts";
import { addressesOf, authenticationPath, downloadsPath, guidesPath, unspecifiedPath, type Site } from "../site.ts";
import { markdownMarks } from "./markdownFields.ts";
import type { Links, MarkdownPage } from "./markdownPage.ts";
import { bulletList, codeSpan, escapeMarkdown, joinBlocks, linkTo, placeHeadings } from "./markdownText.ts";

/** The site's first page, which leads to the others. */
export function startMarkdown(site: Site, others: readonly MarkdownPage[]): MarkdownPage {
  const summary = commonIntroduction(site.generations);
  return {
    path: "",
    title: site.title,
    summary,
    level: 1,
    content: () => summary,
    index: (links) =>
      joinBlocks([
        "## Generations",
        bulletList(
          site.generations.map(
            (generation) =>
              `${linkTo(generation.title, links(addressesOf(site, generation).generation))}: ${escapeMarkdown(generation.summary)}`,
          ),
        ),
        "## More",
        bulletList(others.map(({ title, path }) => linkTo(title, links(path)))),
      ]),
  };
}

/** What the guides have in common: the list of them. */
export function guidesMarkdown(guides: readonly MarkdownPage[]): MarkdownPage {
  return {
    path: guidesPath,
    title: "Guides",
    summary: "What people do with the service, step by step.",
    level: 2,
    content: () => "",
    index: (links) =>
      bulletList(guides.map(({ title, path, summary }) => `${linkTo(title, links(path))}: ${escapeMarkdown(summary)}`)),
  };
}

/** How requests of each generation are authenticated. */
export function authenticationMarkdown(site: Site): MarkdownPage {
  return {
    path: authenticationPath,
    title: "Authentication",
    summary: "The credentials of each generation, and how requests carry them.",
    level: 2,
    content: () =>
      joinBlocks(
        site.generations.flatMap(({ title, securitySchemes }) => [
          `## ${escapeMarkdown(title)}`,
          ...[...securitySchemes.values()].map(schemeMarkdown),
        ]),
      ),
  };
}

function schemeMarkdown(scheme: SecurityScheme): string {
  const { name, description, unspecified } = scheme;
  return joinBlocks([
    `### ${codeSpan(name)}${markdownMarks(unspecified)}`,
    `Sent as: ${carrierText(scheme)}`,
    placeHeadings(description, 4),
  ]);
}

/** Where a credential travels, and how it is written there. */
function carrierText(scheme: SecurityScheme): string {
  const { in: place, parameter } = scheme;
  switch (place) {
    case "header":
      return codeSpan(`${parameter}: ${credentialForm(scheme)}`);
    case "query":
      return `query parameter ${codeSpan(`${parameter}=${credentialForm(scheme)}`)}`;
    case "cookie":
      return `cookie ${codeSpan(credentialForm(scheme))}`;
    case "connection":
      return "a client certificate (mutual TLS)";
  }
}

/** Everything that is not specified, with links to where that is said. */
export function unspecifiedMarkdown(site: Site, contents: readonly (readonly OperationContent[])[]): MarkdownPage {
  return {
    path: unspecifiedPath,
    title: "Not specified",
    summary: "What the descriptions leave open, by operation.",
    level: 2,
    content: () => "",
    index: (links) =>
      joinBlocks(
        site.generations.flatMap((generation, index) => [
          `## ${escapeMarkdown(generation.title)}`,
          bulletList(
            (contents[index] ?? [])
              .filter(({ unspecified }) => unspecified.length > 0)
              .map((content) => {
                const path = addressesOf(site, generation).operations.get(content.operation) ?? "";
                return unspecifiedOfOperation(links, path, content);
              }),
          ),
        ]),
      ),
  };
}

function unspecifiedOfOperation(links: Links, path: string, { operation, unspecified }: OperationContent): string {
  const places = unspecified.map(
    ({ place, phrases }) =>
      `${place === "" ? "" : `${escapeMarkdown(place)}: `}${escapeMarkdown(phrases.map(unspecifiedText).join(", "))}`,
  );
  return `${linkTo(operation.title, links(path))} (${codeSpan(operation.name)})\n${bulletList(places)}`;
}

/** The descriptions as files, for tools. */
export function downloadsMarkdown(site: Site): MarkdownPage {
  return {
    path: downloadsPath,
    title: "Downloads",
    summary: "The OpenAPI descriptions as files, for tools.",
    level: 2,
    content: (links) =>
      bulletList(
        site.generations.flatMap(({ title, name }) => [
          linkTo(`${title}: OpenAPI, YAML`, links(`${name}/openapi.yaml`)),
          linkTo(`${title}: OpenAPI, JSON`, links(`${name}/openapi.json`)),
        ]),
      ),
  };
}
