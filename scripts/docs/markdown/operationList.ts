import type { Operation } from "../../contract/generation.ts";
import type { Addresses } from "../addresses.ts";
import type { Links } from "./markdownPage.ts";
import { bulletList, codeSpan, linkTo } from "./markdownText.ts";

/** Links to operations, each with its method and path. */
export function operationList({ operations: addresses }: Addresses, links: Links, operations: readonly Operation[]) {
  return bulletList(operations.map((operation) => operationItem(links(addresses.get(operation) ?? ""), operation)));
}

/** A link to an operation, with its method and path. */
export function operationItem(address: string, { title, method, path, isDeprecated }: Operation): string {
  const mark = isDeprecated ? " · deprecated" : "";
  return `${linkTo(title, address)}: ${codeSpan(`${method.toUpperCase()} ${path}`)}${mark}`;
}
