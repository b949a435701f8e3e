import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { replaceFolder } from "../../command/files.ts";
import { loadChangelog } from "../../contract/changelog.ts";
import { errorCode, UserError } from "../../contract/failures.ts";
import type { Generation } from "../../contract/generation.ts";
import { readGuides, readSynonyms } from "../model/guides.ts";
import { workflowsFolder } from "../../workflows/arazzoFiles.ts";
import { readRecordedResponses, readWorkflows } from "../../workflows/readWorkflows.ts";
import type { DeadLink } from "./deadLinks.ts";
import { renderSite, renderTexts } from "./renderSite.ts";
import {
  guidesFolder,
  readMark,
  responsesFolder,
  stampName,
  stampOf,
  type WriteOptions,
  type ExtraContent,
} from "./siteStamp.ts";

/**
 * Renders the site into a folder and replaces an earlier site. Resolves to the number of files, and to the links that
 * lead to nothing. Throws {@link UserError} if the folder contains other files, which must not be removed.
 */
export async function writeSite(options: WriteOptions) {
  const { generations, folder } = options;
  await requireReplaceable(folder);
  // If a guide is saved while it is read, the stamp is of the guide before, so the site is rendered again.
  const stamp = { path: stampName, content: await stampOf(options) };
  const { written = await readWritten(generations) } = options;
  let deadLinks: readonly DeadLink[] = [];
  const withStamp = async function* () {
    deadLinks = yield* renderSite({ ...options, ...written });
    yield stamp;
  };
  const count = (await replaceFolder(folder, withStamp())) - 1;
  return { count, deadLinks };
}

/** Renders what agents read of the docs, the Markdown files and `llms.txt`, by their paths. */
export async function readTexts(generations: readonly Generation[]) {
  const written = await readWritten(generations);
  const files = renderTexts({ generations, ...written });
  return { files: new Map(files.map(({ path, content }) => [path, content])), synonyms: written.synonyms ?? [] };
}

/** What people have written for the site beside the descriptions, in the current folder. */
async function readWritten(generations: readonly Generation[]): Promise<ExtraContent> {
  const responses = await readRecordedResponses(resolve(responsesFolder));
  return {
    guides: await readGuides(resolve(guidesFolder)),
    synonyms: await readSynonyms(resolve(guidesFolder)),
    workflows: await readWorkflows(resolve(workflowsFolder), generations, responses),
    changelog: await loadChangelog(),
    packageName: manifest.name,
    mark: await readMark(),
  };
}

async function requireReplaceable(folder: string): Promise<void> {
  const present = await readdir(folder).catch((error: unknown): string[] => {
    if (errorCode(error) === "ENOENT") return [];
    if (errorCode(error) === "ENOTDIR") throw new UserError(`${folder} is a file: choose a folder with --out`);
    throw error;
  });
  if (present.length === 0 || present.includes(stampName)) return;
  throw new UserError(`${folder} contains other files: choose a new or empty folder instead`);
}
