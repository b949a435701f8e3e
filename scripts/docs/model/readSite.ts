import { defaultMockUrl } from "../../contract/defaultAddress.ts";
import { serverUrl, type Generation } from "../../contract/generation.ts";
import { readResources } from "../../contract/resources.ts";
import { commonTitle, readGenerationModel } from "./generationModel.ts";
import { firstLevel, guidePath, type Site, type SiteOptions, type TopPage } from "./site.ts";

/** Collects the facts of a site: what it is made from, and what follows from that. */
export function readSite(options: SiteOptions): Site {
  const { mockUrl = defaultMockUrl, servers, guides = [], workflows = [] } = options;
  const generations = withOwnTitles(options.generations).toReversed();
  return {
    ...options,
    title: commonTitle(generations),
    generations,
    contents: generations.map(readGenerationModel),
    guides,
    workflows,
    resources: readResources(generations.toReversed()),
    serverOf: (operation) => {
      const generation = generations.find(({ document }) => document === operation.document);
      const server = servers?.get(generation?.name ?? "") ?? options.mockUrl ?? serverUrl(operation);
      return { url: server, isMock: server === mockUrl };
    },
    topPages: topPages(options),
  };
}

/** Generations whose titles are the same, told apart by their versions. */
function withOwnTitles(generations: readonly Generation[]): readonly Generation[] {
  return generations.map((generation) => {
    const { title, document } = generation;
    const isShared = generations.some((other) => other !== generation && other.title === title);
    return isShared ? { ...generation, title: `${title} ${document.info?.version ?? ""}`.trim() } : generation;
  });
}

/** The top-level pages: those with guides, if there are any, and the others. */
function topPages({ guides = [], workflows = [], changelog }: SiteOptions): readonly TopPage[] {
  const tasks = workflows.map(({ id, title }) => ({ title, path: guidePath(id) }));
  const places = Object.entries(firstLevel).map(([name, top]): TopPage => {
    const own = guides.filter(({ section }) => section === name);
    return { ...top, pages: top === firstLevel.guides ? [...own, ...tasks] : own };
  });
  const { authentication, errors, unspecified, changelog: releases, downloads } = firstLevel;
  const withGuides = places.filter(({ pages = [] }) => pages.length > 0);
  return [
    ...withGuides,
    authentication,
    errors,
    unspecified,
    ...(changelog === undefined ? [] : [releases]),
    downloads,
  ];
}
