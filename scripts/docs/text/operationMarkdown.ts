import { needText } from "../../contract/security.ts";
import { countOf, firstSentence } from "../../contract/text.ts";
import { mockNote } from "../model/mockNote.ts";
import {
  namedSchemas,
  otherStatuses,
  type BodyContent,
  type OperationContent,
  type ResponseContent,
} from "../model/operationContent.ts";
import type { OperationPageOptions } from "../pages/operationPage.ts";
import { readExamples } from "../model/sampledExchanges.ts";
import { addressesOf, authenticationPath, type PageLink, type Site } from "../model/site.ts";
import { markdownExamples } from "./markdownExamples.ts";
import { markdownFields, markdownMarks, markdownMedia, type MarkdownContext } from "./markdownFields.ts";
import type { MarkdownPage } from "./markdownPage.ts";
import { bulletList, codeSpan, joinBlocks, linkTo, placeHeadings } from "./markdownText.ts";

/** The page of an operation or of a webhook, of which `content` is what readers are told. */
export function operationMarkdown(site: Site, options: OperationPageOptions, content: OperationContent): MarkdownPage {
  const { generation, operation, guides } = options;
  const { method, path, title, description, isDeprecated } = operation;
  const examples = markdownExamples(readExamples(site, generation, content));
  const note = content.isWebhook ? undefined : mockNote(operation, site.resources.get(operation));
  return {
    path: addressesOf(site, generation).operations.get(operation) ?? "",
    title,
    subtitle: `${codeSpan(`${method.toUpperCase()} ${path}`)}${isDeprecated ? " · deprecated" : ""}`,
    summary: firstSentence(description),
    level: content.isWebhook ? 3 : 4,
    content: (links) => {
      const context: MarkdownContext = { site, generation, links };
      return joinBlocks([
        overview(context, content),
        placeHeadings(description, 3),
        note,
        ...content.parameters.map((list) => joinBlocks([`## ${list.title}`, markdownFields(context, list.fields)])),
        body(context, content.requestBody),
        responses(context, content.responses),
        examples,
        related(context, content, guides),
      ]);
    },
  };
}

function overview(context: MarkdownContext, content: OperationContent): string {
  const { site, generation, links } = context;
  const { operation, isWebhook, unspecified } = content;
  const addresses = addressesOf(site, generation);
  const group = isWebhook ? undefined : generation.groups.find(({ name }) => name === operation.group);
  const groupPath = group && addresses.groups.get(group);
  const count = unspecified.flatMap(({ phrases }) => phrases).length;
  return bulletList([
    `Part of: ${linkTo(generation.name, links(addresses.generation))}${
      group === undefined || groupPath === undefined ? "" : ` / ${linkTo(group.title, links(groupPath))}`
    }`,
    `Credentials: ${credentials(context, content)}`,
    `Success: ${success(content)}`,
    `Not specified: ${count === 0 ? "nothing" : `${countOf(count, "detail")}, each marked at its place`}`,
  ]);
}

function credentials(
  { links }: MarkdownContext,
  { credentials: { need, alternatives, unspecified: own } }: OperationContent,
) {
  if (need === "none") return `none${markdownMarks(own)}`;
  const listed = alternatives.map((schemes) =>
    schemes
      .map(({ name, unspecified }) => `[${codeSpan(name)}](${links(authenticationPath)})${markdownMarks(unspecified)}`)
      .join(" with "),
  );
  return `${listed.join(", or ")}${needText[need]}${markdownMarks(own)}`;
}

function success({ success: statuses, successUnspecified }: OperationContent): string {
  const codes = statuses.length === 0 ? "no response listed" : statuses.map(codeSpan).join(" or ");
  return codes + markdownMarks(successUnspecified);
}

function body(context: MarkdownContext, content: BodyContent | undefined): string | undefined {
  if (content === undefined) return undefined;
  return joinBlocks([
    "## Request body",
    content.required ? undefined : "The body is optional.",
    placeHeadings(content.description, 3),
    markdownMedia(context, content.media),
  ]);
}

function responses(context: MarkdownContext, contents: readonly ResponseContent[]): string | undefined {
  if (contents.length === 0) return undefined;
  return joinBlocks(["## Responses", ...contents.map((content) => response(context, content))]);
}

function response(context: MarkdownContext, content: ResponseContent): string {
  const { status, description, unspecified, headers, media } = content;
  return joinBlocks([
    `### ${status === "default" ? `${otherStatuses} (\`default\`)` : codeSpan(status)}${markdownMarks(unspecified)}`,
    placeHeadings(description, 4),
    headers.length === 0 ? undefined : "#### Response headers",
    markdownFields(context, headers),
    markdownMedia(context, media),
  ]);
}

/** Links from the operation: the guides that use it, and the schemas of its bodies. */
function related(
  { site, generation, links }: MarkdownContext,
  content: OperationContent,
  guides: readonly PageLink[],
): string | undefined {
  const { schemas } = addressesOf(site, generation);
  const named = namedSchemas(content).map((title) => ({ title, path: schemas.get(title) ?? "" }));
  const lines = [["Guides", guides] as const, ["Schemas", named] as const].flatMap(([label, shown]) =>
    shown.length === 0 ? [] : [`${label}: ${shown.map(({ title, path }) => linkTo(title, links(path))).join(", ")}`],
  );
  return lines.length === 0 ? undefined : joinBlocks(["## Related", bulletList(lines)]);
}
