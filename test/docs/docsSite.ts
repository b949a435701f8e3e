import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFolder } from "../../scripts/command/files.ts";
import type { OpenApiDocument } from "../../scripts/spec/openapi.ts";
import { writeBundle } from "../fixtures/writeBundle.ts";
import { runHere } from "../pipeline/project.ts";
import { readHtml, type HtmlPage } from "./htmlPage.ts";

/** The outcome of `npm run docs`. */
export interface DocsRun {
  readonly code: number | null;
  readonly output: string;
}

/** Does what `npm run docs` does in a folder, by default in this project's. */
export async function runDocs(args: readonly string[], cwd = process.cwd()): Promise<DocsRun> {
  const { code, stdout, stderr } = await runHere(cwd, "docs.ts", args);
  return { code, output: stdout + stderr };
}

/** The text of each file in a folder, by path. */
export async function readSite(folder: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await readFolder(folder)).map(({ path, content }) => [path, content]));
}

/** The files of a site that lead on to another place, by their addresses, with the link to it. */
export function readRedirects(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const targets = [...files].flatMap(([path, text]) => {
    const [, target] = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(text) ?? [];
    return target === undefined || !path.endsWith(".html") ? [] : [[path, target] as const];
  });
  return new Map(targets);
}

/** The pages of a site by their addresses: "" for the start page, and folders with a slash at their ends. */
export function readPages(files: ReadonlyMap<string, string>): ReadonlyMap<string, HtmlPage> {
  const redirects = readRedirects(files);
  const pages = [...files].filter(([path]) => path.endsWith(".html") && !redirects.has(path));
  return new Map(pages.map(([path, text]) => [path.replace(/(?:^|(?<=\/))index\.html$/, ""), readHtml(text)]));
}

/** The docs of a description of one generation, made by `npm run docs`; removed when it is disposed of. */
export async function renderDescription(
  name: string,
  document: OpenApiDocument,
): Promise<AsyncDisposable & { readonly files: ReadonlyMap<string, string> }> {
  const folder = await mkdtemp(join(tmpdir(), "docs-"));
  await writeBundle(folder, name, document);
  const { code, output } = await runDocs(["--out", "site"], folder);
  if (code !== 0) throw new Error(output);
  return {
    files: await readSite(join(folder, "site")),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
