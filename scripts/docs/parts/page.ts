import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { firstLevel, guideSections, type PageLink } from "../model/site.ts";
import type { Flow } from "./pageNodes.ts";

/** A page as data, from which its HTML, its Markdown and its entries of the search are made. */
export interface Page {
  /** Relative to the site's root, as in a link: "" or a folder with a slash at its end, or a file. */
  readonly path: string;
  readonly title: string;
  /** One or two sentences in plain text, for search engines and previews. */
  readonly description: string;
  /** The heading of the page; by default, its title. */
  readonly heading?: Flow;
  /** Links to what the page is part of. */
  readonly crumbs?: readonly PageLink[];
  /** What is at the top of the page, beside its heading: of the start page, and of an operation's. */
  readonly overview?: Flow;
  readonly children: Flow;
  /** The generation, and the group, that the page belongs to. */
  readonly generation?: Generation | undefined;
  readonly group?: Group | undefined;
  /** The operation or webhook that the page describes. */
  readonly operation?: Operation;
  /** Text before links to the site's root, where it does not follow from the path. */
  readonly root?: string;
  /** True if other pages say all that this one says, each thing in its place. */
  readonly saidElsewhere?: boolean;
}

/** Text before links to the site's root from a page with a path. */
export function rootOf(path: string): string {
  return "../".repeat(path.split("/").length - 1) || "./";
}

type PageKind = "generation" | "group" | "guide" | "operation" | "page" | "schema" | "webhook";

export function pageKind({ path, generation, group, operation }: Page): PageKind {
  if (generation === undefined) return sectionOf(path) === undefined ? "page" : "guide";
  if (operation !== undefined) return generation.webhooks.includes(operation) ? "webhook" : "operation";
  if (group !== undefined) return "group";
  return path === `${generation.name}/` ? "generation" : "schema";
}

/** The page of the first level that a page is in, if it's one that guides are in. */
export function sectionOf(path: string): PageLink | undefined {
  return Object.entries(firstLevel).find(
    ([name, top]) => name in guideSections && path.startsWith(top.path) && path !== top.path,
  )?.[1];
}
