import type { TextFile } from "../../command/files.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import type { ResourceOperation } from "../../contract/resources.ts";

/** Facts that all pages of a site share. */
export interface Site {
  readonly title: string;
  /** SVG that takes the colors of the text around it, and of `--accent`. */
  readonly mark: string;
  /** The newest first. */
  readonly generations: readonly Generation[];
  /** The effects of operations in the mock, where generations share resources. */
  readonly resources: ReadonlyMap<Operation, ResourceOperation>;
  /** Where the site will be, with a slash at its end; `undefined` if that is not known. */
  readonly url: string | undefined;
  readonly assets: Readonly<
    Record<"styles" | "font" | "icon" | "script" | "search" | "tryIt" | "steps" | "filter", TextFile>
  >;
  /** True if the pages have a mock that answers inside them. */
  readonly hasPageMock: boolean;
  /** A script that is in each page itself. */
  readonly script: string;
  readonly packageName: string;
  readonly serverOf: (operation: Operation) => SampleServer;
  readonly topPages: readonly TopPage[];
}

export interface SampleServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly isMock: boolean;
}

export interface PageLink {
  readonly title: string;
  /** A folder relative to the site's root, with a slash at its end. */
  readonly path: string;
}

/** One of {@link firstLevel} that the site has. */
export interface TopPage extends PageLink {
  readonly drawing: (typeof firstLevel)[keyof typeof firstLevel]["drawing"];
  /** The pages that it leads to, in the order in which people read them. */
  readonly pages?: readonly PageLink[];
}

/** The pages beside those of the generations, each with the name of its drawing. */
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

/** Where the page of a generation lists its groups without operations of their own. */
export const emptyGroupsAnchor = "groups-without-operations";

/** Of generations with more operations than this, pages list only what is near. */
export const maximumListed = 60;

/** The pages of the first level that guides are in, each with what it is about. */
export const guideSections = {
  guides: "What people do with the API, step by step.",
  typescript:
    "The npm package: a client that is typed by the contract, and what it does for errors, pages and retries.",
  testing: "Test what you write against a mock server, in your test runner or beside it.",
  about: "What concerns many operations: generations, versions, identifiers, times and pages.",
} as const;

export type GuideSectionName = keyof typeof guideSections;

/** Where a guide is: a workflow by its id, and a text by the name of its file. */
export function guidePath(name: string, section: GuideSectionName = "guides"): string {
  return `${firstLevel[section].path}${name}/`;
}

/** The pages of a page of the first level; none if the site doesn't have it. */
export function pagesOf({ topPages }: Site, { path }: { readonly path: string }): readonly PageLink[] {
  return topPages.find((top) => top.path === path)?.pages ?? [];
}
