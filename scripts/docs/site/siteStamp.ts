import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ifAbsent } from "../../contract/failures.ts";
import { loadChangelog } from "../../contract/changelog.ts";
import { digestOf, readFolder } from "../../command/files.ts";
import { workflowsFolder } from "../../workflows/arazzoFiles.ts";
import type { SiteOptions } from "./renderSite.ts";

// Apart from what renders a site, which takes long to load, and is not needed where the site is up to date.

/** Marks a folder as one that the docs were written to, and says from what. */
export const stampName = ".made-from";

/** The guides that people have written, relative to the current folder. */
export const guidesFolder = "openapi/guides";

/** A mark of the contract's own, in SVG, likewise. */
const markFile = "openapi/mark.svg";

export function readMark(): Promise<string | undefined> {
  return readFile(resolve(markFile), "utf8").catch(ifAbsent(undefined));
}

/** The mock's responses to the workflows, likewise. */
export const responsesFolder = "generated/workflows";

export interface WriteOptions extends Pick<SiteOptions, "generations" | "url" | "mockUrl" | "servers"> {
  readonly folder: string;
}

/** Tells whether the folder contains the site that the bundles and the scripts, as they are now, would make. */
export async function isUpToDate(options: WriteOptions): Promise<boolean> {
  const stamp = await readFile(join(options.folder, stampName), "utf8").catch(() => undefined);
  return stamp === (await stampOf(options));
}

/** A digest of all that the site is made from: the bundles, these scripts, and the installed packages. */
export async function stampOf({ generations, url = "", mockUrl = "", servers = new Map() }: WriteOptions) {
  const documents = generations.map(({ name, document }) => [name, document]);
  const folders = await Promise.all([guidesFolder, workflowsFolder, responsesFolder].map(readFolder));
  return digestOf([documents, folders, (await loadChangelog()) ?? "", await readMark(), url, mockUrl, [...servers]]);
}
