import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ifAbsent } from "../../contract/failures.ts";
import { loadChangelog } from "../../contract/changelog.ts";
import { digestOf, readFolder } from "../../command/files.ts";
import { workflowsFolder } from "../../workflows/arazzoFiles.ts";
import type { SiteOptions } from "../model/site.ts";

// In a module apart from the renderer, which takes long to load and isn't needed if the site is current.

/** Marks a folder as written by the docs command, with a digest of its inputs. */
export const stampName = ".made-from";

/** The hand-written guides, relative to the current folder. */
export const guidesFolder = "openapi/guides";

/** The contract's own mark in SVG, relative to the current folder. */
const markFile = "openapi/mark.svg";

export function readMark(): Promise<string | undefined> {
  return readFile(resolve(markFile), "utf8").catch(ifAbsent(undefined));
}

/** The mock's responses to the workflows, relative to the current folder. */
export const responsesFolder = "generated/workflows";

/** What a site has beside the descriptions. */
export type ExtraContent = Omit<SiteOptions, keyof Omit<WriteOptions, "folder" | "written">>;

export interface WriteOptions extends Pick<SiteOptions, "generations" | "url" | "mockUrl" | "servers" | "origin"> {
  readonly folder: string;
  /** Default: what is in the current folder. */
  readonly written?: ExtraContent;
}

/** Returns whether the folder contains the site for the current bundles and scripts. */
export async function isUpToDate(options: WriteOptions): Promise<boolean> {
  const stamp = await readFile(join(options.folder, stampName), "utf8").catch(() => undefined);
  return stamp === (await stampOf(options));
}

/** A digest of all inputs of the site: the bundles, these scripts, and the installed packages. */
export async function stampOf({ generations, url = "", mockUrl = "", servers = new Map() }: WriteOptions) {
  const documents = generations.map(({ name, document }) => [name, document]);
  const folders = await Promise.all([guidesFolder, workflowsFolder, responsesFolder].map(readFolder));
  return digestOf([documents, folders, (await loadChangelog()) ?? "", await readMark(), url, mockUrl, [...servers]]);
}
