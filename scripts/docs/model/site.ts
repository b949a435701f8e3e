import type { TextFile } from "../../command/files.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import type { ResourceOperation } from "../../contract/resources.ts";
import type { Addresses } from "./addresses.ts";

/** Facts that all pages of a site share. */
export interface Site {
  readonly title: string;
  /** SVG that takes the colors of the text around it, and of `--accent`. */
  readonly mark: string;
  /** The newest first. */
  readonly generations: readonly Generation[];
  readonly addresses: ReadonlyMap<Generation, Addresses>;
  /** The effects of operations in the mock, where generations share resources. */
  readonly resources: ReadonlyMap<Operation, ResourceOperation>;
  /** Where the site will be, with a slash at its end; `undefined` if that is not known. */
  readonly url: string | undefined;
  readonly assets: Readonly<Record<"styles" | "font" | "icon" | "script" | "search" | "tryIt" | "filter", TextFile>>;
  /** The npm package whose client the samples use. */
  readonly packageName: string;
  readonly serverOf: (operation: Operation) => SampleServer;
  /** Pages besides those of the generations: guides, authentication and so on. */
  readonly topPages: readonly PageLink[];
  /** In the order in which people read them. */
  readonly guides: readonly PageLink[];
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

/** Folders of the pages that belong to no generation. */
export const authenticationPath = "authentication/";
export const unspecifiedPath = "unspecified/";
export const errorsPath = "errors/";
export const downloadsPath = "downloads/";
export const changelogPath = "changelog/";
export const guidesPath = "guides/";
export const guidesLink: PageLink = { title: "Guides", path: guidesPath };

/** Where the page of a generation lists its groups without operations of their own. */
export const emptyGroupsAnchor = "groups-without-operations";

/** Where a guide is: a workflow by its id, and a text by the name of its file. */
export function guidePath(name: string): string {
  return `${guidesPath}${name}/`;
}

/** The addresses of a generation's pages. */
export function addressesOf(site: Site, generation: Generation): Addresses {
  const addresses = site.addresses.get(generation);
  if (addresses === undefined) throw new Error(`${generation.name} is not a generation of the site`);
  return addresses;
}
