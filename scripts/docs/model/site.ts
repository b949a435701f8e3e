import type { TextFile } from "../../command/files.ts";
import type { Changelog } from "../../contract/changelog.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import type { ResourceOperation } from "../../contract/resources.ts";
import type { Workflow } from "../../workflows/readWorkflows.ts";
import type { GenerationModel } from "./generationModel.ts";
import type { Guide, Synonym } from "./guides.ts";

/** What a site is made from. */
export interface SiteOptions {
  readonly generations: readonly Generation[];
  /** The npm package with the clients. Without it, there are no samples that use one. */
  readonly packageName?: string | undefined;
  /** The URL of the site, with a trailing slash. */
  readonly url?: string | undefined;
  /** The mock that serves the pages and receives the samples' requests. Without it, pages have a mock that answers inside them. */
  readonly mockUrl?: string | undefined;
  /** The servers of samples and forms, by generation. Default: the contract's. */
  readonly servers?: ReadonlyMap<string, string> | undefined;
  readonly guides?: readonly Guide[] | undefined;
  readonly workflows?: readonly Workflow[] | undefined;
  readonly changelog?: Changelog | undefined;
  /** Search terms, and the terms in the docs. */
  readonly synonyms?: readonly Synonym[] | undefined;
  /** SVG. Default: a mark that fits any API. */
  readonly mark?: string | undefined;
  /** Where the sources are. Without it, no page leads to its own. */
  readonly origin?: Origin | undefined;
}

/** Facts shared by all pages of a site. */
export interface Site extends SiteOptions {
  readonly title: string;
  /** The newest first. */
  readonly generations: readonly Generation[];
  /** The facts about each generation. */
  readonly contents: readonly GenerationModel[];
  readonly guides: readonly Guide[];
  readonly workflows: readonly Workflow[];
  /** The effects of operations in the mock, where generations share resources. */
  readonly resources: ReadonlyMap<Operation, ResourceOperation>;
  readonly serverOf: (operation: Operation) => SampleServer;
  readonly topPages: readonly TopPage[];
}

/** What the samples of a site depend on. */
export type SampledSite = Pick<Site, "packageName" | "serverOf">;

/** A place in a file, which is relative to the project's folder. */
export interface SourcePlace {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** Where the sources of pages are. */
export interface Origin {
  /** The repository on GitHub: `https://github.com/OWNER/NAME`. */
  readonly repository: string;
  /** The project's folder in the repository, with a trailing slash. Empty if it is the root. */
  readonly folder: string;
  /** The source of a part of a bundle, by the generation's name and a JSON Pointer. */
  readonly placeOf: (generation: string, pointer: string) => SourcePlace | undefined;
}

/** A site in HTML, with the files that its pages load. */
export interface HtmlSite extends Site {
  /** SVG that uses the colors of the surrounding text, and of `--accent`. */
  readonly mark: string;
  readonly assets: Readonly<
    Record<"styles" | "font" | "icon" | "script" | "search" | "tryIt" | "steps" | "filter", TextFile>
  >;
  readonly searchIndex: readonly TextFile[];
  /** A script that is inlined into each page. */
  readonly script: string;
}

export interface SampleServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly isMock: boolean;
}

export interface PageLink {
  readonly title: string;
  /** A folder relative to the site's root, with a trailing slash. */
  readonly path: string;
}

/** A page of {@link firstLevel} that exists in the site. */
export interface TopPage extends PageLink {
  readonly drawing: (typeof firstLevel)[keyof typeof firstLevel]["drawing"];
  /** The pages that it lists, in reading order. */
  readonly pages?: readonly PageLink[];
}

/** The pages outside of generations, with the names of their icons. */
export const firstLevel = {
  guides: { title: "Guides", path: "guides/", drawing: "book" },
  typescript: { title: "TypeScript client", path: "typescript/", drawing: "code" },
  testing: { title: "Testing", path: "testing/", drawing: "flask" },
  about: { title: "About the API", path: "about/", drawing: "page" },
  authentication: { title: "Authentication", path: "authentication/", drawing: "key" },
  errors: { title: "Errors", path: "errors/", drawing: "warning" },
  unspecified: { title: "Not specified", path: "unspecified/", drawing: "ring" },
  changelog: { title: "Changelog", path: "changelog/", drawing: "clock" },
  downloads: { title: "Downloads", path: "downloads/", drawing: "download" },
} as const;

/** The anchor of a generation's list of groups without operations. */
export const emptyGroupsAnchor = "groups-without-operations";

/** In generations with more operations, pages list only those nearby. */
export const maximumListed = 60;

/** The top-level pages that list guides, with their summaries. */
export const guideSections = {
  guides: "Common tasks with the API, step by step.",
  typescript: "The npm package: a client typed by the contract, with support for errors, pagination and retries.",
  testing: "Test your code against a mock server, in your test runner or beside it.",
  about: "Topics that concern many operations: generations, versions, identifiers, times and pagination.",
} as const;

export type GuideSectionName = keyof typeof guideSections;

/** The path of a guide: by ID for a workflow, and by file name for a text. */
export function guidePath(name: string, section: GuideSectionName = "guides"): string {
  return `${firstLevel[section].path}${name}/`;
}

/** The pages listed on a top-level page. Empty if the site doesn't have it. */
export function pagesOf({ topPages }: Site, { path }: { readonly path: string }): readonly PageLink[] {
  return topPages.find((top) => top.path === path)?.pages ?? [];
}

/** The import path of a generation's client. Empty if no package has it. */
export function clientModule({ packageName }: SampledSite, { name }: Generation): string {
  return packageName === undefined ? "" : `${packageName}/${name}`;
}
