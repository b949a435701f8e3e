import { firstSentence } from "../../contract/text.ts";
import type { Operation } from "../../contract/generation.ts";
import type { Addresses } from "../model/addresses.ts";
import type { Links } from "./markdownPage.ts";
import { bulletList, codeSpan, escapeMarkdown, linkTo } from "./markdownText.ts";

/** Links to operations, each with its method and path, and what its description says first if that is asked for. */
export function operationList(
  addresses: Addresses,
  links: Links,
  operations: readonly Operation[],
  { described = false }: { readonly described?: boolean } = {},
): string {
  return bulletList(
    operations.map((operation) => {
      const { title, name, description, isDeprecated } = operation;
      const link = linkTo(title, links(addresses.operations.get(operation) ?? ""));
      const sentence = described ? escapeMarkdown(firstSentence(description)) : "";
      const mark = isDeprecated ? " · deprecated" : "";
      return `${link}${mark}: ${codeSpan(name)}${sentence === "" ? "" : `. ${sentence}`}`;
    }),
  );
}
