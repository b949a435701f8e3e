import type { Generation } from "../../contract/generation.ts";
import { recall, slugOf } from "../../contract/text.ts";
import { firstLevel, guidePath, pagesOf, type PageLink, type Site } from "../model/site.ts";
import { section } from "./blocks.ts";
import { flowText } from "./flowText.ts";
import type { Flow, SectionNode } from "./pageNodes.ts";
import { readDescription } from "./readDescription.ts";

/** The description of a generation, taken apart. */
export interface DescriptionSections {
  /** What is above the first of its highest headings. */
  readonly introduction: Flow;
  readonly sections: readonly SectionNode[];
}

export function readDescriptionSections({ description }: Generation): DescriptionSections {
  const flow = readDescription(description, 1);
  const first = flow.findIndex(isSection);
  if (first === -1) return { introduction: flow, sections: [] };
  return { introduction: flow.slice(0, first), sections: flow.slice(first).filter(isSection) };
}

function isSection(node: Flow[number]): node is SectionNode {
  return typeof node === "object" && node.kind === "section";
}

/**
 * The page of the site that a section of a generation's description is on instead of the generation's page: one that is
 * about the same, by its name. Nothing if there is none, or if links lead from one part of the description to another.
 */
export function pageOfSection(site: Site, generation: Generation, one: SectionNode): PageLink | undefined {
  const slug = slugOf(flowText(one.heading));
  if (hasInnerLinks(generation) || one.children.some(isSection)) return undefined;
  const pages = [firstLevel.authentication, firstLevel.errors, ...pagesOf(site, firstLevel.about)];
  return pages.find(({ path }) => path === `${slug}/` || path === guidePath(slug, "about"));
}

const known = new WeakMap<Generation, boolean>();

function hasInnerLinks(generation: Generation): boolean {
  return recall(known, generation, () => /\]\(#|href="#/.test(generation.description));
}

/** What the description of a generation says of a page's subject, without a heading of its own. */
export function descriptionFlow(site: Site, generation: Generation, page: PageLink): Flow {
  const { sections } = readDescriptionSections(generation);
  return sections.flatMap((one) => (pageOfSection(site, generation, one)?.path === page.path ? one.children : []));
}

/** The same of all generations, each below its name. */
export function describedSections(site: Site, page: PageLink): readonly SectionNode[] {
  return site.generations.flatMap((generation) => {
    const flow = descriptionFlow(site, generation, page);
    return flow.length === 0 ? [] : [section(generation.name, generation.name, flow)];
  });
}
