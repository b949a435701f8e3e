import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { serveHttp } from "../fixtures/serveHttp.ts";
import { startDocs, type Docs } from "./start.ts";

/** Where the published docs are: under a path of a host that does not exist. */
export const siteUrl = "https://docs.example/some/path/";

declare module "vitest" {
  interface ProvidedContext {
    /** Tells at `/docs` where the docs are, and at `/published` the published ones. */
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
