import type { Generation } from "../../contract/generation.ts";
import type { Addresses } from "../model/addresses.ts";
import { addressesOf, type Site } from "../model/site.ts";

/** Where a part of a page is shown that speaks of a generation. */
export interface PageContext {
  readonly site: Site;
  readonly generation: Generation;
  readonly addresses: Addresses;
  /** Text before links to the site's root. */
  readonly root: string;
}

export function contextOf(site: Site, generation: Generation, path: string): PageContext {
  return { site, generation, addresses: addressesOf(site, generation), root: rootOf(path) };
}

/** Text before links to the site's root from a page with a path. */
export function rootOf(path: string): string {
  return "../".repeat(path.split("/").length - 1) || "./";
}
