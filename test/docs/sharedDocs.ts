import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { readGeneration } from "../../scripts/contract/generation.ts";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { syntheticDocument } from "../fixtures/syntheticContract.ts";
import { writeBundle } from "../fixtures/writeBundle.ts";
import { startDocs, type Docs } from "./start.ts";

/** Where the published docs are: under a path of a host that does not exist. */
export const siteUrl = "https://docs.example/some/path/";

/** A contract of 400 operations, four for each of its resources. */
export const large = readGeneration("large", syntheticDocument(400));

declare module "vitest" {
  interface ProvidedContext {
    /** Tells at `/docs` where the docs are, at `/published` the published ones, and at `/large` those of many operations. */
    readonly sharedDocs: string;
  }
}

const makers: Readonly<Record<string, (made: AsyncDisposableStack) => Promise<Partial<Docs>>>> = {
  "/docs": async (made) => made.use(await startDocs()),
  "/published": async (made) => {
    const folder = join(made.use(await mkdtempDisposable(join(tmpdir(), "published-"))).path, "site");
    await promisify(execFile)(process.execPath, ["scripts/docs.ts", "--out", folder, "--site-url", siteUrl]);
    return { folder };
  },
  "/large": async (made) => {
    const folder = made.use(await mkdtempDisposable(join(tmpdir(), "large-"))).path;
    await writeBundle(folder, large.name, large.document);
    await promisify(execFile)(process.execPath, [resolve("scripts/docs.ts"), "--out", "site"], { cwd: folder });
    return { folder: join(folder, "site") };
  },
};

/** Makes docs when a test first asks for them, for all processes that run tests: rendering them takes seconds. */
export default async function shareDocs(project: TestProject): Promise<() => Promise<void>> {
  const shared = new Map<string, Promise<Partial<Docs>> | undefined>();
  let made = new AsyncDisposableStack();
  const forget = async () => {
    shared.clear();
    await made.disposeAsync();
    made = new AsyncDisposableStack();
  };
  const server = await serveHttp(({ url = "" }, response) => {
    const asked = shared.get(url) ?? makers[url]?.(made);
    shared.set(url, asked);
    void Promise.resolve(asked).then(
      (docs) => response.end(JSON.stringify(docs)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide("sharedDocs", server.url);
  // Something may have changed.
  project.onTestsRerun(forget);
  return async () => {
    await server[Symbol.asyncDispose]();
    await forget();
  };
}
