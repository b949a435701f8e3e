import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { firstLevel, guideSections, type PageLink, type SourcePlace } from "../model/site.ts";
import type { Flow } from "./pageNodes.ts";

/** A page as data. Its HTML, its Markdown and its search entries are made from this. */
export interface Page {
  /** Relative to the site's root, as in a link: empty, a folder with a trailing slash, or a file. */
  readonly path: string;
  readonly title: string;
  /** One or two sentences in plain text, for search engines and previews. */
  readonly description: string;
  /** The heading of the page. Default: its title. */
  readonly heading?: Flow;
  /** Links to the pages that contain this one. */
  readonly crumbs?: readonly PageLink[];
  /** The content beside the heading at the top, on the start page and operations' pages. */
  readonly overview?: Flow;
  readonly children: Flow;
  /** The generation and the group of the page. */
  readonly generation?: Generation | undefined;
  readonly group?: Group | undefined;
  /** The operation or webhook that the page describes. */
  readonly operation?: Operation;
  /** What the page is made from: a part of the generation's bundle as a JSON Pointer, or a place in a file. */
  readonly source?: string | SourcePlace;
  /** The prefix of links to the site's root, if it doesn't follow from the path. */
  readonly root?: string;
  /** True if other pages repeat all of this page's content. */
  readonly saidElsewhere?: boolean;
}

/** The prefix of links to the site's root from a page. */
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

/** The top-level page that lists a guide's page. */
export function sectionOf(path: string): PageLink | undefined {
  return Object.entries(firstLevel).find(
    ([name, top]) => name in guideSections && path.startsWith(top.path) && path !== top.path,
  )?.[1];
}
