import type { Generation } from "../../contract/generation.ts";
import { getOrCreate } from "../../values/collections.ts";
import { slugOf } from "../../values/text.ts";
import { firstLevel, guidePath, pagesOf, type PageLink, type Site } from "../model/site.ts";
import { section } from "./blocks.ts";
import { flowText } from "./flowText.ts";
import { isKind, type Flow, type FlowNode, type SectionNode } from "./pageNodes.ts";
import { readDescription } from "./readDescription.ts";

/** The description of a generation, divided into sections. */
export interface DescriptionSections {
  /** The content above the first heading of the highest level. */
  readonly introduction: Flow;
  readonly sections: readonly SectionNode[];
}

export function readDescriptionSections({ description }: Generation): DescriptionSections {
  const flow = readDescription(description, 1);
  const isSection = (node: FlowNode) => isKind(node, "section");
  const first = flow.findIndex(isSection);
  if (first === -1) return { introduction: flow, sections: [] };
  return { introduction: flow.slice(0, first), sections: flow.slice(first).filter(isSection) };
}

/**
 * The page for a section of a generation's description, if a page with the same title exists. The section is
 * shown there instead of on the generation's page. `undefined` if there is none, or if there are links
 * between parts of the description.
 */
export function pageOfSection(site: Site, generation: Generation, one: SectionNode): PageLink | undefined {
  const slug = slugOf(flowText(one.heading));
  if (hasInnerLinks(generation) || one.children.some((node) => isKind(node, "section"))) return undefined;
  const pages = [firstLevel.authentication, firstLevel.errors, ...pagesOf(site, firstLevel.about)];
  return pages.find(({ path }) => path === `${slug}/` || path === guidePath(slug, "about"));
}

const known = new WeakMap<Generation, boolean>();

function hasInnerLinks(generation: Generation): boolean {
  const { description } = generation;
  return getOrCreate(known, generation, () => description.includes("](#") || description.includes('href="#'));
}

/** The text in a generation's description on the subject of a page, without its heading. */
export function descriptionFlow(site: Site, generation: Generation, page: PageLink): Flow {
  const { sections } = readDescriptionSections(generation);
  return sections.flatMap((one) => (pageOfSection(site, generation, one)?.path === page.path ? one.children : []));
}

/** The texts of all generations on a subject, each below the generation's name. */
export function describedSections(site: Site, page: PageLink): readonly SectionNode[] {
  return site.generations.flatMap((generation) => {
    const flow = descriptionFlow(site, generation, page);
    return flow.length === 0 ? [] : [section(generation.name, generation.name, flow)];
  });
}
